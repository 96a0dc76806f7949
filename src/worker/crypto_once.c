/* Operations on data at once: RSA-OAEP, Ed25519 and Ed448, AES-KW, derivation.
 * Runs in a worker; keys, parameters and data are the program's. */
#include "worker/crypto.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/rsa.h>
#include <string.h>

CRYPTO_CLEANUP(EVP_KDF, EVP_KDF_free)
CRYPTO_CLEANUP(EVP_KDF_CTX, EVP_KDF_CTX_free)

/* ---- RSA-OAEP ---- */

/* OpenSSL wants a label of its own memory. */
static bool set_label(EVP_PKEY_CTX *ctx, struct bytes label)
{
    void *copy;

    if (label.len == 0)
        return true;
    copy = label.len > INT32_MAX ? NULL : OPENSSL_memdup(label.data, label.len);
    if (copy == NULL)
        return false;
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, copy, (int)label.len) == 1)
        return true;
    OPENSSL_free(copy);
    return false;
}

int crypto_oaep(const struct crypto_key *key, const char *hash, struct bytes label,
                struct bytes data, bool encrypt, struct cm_buf *to)
{
    int (*crypt)(EVP_PKEY_CTX *, unsigned char *, size_t *, const unsigned char *, size_t) =
        encrypt ? EVP_PKEY_encrypt : EVP_PKEY_decrypt;
    const EVP_MD *md = crypto_hash(hash);
    CRYPTO_AUTO(EVP_PKEY_CTX) ctx = NULL;
    size_t bytes = 0;
    int r;

    if (md == NULL || key->pkey == NULL || !EVP_PKEY_is_a(key->pkey, "RSA"))
        return CM_E_INVAL;
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key->pkey, NULL);
    if (ctx == NULL)
        return CM_E_NOMEM;
    if ((encrypt ? EVP_PKEY_encrypt_init(ctx) : EVP_PKEY_decrypt_init(ctx)) != 1 ||
        EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) != 1 ||
        EVP_PKEY_CTX_set_rsa_oaep_md(ctx, md) != 1 || !set_label(ctx, label) ||
        crypt(ctx, NULL, &bytes, data.data, data.len) != 1)
        return CM_E_INVAL;
    r = cm_buf_reserve(to, bytes);
    if (r < 0)
        return r;
    if (crypt(ctx, cm_buf_tail(to), &bytes, data.data, data.len) != 1)
        return CM_E_INVAL;
    to->len += bytes;
    return 0;
}

/* ---- Ed25519, Ed448 ---- */

static bool is_edwards(const struct crypto_key *key)
{
    return key->pkey != NULL &&
           (EVP_PKEY_is_a(key->pkey, "ED25519") || EVP_PKEY_is_a(key->pkey, "ED448"));
}

int crypto_edwards_sign(const struct crypto_key *key, struct bytes data, struct cm_buf *to)
{
    CRYPTO_AUTO(EVP_MD_CTX) ctx = EVP_MD_CTX_new();
    uint8_t signature[128];
    size_t bytes = sizeof(signature);

    if (ctx == NULL)
        return CM_E_NOMEM;
    if (!is_edwards(key) || EVP_DigestSignInit(ctx, NULL, NULL, NULL, key->pkey) != 1 ||
        EVP_DigestSign(ctx, signature, &bytes, data.data, data.len) != 1)
        return CM_E_INVAL;
    return cm_buf_append(to, signature, bytes);
}

/* Points of Ed25519 by which every message would have a valid signature: those of a
 * small order, also as not reduced. WebCrypto wants them refused, OpenSSL takes
 * them. The sign, the highest bit, does not matter. */
static bool is_small_order(const uint8_t point[32])
{
    static const uint8_t eighth[][32] = {
        { 0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
          0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
          0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05 },
        { 0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
          0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
          0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a },
    };
    uint8_t plain[32];
    bool zeros = true;
    bool ones = true;

    memcpy(plain, point, sizeof(plain));
    plain[31] &= 0x7F;
    for (size_t i = 1; i < sizeof(plain); i++) {
        zeros = zeros && plain[i] == 0;
        ones = ones && plain[i] == (i == 31 ? 0x7F : 0xFF);
    }
    if (zeros) /* 0 and 1 */
        return plain[0] <= 1;
    if (ones) /* p - 1, p and p + 1 */
        return plain[0] >= 0xEC && plain[0] <= 0xEE;
    return memcmp(plain, eighth[0], 32) == 0 || memcmp(plain, eighth[1], 32) == 0;
}

/* Whether the key, or the point that the signature begins with, is of that kind. */
static bool is_weak(const struct crypto_key *key, struct bytes signature)
{
    uint8_t point[32];
    size_t bytes = sizeof(point);

    if (!EVP_PKEY_is_a(key->pkey, "ED25519") || signature.len < sizeof(point))
        return false;
    return is_small_order(signature.data) ||
           (EVP_PKEY_get_raw_public_key(key->pkey, point, &bytes) == 1 && is_small_order(point));
}

int crypto_edwards_verify(const struct crypto_key *key, struct bytes signature, struct bytes data)
{
    CRYPTO_AUTO(EVP_MD_CTX) ctx = EVP_MD_CTX_new();

    if (ctx == NULL)
        return CM_E_NOMEM;
    if (!is_edwards(key) || EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key->pkey) != 1)
        return CM_E_INVAL;
    return !is_weak(key, signature) &&
           EVP_DigestVerify(ctx, signature.data, signature.len, data.data, data.len) == 1;
}

/* ---- AES-KW ---- */

int crypto_wrap(const struct crypto_key *key, struct bytes data, bool wrap, struct cm_buf *to)
{
    CRYPTO_AUTO(EVP_CIPHER_CTX) ctx = EVP_CIPHER_CTX_new();
    const EVP_CIPHER *cipher = key->secret_bytes == 16   ? EVP_aes_128_wrap()
                               : key->secret_bytes == 24 ? EVP_aes_192_wrap()
                               : key->secret_bytes == 32 ? EVP_aes_256_wrap()
                                                         : NULL;
    int written = 0;
    int r;

    if (ctx == NULL)
        return CM_E_NOMEM;
    if (cipher == NULL || data.len % 8 != 0 || data.len < (wrap ? 16 : 24) || data.len > INT32_MAX)
        return CM_E_INVAL;
    r = cm_buf_reserve(to, data.len + CRYPTO_BLOCK_BYTES);
    if (r < 0)
        return r;
    EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (EVP_CipherInit_ex(ctx, cipher, NULL, key->secret, NULL, wrap) != 1 ||
        EVP_CipherUpdate(ctx, cm_buf_tail(to), &written, data.data, (int)data.len) != 1)
        return CM_E_INVAL;
    to->len += (size_t)written;
    return 0;
}

/* ---- derivation ---- */

int crypto_agree(const struct crypto_key *ours, const struct crypto_key *theirs, struct cm_buf *to)
{
    CRYPTO_AUTO(EVP_PKEY_CTX) ctx = NULL;
    size_t bytes = 0;
    int r;

    if (ours->pkey == NULL || theirs->pkey == NULL)
        return CM_E_INVAL;
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, ours->pkey, NULL);
    if (ctx == NULL)
        return CM_E_NOMEM;
    if (EVP_PKEY_derive_init(ctx) != 1 || EVP_PKEY_derive_set_peer(ctx, theirs->pkey) != 1 ||
        EVP_PKEY_derive(ctx, NULL, &bytes) != 1)
        return CM_E_INVAL;
    r = cm_buf_reserve(to, bytes);
    if (r < 0)
        return r;
    if (EVP_PKEY_derive(ctx, cm_buf_tail(to), &bytes) != 1)
        return CM_E_INVAL;
    to->len += bytes;
    return 0;
}

/* What is given to OpenSSL as a parameter is only read. */
static OSSL_PARAM octets(const char *name, struct bytes bytes)
{
    return OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)bytes.data, bytes.len);
}

int crypto_hkdf(const struct crypto_key *key, const char *hash, struct bytes salt,
                struct bytes info, size_t bytes, struct cm_buf *to)
{
    const EVP_MD *md = crypto_hash(hash);
    CRYPTO_AUTO(EVP_KDF) kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    CRYPTO_AUTO(EVP_KDF_CTX) ctx = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[5];
    int r;

    if (ctx == NULL)
        return CM_E_NOMEM;
    if (md == NULL || key->secret == NULL)
        return CM_E_INVAL;
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST,
                                                 (char *)(uintptr_t)EVP_MD_get0_name(md), 0);
    params[1] = octets(OSSL_KDF_PARAM_KEY, (struct bytes){ key->secret, key->secret_bytes });
    params[2] = octets(OSSL_KDF_PARAM_SALT, salt);
    params[3] = octets(OSSL_KDF_PARAM_INFO, info);
    params[4] = OSSL_PARAM_construct_end();
    r = cm_buf_reserve(to, bytes);
    if (r < 0)
        return r;
    if (EVP_KDF_derive(ctx, cm_buf_tail(to), bytes, params) != 1)
        return CM_E_INVAL;
    to->len += bytes;
    return 0;
}

int crypto_pbkdf2(const struct crypto_key *key, const char *hash, struct bytes salt,
                  unsigned iterations, size_t bytes, struct cm_buf *to)
{
    const EVP_MD *md = crypto_hash(hash);
    int r;

    if (md == NULL || key->secret == NULL || key->secret_bytes > INT32_MAX ||
        salt.len > INT32_MAX || bytes > INT32_MAX || iterations < 1 || iterations > INT32_MAX)
        return CM_E_INVAL;
    r = cm_buf_reserve(to, bytes);
    if (r < 0)
        return r;
    if (PKCS5_PBKDF2_HMAC((const char *)key->secret, (int)key->secret_bytes, salt.data,
                          (int)salt.len, (int)iterations, md, (int)bytes, cm_buf_tail(to)) != 1)
        return CM_E_INVAL;
    to->len += bytes;
    return 0;
}
