/* Operations on data that comes in pieces: digests, codes, ciphers, signatures.
 * Runs in a worker; keys, parameters and data are the program's. */
#include "worker/crypto.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

enum { CBC, CTR, GCM };

enum operation { NOTHING, DIGEST, HMAC_CODE, SIGN, VERIFY, ENCRYPT, DECRYPT };

struct crypto_stream {
    enum operation operation;
    EVP_MD_CTX *md;
    EVP_CIPHER_CTX *cipher;
    EVP_MAC_CTX *mac;
    struct cm_buf out;
    size_t coordinate_bytes; /* ECDSA: half of a signature; else 0 */
    size_t tag_bytes;        /* GCM encryption; else 0 */
    /* CTR: after so many more bytes the counter starts again, with this block. */
    uint64_t until_wrap;
    uint8_t wrapped[CRYPTO_BLOCK_BYTES];
};

CRYPTO_CLEANUP(EVP_MAC, EVP_MAC_free)
CRYPTO_CLEANUP(ECDSA_SIG, ECDSA_SIG_free)

struct crypto_stream *crypto_stream(void)
{
    static struct crypto_stream stream = { .out = { .max = SIZE_MAX } };

    if (stream.md == NULL)
        stream.md = EVP_MD_CTX_new();
    if (stream.cipher == NULL)
        stream.cipher = EVP_CIPHER_CTX_new();
    return stream.md == NULL || stream.cipher == NULL ? NULL : &stream;
}

static void forget(struct crypto_stream *stream)
{
    cm_buf_done(&stream->out);
    EVP_MD_CTX_reset(stream->md);
    EVP_CIPHER_CTX_reset(stream->cipher);
    EVP_MAC_CTX_free(CM_TAKE(stream->mac));
    stream->operation = NOTHING;
    stream->coordinate_bytes = 0;
    stream->tag_bytes = 0;
    stream->until_wrap = UINT64_MAX;
}

static int start(struct crypto_stream *stream)
{
    if (stream == NULL)
        return CM_E_NOMEM;
    forget(stream);
    return 0;
}

/* ---- digests, codes ---- */

const EVP_MD *crypto_hash(const char *name)
{
    static const struct {
        const char *name;
        const EVP_MD *(*get)(void);
    } hashes[] = {
        { "SHA-1", EVP_sha1 },
        { "SHA-256", EVP_sha256 },
        { "SHA-384", EVP_sha384 },
        { "SHA-512", EVP_sha512 },
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(hashes); i++)
        if (strcmp(hashes[i].name, name) == 0)
            return hashes[i].get();
    return NULL;
}

int crypto_digest_begin(struct crypto_stream *stream, const char *hash)
{
    const EVP_MD *md = crypto_hash(hash);

    if (start(stream) < 0)
        return CM_E_NOMEM;
    if (md == NULL || EVP_DigestInit_ex(stream->md, md, NULL) != 1)
        return CM_E_INVAL;
    stream->operation = DIGEST;
    return 0;
}

int crypto_hmac_begin(struct crypto_stream *stream, const struct crypto_key *key, const char *hash)
{
    const EVP_MD *md = crypto_hash(hash);
    CRYPTO_AUTO(EVP_MAC) mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    OSSL_PARAM params[] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if (start(stream) < 0)
        return CM_E_NOMEM;
    if (md == NULL || mac == NULL || key->secret == NULL)
        return CM_E_INVAL;
    /* The name is only read. */
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST,
                                                 (char *)(uintptr_t)EVP_MD_get0_name(md), 0);
    stream->mac = EVP_MAC_CTX_new(mac);
    if (stream->mac == NULL ||
        EVP_MAC_init(stream->mac, key->secret, key->secret_bytes, params) != 1)
        return CM_E_INVAL;
    stream->operation = HMAC_CODE;
    return 0;
}

/* ---- signatures ---- */

static bool set_scheme(EVP_PKEY_CTX *ctx, enum crypto_scheme scheme, int salt_bytes)
{
    if (scheme == CRYPTO_ECDSA)
        return true;
    if (scheme == CRYPTO_PKCS1)
        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1;
    return salt_bytes >= 0 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, salt_bytes) == 1;
}

int crypto_sign_begin(struct crypto_stream *stream, const struct crypto_key *key,
                      enum crypto_scheme scheme, const char *hash, int salt_bytes, bool verify)
{
    const EVP_MD *md = crypto_hash(hash);
    EVP_PKEY_CTX *ctx = NULL; /* stream->md owns it */
    int done;

    if (start(stream) < 0)
        return CM_E_NOMEM;
    if (md == NULL || key->pkey == NULL ||
        !EVP_PKEY_is_a(key->pkey, scheme == CRYPTO_ECDSA ? "EC" : "RSA"))
        return CM_E_INVAL;
    done = verify ? EVP_DigestVerifyInit(stream->md, &ctx, md, NULL, key->pkey)
                  : EVP_DigestSignInit(stream->md, &ctx, md, NULL, key->pkey);
    if (done != 1 || !set_scheme(ctx, scheme, salt_bytes))
        return CM_E_INVAL;
    if (scheme == CRYPTO_ECDSA)
        stream->coordinate_bytes = ((size_t)EVP_PKEY_get_bits(key->pkey) + 7) / 8;
    stream->operation = verify ? VERIFY : SIGN;
    return 0;
}

/* DER to the two numbers that WebCrypto wants, each of a coordinate's length. */
static int unpack_signature(struct cm_buf *out, size_t bytes)
{
    const uint8_t *at = cm_buf_bytes(out);
    CRYPTO_AUTO(ECDSA_SIG) pair = d2i_ECDSA_SIG(NULL, &at, (long)out->len);

    if (pair == NULL || cm_buf_reserve(out, 2 * bytes) < 0)
        return CM_E_NOMEM;
    if (BN_bn2binpad(ECDSA_SIG_get0_r(pair), out->data, (int)bytes) < 0 ||
        BN_bn2binpad(ECDSA_SIG_get0_s(pair), out->data + bytes, (int)bytes) < 0)
        return CM_E_INVAL;
    out->len = 2 * bytes;
    return 0;
}

/* The other way; *ret_der is OPENSSL_free()'s. Returns its length. */
static int pack_signature(struct bytes signature, uint8_t **ret_der)
{
    CRYPTO_AUTO(ECDSA_SIG) pair = ECDSA_SIG_new();
    int half = (int)(signature.len / 2);
    BIGNUM *r = BN_bin2bn(signature.data, half, NULL);
    BIGNUM *s = BN_bin2bn(signature.data + half, half, NULL);

    if (pair == NULL || r == NULL || s == NULL || ECDSA_SIG_set0(pair, r, s) != 1) {
        BN_free(r);
        BN_free(s);
        return CM_E_NOMEM;
    }
    return i2d_ECDSA_SIG(pair, ret_der);
}

static int sign_end(struct crypto_stream *stream)
{
    size_t bytes = 0;
    int r;

    if (EVP_DigestSignFinal(stream->md, NULL, &bytes) != 1)
        return CM_E_INVAL;
    r = cm_buf_reserve(&stream->out, bytes);
    if (r < 0)
        return r;
    if (EVP_DigestSignFinal(stream->md, stream->out.data, &bytes) != 1)
        return CM_E_INVAL;
    stream->out.len = bytes;
    return stream->coordinate_bytes == 0 ? 0
                                         : unpack_signature(&stream->out, stream->coordinate_bytes);
}

static int verify_end(struct crypto_stream *stream, struct bytes signature)
{
    uint8_t *der = NULL;
    int bytes;
    int right;

    if (stream->coordinate_bytes == 0)
        return EVP_DigestVerifyFinal(stream->md, signature.data, signature.len) == 1;
    if (signature.len != 2 * stream->coordinate_bytes)
        return 0;
    bytes = pack_signature(signature, &der);
    if (bytes < 0)
        return CM_E_NOMEM;
    right = EVP_DigestVerifyFinal(stream->md, der, (size_t)bytes) == 1;
    OPENSSL_free(der);
    return right;
}

/* ---- ciphers ---- */

static const EVP_CIPHER *aes(const struct crypto_key *key, int mode)
{
    static const EVP_CIPHER *(*const ciphers[][3])(void) = {
        [CBC] = { EVP_aes_128_cbc, EVP_aes_192_cbc, EVP_aes_256_cbc },
        [CTR] = { EVP_aes_128_ctr, EVP_aes_192_ctr, EVP_aes_256_ctr },
        [GCM] = { EVP_aes_128_gcm, EVP_aes_192_gcm, EVP_aes_256_gcm },
    };

    if (key->secret_bytes != 16 && key->secret_bytes != 24 && key->secret_bytes != 32)
        return NULL;
    return ciphers[mode][key->secret_bytes / 8 - 2]();
}

static int cipher_begin(struct crypto_stream *stream, const struct crypto_key *key, int mode,
                        struct bytes iv, bool encrypt, size_t total)
{
    const EVP_CIPHER *cipher = aes(key, mode);
    int r;

    if (start(stream) < 0)
        return CM_E_NOMEM;
    if (cipher == NULL || iv.len > INT32_MAX ||
        EVP_CipherInit_ex(stream->cipher, cipher, NULL, NULL, NULL, encrypt) != 1)
        return CM_E_INVAL;
    if (mode == GCM &&
        EVP_CIPHER_CTX_ctrl(stream->cipher, EVP_CTRL_AEAD_SET_IVLEN, (int)iv.len, NULL) != 1)
        return CM_E_INVAL;
    if ((size_t)EVP_CIPHER_CTX_get_iv_length(stream->cipher) != iv.len ||
        EVP_CipherInit_ex(stream->cipher, NULL, NULL, key->secret, iv.data, encrypt) != 1)
        return CM_E_INVAL;
    r = cm_buf_reserve(&stream->out, total);
    if (r < 0)
        return r;
    stream->operation = encrypt ? ENCRYPT : DECRYPT;
    return 0;
}

int crypto_cbc_begin(struct crypto_stream *stream, const struct crypto_key *key, struct bytes iv,
                     bool encrypt, size_t total)
{
    return cipher_begin(stream, key, CBC, iv, encrypt, total + CRYPTO_BLOCK_BYTES);
}

static uint64_t get_u64(const uint8_t *at)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value = value << 8 | at[i];
    return value;
}

/* How many blocks come before the low `bits` are all zero again; UINT64_MAX when
 * that is more than anybody has. */
static uint64_t blocks_until_zero(const uint8_t block[CRYPTO_BLOCK_BYTES], unsigned bits)
{
    uint64_t low = get_u64(block + 8);
    uint64_t high_ones;

    if (bits < 64)
        return (UINT64_C(1) << bits) - (low & ((UINT64_C(1) << bits) - 1));
    high_ones = bits == 64 ? 0 : UINT64_MAX >> (128 - bits);
    if ((get_u64(block) & high_ones) != high_ones || low == 0)
        return UINT64_MAX;
    return -low;
}

static void zero_low_bits(uint8_t block[CRYPTO_BLOCK_BYTES], unsigned bits)
{
    size_t whole = bits / 8;

    memset(block + CRYPTO_BLOCK_BYTES - whole, 0, whole);
    if (bits % 8 != 0)
        block[CRYPTO_BLOCK_BYTES - whole - 1] &= (uint8_t)(0xFF << bits % 8);
}

int crypto_ctr_begin(struct crypto_stream *stream, const struct crypto_key *key, struct bytes block,
                     unsigned bits, size_t total)
{
    uint64_t blocks = total / CRYPTO_BLOCK_BYTES + (total % CRYPTO_BLOCK_BYTES != 0);
    uint64_t until;
    int r;

    if (block.len != CRYPTO_BLOCK_BYTES || bits < 1 || bits > 128 ||
        (bits < 64 && blocks > UINT64_C(1) << bits))
        return CM_E_INVAL;
    r = cipher_begin(stream, key, CTR, block, true, total);
    if (r < 0)
        return r;
    until = blocks_until_zero(block.data, bits);
    if (until < UINT64_MAX / CRYPTO_BLOCK_BYTES)
        stream->until_wrap = until * CRYPTO_BLOCK_BYTES;
    memcpy(stream->wrapped, block.data, CRYPTO_BLOCK_BYTES);
    zero_low_bits(stream->wrapped, bits);
    return 0;
}

int crypto_gcm_begin(struct crypto_stream *stream, const struct crypto_key *key, struct bytes iv,
                     struct bytes extra, const struct bytes *tag, size_t tag_bytes, size_t total)
{
    bool encrypt = tag == NULL;
    int ignored;
    int r;

    if (tag_bytes > CRYPTO_BLOCK_BYTES || extra.len > INT32_MAX ||
        (tag != NULL && tag->len != tag_bytes))
        return CM_E_INVAL;
    r = cipher_begin(stream, key, GCM, iv, encrypt, total + tag_bytes);
    if (r < 0)
        return r;
    stream->tag_bytes = encrypt ? tag_bytes : 0;
    /* The tag is only read. */
    if (tag != NULL && EVP_CIPHER_CTX_ctrl(stream->cipher, EVP_CTRL_AEAD_SET_TAG, (int)tag->len,
                                           (void *)(uintptr_t)tag->data) != 1)
        return CM_E_INVAL;
    if (extra.len > 0 &&
        EVP_CipherUpdate(stream->cipher, NULL, &ignored, extra.data, (int)extra.len) != 1)
        return CM_E_INVAL;
    return 0;
}

static int cipher_some(struct crypto_stream *stream, const uint8_t *data, size_t len)
{
    int written = 0;
    int r = cm_buf_reserve(&stream->out, len + CRYPTO_BLOCK_BYTES);

    if (r < 0)
        return r;
    if (EVP_CipherUpdate(stream->cipher, cm_buf_tail(&stream->out), &written, data, (int)len) != 1)
        return CM_E_INVAL;
    stream->out.len += (size_t)written;
    return 0;
}

static int cipher_update(struct crypto_stream *stream, struct bytes data)
{
    size_t first = data.len < stream->until_wrap ? data.len : (size_t)stream->until_wrap;
    int r = cipher_some(stream, data.data, first);

    if (stream->until_wrap != UINT64_MAX)
        stream->until_wrap -= first;
    if (r < 0 || first == data.len)
        return r;
    stream->until_wrap = UINT64_MAX;
    if (EVP_CipherInit_ex(stream->cipher, NULL, NULL, NULL, stream->wrapped, 1) != 1)
        return CM_E_INVAL;
    return cipher_some(stream, data.data + first, data.len - first);
}

static int cipher_end(struct crypto_stream *stream)
{
    int written = 0;
    int r = cm_buf_reserve(&stream->out, (size_t)2 * CRYPTO_BLOCK_BYTES);

    if (r < 0)
        return r;
    if (EVP_CipherFinal_ex(stream->cipher, cm_buf_tail(&stream->out), &written) != 1)
        return CM_E_INVAL;
    stream->out.len += (size_t)written;
    if (stream->tag_bytes > 0 &&
        EVP_CIPHER_CTX_ctrl(stream->cipher, EVP_CTRL_AEAD_GET_TAG, (int)stream->tag_bytes,
                            cm_buf_tail(&stream->out)) != 1)
        return CM_E_INVAL;
    stream->out.len += stream->tag_bytes;
    return 0;
}

/* ---- any of them ---- */

int crypto_update(struct crypto_stream *stream, struct bytes data)
{
    int done = 0;

    if (stream == NULL)
        return CM_E_INVAL;
    switch (stream->operation) {
    case NOTHING:
        return CM_E_INVAL;
    case ENCRYPT:
    case DECRYPT:
        return cipher_update(stream, data);
    case DIGEST:
        done = EVP_DigestUpdate(stream->md, data.data, data.len);
        break;
    case HMAC_CODE:
        done = EVP_MAC_update(stream->mac, data.data, data.len);
        break;
    case SIGN:
        done = EVP_DigestSignUpdate(stream->md, data.data, data.len);
        break;
    case VERIFY:
        done = EVP_DigestVerifyUpdate(stream->md, data.data, data.len);
        break;
    }
    return done == 1 ? 0 : CM_E_INVAL;
}

static int code_end(struct crypto_stream *stream)
{
    struct cm_buf *out = &stream->out;
    unsigned digest_bytes = 0;
    int done;

    if (cm_buf_reserve(out, EVP_MAX_MD_SIZE) < 0)
        return CM_E_NOMEM;
    if (stream->operation == DIGEST) {
        done = EVP_DigestFinal_ex(stream->md, out->data, &digest_bytes);
        out->len = digest_bytes;
    } else {
        done = EVP_MAC_final(stream->mac, out->data, &out->len, out->cap);
    }
    return done == 1 ? 0 : CM_E_INVAL;
}

int crypto_end(struct crypto_stream *stream, struct cm_buf **ret_result)
{
    int r = CM_E_INVAL;

    if (stream == NULL)
        return r;
    if (stream->operation == DIGEST || stream->operation == HMAC_CODE)
        r = code_end(stream);
    else if (stream->operation == SIGN)
        r = sign_end(stream);
    else if (stream->operation == ENCRYPT || stream->operation == DECRYPT)
        r = cipher_end(stream);
    stream->operation = NOTHING;
    if (r < 0)
        forget(stream); /* also what was decrypted and does not fit its tag */
    else
        *ret_result = &stream->out;
    return r;
}

int crypto_verify_end(struct crypto_stream *stream, struct bytes signature)
{
    int r = CM_E_INVAL;

    if (stream == NULL)
        return r;
    if (stream->operation == VERIFY) {
        r = verify_end(stream, signature);
    } else if (stream->operation == HMAC_CODE) {
        r = code_end(stream);
        if (r == 0)
            r = stream->out.len == signature.len &&
                CRYPTO_memcmp(stream->out.data, signature.data, signature.len) == 0;
    }
    forget(stream);
    return r;
}

/* ---- the zygote's part ---- */

void crypto_prepare(void)
{
    static const uint8_t zeros[32];
    const struct bytes iv = { zeros, 12 };
    struct crypto_key *key;
    struct cm_buf *result;

    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
    if (crypto_secret_new((struct bytes){ zeros, sizeof(zeros) }, &key) < 0)
        return; /* the first operation does it then */
    if (crypto_digest_begin(crypto_stream(), "SHA-256") == 0)
        crypto_end(crypto_stream(), &result);
    if (crypto_hmac_begin(crypto_stream(), key, "SHA-256") == 0)
        crypto_end(crypto_stream(), &result);
    if (crypto_gcm_begin(crypto_stream(), key, iv, (struct bytes){ NULL, 0 }, NULL,
                         CRYPTO_BLOCK_BYTES, 0) == 0)
        crypto_end(crypto_stream(), &result);
    crypto_key_free(key);
}
