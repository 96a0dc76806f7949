/* Keys: made, imported and exported. Runs in a worker; every byte that is
 * imported is the program's. A curve's key is checked to be on it; that the
 * numbers of an RSA key make sense is not, as a key of the program's own hurts
 * nobody else. */
#include "worker/crypto.h"

#include "base/cleanup.h"
#include "codemode/executor.h"
#include "worker/random.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_BYTES_MAX = 1 + 2 * 66, UNCOMPRESSED = 4 };

/* `type` is what OpenSSL calls the key, `group` the curve of an EC key. */
static const struct curve {
    const char *name;
    const char *type;
    const char *group;
    size_t bytes; /* of a coordinate and of a secret */
} curves[] = {
    { "P-256", "EC", "prime256v1", 32 }, { "P-384", "EC", "secp384r1", 48 },
    { "P-521", "EC", "secp521r1", 66 },  { "Ed25519", "ED25519", NULL, 32 },
    { "Ed448", "ED448", NULL, 57 },      { "X25519", "X25519", NULL, 32 },
    { "X448", "X448", NULL, 56 },
};

CRYPTO_CLEANUP(EVP_PKEY, EVP_PKEY_free)
CRYPTO_CLEANUP(BIGNUM, BN_clear_free)
CRYPTO_CLEANUP(OSSL_PARAM_BLD, OSSL_PARAM_BLD_free)
CRYPTO_CLEANUP(OSSL_PARAM, OSSL_PARAM_free)
CRYPTO_CLEANUP(PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free)

static const struct curve *curve_find(const char *name)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(curves); i++)
        if (strcmp(curves[i].name, name) == 0)
            return &curves[i];
    return NULL;
}

static bool is_of_curve(const EVP_PKEY *pkey, const struct curve *curve)
{
    char group[32];

    if (!EVP_PKEY_is_a(pkey, curve->type))
        return false;
    return curve->group == NULL ||
           (EVP_PKEY_get_group_name(pkey, group, sizeof(group), NULL) == 1 &&
            strcmp(group, curve->group) == 0);
}

/* NULL for RSA keys and secrets. */
static const struct curve *curve_of(const struct crypto_key *key)
{
    for (size_t i = 0; key->pkey != NULL && i < CM_ARRAY_LEN(curves); i++)
        if (is_of_curve(key->pkey, &curves[i]))
            return &curves[i];
    return NULL;
}

/* ---- made ---- */

/* Takes *pkey. */
static int key_new(EVP_PKEY **pkey, struct crypto_key **ret_key)
{
    struct crypto_key *key;

    if (*pkey == NULL)
        return CM_E_INVAL;
    key = calloc(1, sizeof(*key));
    if (key == NULL)
        return CM_E_NOMEM;
    key->pkey = CM_TAKE(*pkey);
    *ret_key = key;
    return 0;
}

void crypto_key_free(struct crypto_key *key)
{
    if (key == NULL)
        return;
    EVP_PKEY_free(key->pkey);
    if (key->secret != NULL)
        OPENSSL_cleanse(key->secret, key->secret_bytes);
    free(key->secret);
    free(key);
}

static struct crypto_key *secret_alloc(size_t bytes)
{
    struct crypto_key *key = calloc(1, sizeof(*key));

    if (key == NULL)
        return NULL;
    key->secret_bytes = bytes;
    key->secret = malloc(bytes + 1); /* never of 0 bytes */
    if (key->secret == NULL) {
        free(key);
        return NULL;
    }
    return key;
}

int crypto_secret_new(struct bytes secret, struct crypto_key **ret_key)
{
    struct crypto_key *key = secret_alloc(secret.len);

    if (key == NULL)
        return CM_E_NOMEM;
    if (secret.len > 0)
        memcpy(key->secret, secret.data, secret.len);
    *ret_key = key;
    return 0;
}

int crypto_secret_generate(size_t bytes, struct crypto_key **ret_key)
{
    struct crypto_key *key = secret_alloc(bytes);

    if (key == NULL)
        return CM_E_NOMEM;
    random_fill(key->secret, bytes);
    *ret_key = key;
    return 0;
}

int crypto_rsa_generate(unsigned bits, struct bytes exponent, struct crypto_key **ret_key)
{
    CRYPTO_AUTO(EVP_PKEY_CTX) ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    CRYPTO_AUTO(BIGNUM) e = NULL;
    CRYPTO_AUTO(EVP_PKEY) pkey = NULL;

    if (ctx == NULL)
        return CM_E_NOMEM;
    if (bits > CRYPTO_RSA_BITS_MAX || exponent.len > CRYPTO_RSA_BITS_MAX / 8)
        return CM_E_INVAL;
    e = BN_bin2bn(exponent.data, (int)exponent.len, NULL);
    if (e == NULL)
        return CM_E_NOMEM;
    if (!BN_is_odd(e) || BN_is_one(e)) /* OpenSSL would search for ever */
        return CM_E_INVAL;
    if (EVP_PKEY_keygen_init(ctx) != 1 || EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, (int)bits) != 1 ||
        EVP_PKEY_CTX_set1_rsa_keygen_pubexp(ctx, e) != 1 || EVP_PKEY_generate(ctx, &pkey) != 1)
        return CM_E_INVAL;
    return key_new(&pkey, ret_key);
}

int crypto_curve_generate(const char *name, struct crypto_key **ret_key)
{
    const struct curve *curve = curve_find(name);
    CRYPTO_AUTO(EVP_PKEY) pkey = NULL;

    if (curve == NULL)
        return CM_E_INVAL;
    pkey = curve->group != NULL ? EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve->group)
                                : EVP_PKEY_Q_keygen(NULL, NULL, curve->type);
    return key_new(&pkey, ret_key);
}

/* ---- imported ---- */

static EVP_PKEY *from_params(const char *type, int selection, OSSL_PARAM_BLD *build)
{
    CRYPTO_AUTO(EVP_PKEY_CTX) ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    CRYPTO_AUTO(OSSL_PARAM) params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY *pkey = NULL;

    if (ctx == NULL || params == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &pkey, selection, params) != 1)
        return NULL;
    return pkey;
}

/* Keys are exported with whole points, whatever they came as. */
static bool checks_out(EVP_PKEY *pkey, bool is_pair)
{
    CRYPTO_AUTO(EVP_PKEY_CTX) ctx = EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL);

    return ctx != NULL && (is_pair ? EVP_PKEY_check(ctx) : EVP_PKEY_public_check_quick(ctx)) == 1 &&
           EVP_PKEY_set_utf8_string_param(pkey, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT,
                                          "uncompressed") == 1;
}

static EVP_PKEY *read_der(enum crypto_der format, struct bytes der)
{
    const uint8_t *at = der.data;
    CRYPTO_AUTO(PKCS8_PRIV_KEY_INFO) info = NULL;
    EVP_PKEY *pkey;

    if (der.len > INT32_MAX)
        return NULL;
    if (format == CRYPTO_SPKI) {
        pkey = d2i_PUBKEY(NULL, &at, (long)der.len);
    } else {
        info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)der.len);
        pkey = info == NULL ? NULL : EVP_PKCS82PKEY(info);
    }
    if (pkey != NULL && at != der.data + der.len) { /* something follows it */
        EVP_PKEY_free(pkey);
        return NULL;
    }
    return pkey;
}

int crypto_der_import(const char *kind, enum crypto_der format, struct bytes der,
                      struct crypto_key **ret_key)
{
    const struct curve *curve = curve_find(kind);
    CRYPTO_AUTO(EVP_PKEY) pkey = read_der(format, der);

    if (pkey == NULL)
        return CM_E_INVAL;
    if (curve == NULL ? !EVP_PKEY_is_a(pkey, kind) : !is_of_curve(pkey, curve))
        return CM_E_INVAL;
    if (curve != NULL && curve->group != NULL && !checks_out(pkey, format == CRYPTO_PKCS8))
        return CM_E_INVAL;
    return key_new(&pkey, ret_key);
}

int crypto_rsa_import(const struct bytes parts[CRYPTO_RSA_PARTS], struct crypto_key **ret_key)
{
    static const char *const names[CRYPTO_RSA_PARTS] = {
        OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
        OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
        OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
    };
    CRYPTO_AUTO(OSSL_PARAM_BLD) build = OSSL_PARAM_BLD_new();
    CRYPTO_AUTO(EVP_PKEY) pkey = NULL;
    BIGNUM *numbers[CRYPTO_RSA_PARTS] = { NULL };
    bool fits = build != NULL;

    for (size_t i = 0; fits && i < CRYPTO_RSA_PARTS; i++) {
        if (parts[i].len == 0)
            continue;
        fits = parts[i].len <= CRYPTO_RSA_BITS_MAX / 8;
        if (fits)
            numbers[i] = BN_bin2bn(parts[i].data, (int)parts[i].len, NULL);
        fits = numbers[i] != NULL && OSSL_PARAM_BLD_push_BN(build, names[i], numbers[i]) == 1;
    }
    if (fits)
        pkey = from_params(
            "RSA", parts[CRYPTO_RSA_D].len > 0 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, build);
    for (size_t i = 0; i < CRYPTO_RSA_PARTS; i++)
        BN_clear_free(numbers[i]);
    return key_new(&pkey, ret_key);
}

static int ec_import(const struct curve *curve, struct bytes point, const struct bytes *secret,
                     struct crypto_key **ret_key)
{
    CRYPTO_AUTO(OSSL_PARAM_BLD) build = OSSL_PARAM_BLD_new();
    CRYPTO_AUTO(BIGNUM) number = NULL;
    CRYPTO_AUTO(EVP_PKEY) pkey = NULL;

    if (build == NULL)
        return CM_E_NOMEM;
    if (point.len <= curve->bytes ||
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, curve->group, 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point.data, point.len) !=
            1)
        return CM_E_INVAL;
    if (secret != NULL) {
        if (secret->len != curve->bytes)
            return CM_E_INVAL;
        number = BN_bin2bn(secret->data, (int)secret->len, NULL);
        if (number == NULL || OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) != 1)
            return CM_E_NOMEM;
    }
    pkey = from_params("EC", secret != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, build);
    if (pkey == NULL || !checks_out(pkey, secret != NULL))
        return CM_E_INVAL;
    return key_new(&pkey, ret_key);
}

/* Whether the public half that belongs to pkey is `point`. */
static bool has_point(const EVP_PKEY *pkey, struct bytes point)
{
    uint8_t raw[POINT_BYTES_MAX];
    size_t len = sizeof(raw);

    return EVP_PKEY_get_raw_public_key(pkey, raw, &len) == 1 && len == point.len &&
           memcmp(raw, point.data, len) == 0;
}

int crypto_curve_import(const char *name, struct bytes point, const struct bytes *secret,
                        struct crypto_key **ret_key)
{
    const struct curve *curve = curve_find(name);
    CRYPTO_AUTO(EVP_PKEY) pkey = NULL;

    if (curve == NULL)
        return CM_E_INVAL;
    if (curve->group != NULL)
        return ec_import(curve, point, secret, ret_key);
    pkey = secret != NULL
               ? EVP_PKEY_new_raw_private_key_ex(NULL, curve->type, NULL, secret->data, secret->len)
               : EVP_PKEY_new_raw_public_key_ex(NULL, curve->type, NULL, point.data, point.len);
    if (pkey == NULL || !has_point(pkey, point))
        return CM_E_INVAL;
    return key_new(&pkey, ret_key);
}

/* ---- exported ---- */

int crypto_der_export(const struct crypto_key *key, enum crypto_der format, struct cm_buf *to)
{
    CRYPTO_AUTO(PKCS8_PRIV_KEY_INFO) info = NULL;
    uint8_t *der = NULL;
    int bytes = -1;
    int r;

    if (key->pkey == NULL)
        return CM_E_INVAL;
    if (format == CRYPTO_SPKI) {
        bytes = i2d_PUBKEY(key->pkey, &der);
    } else {
        info = EVP_PKEY2PKCS8(key->pkey);
        if (info != NULL)
            bytes = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
    }
    if (bytes < 0)
        return CM_E_INVAL;
    r = cm_buf_append(to, der, (size_t)bytes);
    OPENSSL_clear_free(der, (size_t)bytes);
    return r;
}

int crypto_point_export(const struct crypto_key *key, struct cm_buf *to)
{
    const struct curve *curve = curve_of(key);
    uint8_t point[POINT_BYTES_MAX];
    size_t len = sizeof(point);
    int done;

    if (curve == NULL)
        return CM_E_INVAL;
    if (curve->group != NULL)
        done = EVP_PKEY_get_octet_string_param(key->pkey, OSSL_PKEY_PARAM_PUB_KEY, point,
                                               sizeof(point), &len);
    else
        done = EVP_PKEY_get_raw_public_key(key->pkey, point, &len);
    return done == 1 ? cm_buf_append(to, point, len) : CM_E_INVAL;
}

/* A number of the key: in `pad` bytes, or as many as it has. */
static int export_number(const EVP_PKEY *pkey, const char *param, size_t pad, struct cm_buf *to)
{
    CRYPTO_AUTO(BIGNUM) number = NULL;
    size_t bytes;
    int r;

    if (EVP_PKEY_get_bn_param(pkey, param, &number) != 1)
        return CM_E_INVAL;
    bytes = pad > 0 ? pad : (size_t)BN_num_bytes(number);
    r = cm_buf_reserve(to, bytes);
    if (r < 0)
        return r;
    if (BN_bn2binpad(number, cm_buf_tail(to), (int)bytes) < 0)
        return CM_E_INVAL;
    to->len += bytes;
    return 0;
}

static int export_raw_secret(const EVP_PKEY *pkey, struct cm_buf *to)
{
    uint8_t secret[POINT_BYTES_MAX];
    size_t len = sizeof(secret);
    int r;

    if (EVP_PKEY_get_raw_private_key(pkey, secret, &len) != 1)
        return CM_E_INVAL;
    r = cm_buf_append(to, secret, len);
    OPENSSL_cleanse(secret, sizeof(secret));
    return r;
}

int crypto_part_export(const struct crypto_key *key, const char *name, struct cm_buf *to)
{
    enum part_kind { RSA, EC };
    static const struct {
        const char *name;
        const char *param;
        enum part_kind kind;
    } parts[] = {
        { "n", OSSL_PKEY_PARAM_RSA_N, RSA },
        { "e", OSSL_PKEY_PARAM_RSA_E, RSA },
        { "d", OSSL_PKEY_PARAM_RSA_D, RSA },
        { "p", OSSL_PKEY_PARAM_RSA_FACTOR1, RSA },
        { "q", OSSL_PKEY_PARAM_RSA_FACTOR2, RSA },
        { "dp", OSSL_PKEY_PARAM_RSA_EXPONENT1, RSA },
        { "dq", OSSL_PKEY_PARAM_RSA_EXPONENT2, RSA },
        { "qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT1, RSA },
        { "x", OSSL_PKEY_PARAM_EC_PUB_X, EC },
        { "y", OSSL_PKEY_PARAM_EC_PUB_Y, EC },
        { "d", OSSL_PKEY_PARAM_PRIV_KEY, EC },
    };
    const struct curve *curve = curve_of(key);

    if (key->pkey == NULL)
        return CM_E_INVAL;
    if (curve != NULL && curve->group == NULL) {
        if (strcmp(name, "x") == 0)
            return crypto_point_export(key, to);
        return strcmp(name, "d") == 0 ? export_raw_secret(key->pkey, to) : CM_E_INVAL;
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(parts); i++)
        if (parts[i].kind == (curve == NULL ? RSA : EC) && strcmp(parts[i].name, name) == 0)
            return export_number(key->pkey, parts[i].param, curve == NULL ? 0 : curve->bytes, to);
    return CM_E_INVAL;
}
