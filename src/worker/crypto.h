/*
 * The primitives of Web Cryptography over OpenSSL's libcrypto. Knows nothing of
 * the engine: bytes in, bytes out. Which algorithm may do what with which key is
 * runtime/surface/subtle.js' business; that an operation gets a key of its own
 * kind is checked here.
 *
 * Functions return 0, CM_E_NOMEM, or CM_E_INVAL where the data or the key does
 * not do. Results are appended to `to`, which is as it was on failure.
 */
#ifndef CM_WORKER_CRYPTO_H
#define CM_WORKER_CRYPTO_H

#include "base/buf.h"

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    const uint8_t *data;
    size_t len;
};

enum { CRYPTO_RSA_BITS_MAX = 16384, CRYPTO_BLOCK_BYTES = 16 };

/* Loads what the first operations of a process need, from no file. In the zygote,
 * so that workers inherit it. Draws nothing random: each worker seeds its own
 * generator from the kernel, on first use. */
void crypto_prepare(void);

/* ---- keys ---- */

/* A secret, or a key pair or public key. */
struct crypto_key {
    EVP_PKEY *pkey; /* NULL: a secret */
    uint8_t *secret;
    size_t secret_bytes;
};

enum crypto_der { CRYPTO_SPKI, CRYPTO_PKCS8 };

/* Parts of an RSA key, big-endian; those that are missing have no bytes. */
enum crypto_rsa_part {
    CRYPTO_RSA_N,
    CRYPTO_RSA_E,
    CRYPTO_RSA_D,
    CRYPTO_RSA_P,
    CRYPTO_RSA_Q,
    CRYPTO_RSA_DP,
    CRYPTO_RSA_DQ,
    CRYPTO_RSA_QI,
    CRYPTO_RSA_PARTS
};

/* NULL may be freed. */
void crypto_key_free(struct crypto_key *key);

/* New keys are the caller's (crypto_key_free()). `kind` is "RSA" or the name of a
 * curve as WebCrypto has it: "P-256", "Ed25519", "X448". */
int crypto_secret_new(struct bytes secret, struct crypto_key **ret_key);
int crypto_secret_generate(size_t bytes, struct crypto_key **ret_key);
int crypto_rsa_generate(unsigned bits, struct bytes exponent, struct crypto_key **ret_key);
int crypto_curve_generate(const char *curve, struct crypto_key **ret_key);
int crypto_der_import(const char *kind, enum crypto_der format, struct bytes der,
                      struct crypto_key **ret_key);
int crypto_rsa_import(const struct bytes parts[CRYPTO_RSA_PARTS], struct crypto_key **ret_key);

/* `point`: of P curves as SEC 1 has it, else the raw public key. With `secret` it
 * is a key pair whose halves must belong together. */
int crypto_curve_import(const char *curve, struct bytes point, const struct bytes *secret,
                        struct crypto_key **ret_key);

int crypto_der_export(const struct crypto_key *key, enum crypto_der format, struct cm_buf *to);

/* The public key of a curve as crypto_curve_import() takes it. */
int crypto_point_export(const struct crypto_key *key, struct cm_buf *to);

/* The part of a key that JSON Web Keys call `name` ("n", "d", "qi", "x"), of
 * curves in the full length. */
int crypto_part_export(const struct crypto_key *key, const char *name, struct cm_buf *to);

/* ---- operations on data that comes in pieces ---- */

enum crypto_scheme { CRYPTO_PKCS1, CRYPTO_PSS, CRYPTO_ECDSA };

struct crypto_stream;

/* The only one of the process; NULL without memory. */
struct crypto_stream *crypto_stream(void);

/* Each begins an operation and forgets the one before. `hash` is a name as
 * WebCrypto has it: "SHA-256". */
int crypto_digest_begin(struct crypto_stream *stream, const char *hash);
int crypto_hmac_begin(struct crypto_stream *stream, const struct crypto_key *key, const char *hash);
int crypto_sign_begin(struct crypto_stream *stream, const struct crypto_key *key,
                      enum crypto_scheme scheme, const char *hash, int salt_bytes, bool verify);

/* `total`: how many bytes will come. */
int crypto_cbc_begin(struct crypto_stream *stream, const struct crypto_key *key, struct bytes iv,
                     bool encrypt, size_t total);

/* The low `bits` (1 to 128) of the block are the counter. CM_E_INVAL also when it
 * would come round to a value that it had. */
int crypto_ctr_begin(struct crypto_stream *stream, const struct crypto_key *key, struct bytes block,
                     unsigned bits, size_t total);

/* Encrypts and appends a tag of tag_bytes, or decrypts what `tag` belongs to. */
int crypto_gcm_begin(struct crypto_stream *stream, const struct crypto_key *key, struct bytes iv,
                     struct bytes extra, const struct bytes *tag, size_t tag_bytes, size_t total);

int crypto_update(struct crypto_stream *stream, struct bytes data);

/* Digest, code, signature, or what was encrypted or decrypted; *ret_result has
 * it until the next begin, and may be emptied. */
int crypto_end(struct crypto_stream *stream, struct cm_buf **ret_result);

/* Ends an operation that verifies, or compares a message authentication code with
 * `signature`. 1: it is the right one. */
int crypto_verify_end(struct crypto_stream *stream, struct bytes signature);

/* ---- operations on data at once ---- */

int crypto_oaep(const struct crypto_key *key, const char *hash, struct bytes label,
                struct bytes data, bool encrypt, struct cm_buf *to);
int crypto_edwards_sign(const struct crypto_key *key, struct bytes data, struct cm_buf *to);

/* 1: it is the right signature; 0: it is not. */
int crypto_edwards_verify(const struct crypto_key *key, struct bytes signature, struct bytes data);

/* AES-KW. */
int crypto_wrap(const struct crypto_key *key, struct bytes data, bool wrap, struct cm_buf *to);

int crypto_agree(const struct crypto_key *ours, const struct crypto_key *theirs, struct cm_buf *to);
int crypto_hkdf(const struct crypto_key *key, const char *hash, struct bytes salt,
                struct bytes info, size_t bytes, struct cm_buf *to);
int crypto_pbkdf2(const struct crypto_key *key, const char *hash, struct bytes salt,
                  unsigned iterations, size_t bytes, struct cm_buf *to);

/* ---- shared by the crypto_*.c ---- */

/* "SHA-256"; NULL for another name. */
const EVP_MD *crypto_hash(const char *name);

#define CRYPTO_CLEANUP(type, release)                   \
    static inline void crypto_cleanup_##type(type **of) \
    {                                                   \
        release(*of);                                   \
    }
CRYPTO_CLEANUP(EVP_PKEY_CTX, EVP_PKEY_CTX_free)
CRYPTO_CLEANUP(EVP_MD_CTX, EVP_MD_CTX_free)
CRYPTO_CLEANUP(EVP_CIPHER_CTX, EVP_CIPHER_CTX_free)

/* CRYPTO_AUTO(EVP_PKEY_CTX) ctx = NULL; is freed when its scope ends. */
#define CRYPTO_AUTO(type) __attribute__((cleanup(crypto_cleanup_##type))) type *

#endif
