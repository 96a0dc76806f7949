/* What runtime/surface/crypto.js calls in C. Runs in a worker, in the middle of
 * the program: keys are objects of ours, names and parameters come from the chunk,
 * bytes are the program's. A function gives undefined where the data, the key or a
 * parameter does not do. */
#include "worker/crypto.h"

#include "base/cleanup.h"
#include "codemode/executor.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"
#include "worker/random.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 32 };

/* ---- arguments and results ---- */

static void finalize_key(JSObjectRef object)
{
    crypto_key_free(JSObjectGetPrivate(object));
}

static JSClassRef key_class(void)
{
    static JSClassRef class;

    if (class == NULL)
        class = natives_class(finalize_key);
    return class;
}

static const struct crypto_key no_key;

/* Argument i; a key that no operation takes when it is something else. */
static const struct crypto_key *key_at(const struct args *args, size_t i)
{
    const struct crypto_key *key = natives_held(args, i, key_class());

    return key == NULL ? &no_key : key;
}

/* No bytes where argument i is undefined. */
static struct bytes bytes_at(const struct args *args, size_t i)
{
    struct bytes bytes = { NULL, 0 };

    natives_bytes_at(args, i, &bytes.data, &bytes.len);
    return bytes;
}

static bool flag_at(const struct args *args, size_t i)
{
    return i < args->count && JSValueToBoolean(args->ctx, args->values[i]);
}

struct name {
    char text[NAME_MAX_BYTES];
};

static struct name name_at(const struct args *args, size_t i)
{
    struct name name = { "" };

    natives_name(args, i, name.text, sizeof(name.text));
    return name;
}

/* The queue of errors that OpenSSL keeps has nothing that anyone reads. */
static JSValueRef failed(const struct args *args, int r)
{
    ERR_clear_error();
    return r == CM_E_NOMEM ? natives_out_of_memory(args) : JSValueMakeUndefined(args->ctx);
}

/* Takes *key, which is set where r is 0. */
static JSValueRef give_key(const struct args *args, int r, struct crypto_key **key)
{
    return r < 0 ? failed(args, r) : natives_hold(args, key_class(), *key);
}

/* Takes what is in `result`. */
static JSValueRef give_buffer(const struct args *args, int r, struct cm_buf *result)
{
    if (r == 0)
        return natives_give(args, result, true);
    cm_buf_done(result);
    return failed(args, r);
}

static JSValueRef give_bool(const struct args *args, int r)
{
    ERR_clear_error(); /* a wrong signature leaves its reason there */
    return r < 0 ? failed(args, r) : JSValueMakeBoolean(args->ctx, r);
}

/* true, or undefined */
static JSValueRef give_done(const struct args *args, int r)
{
    return r < 0 ? failed(args, r) : JSValueMakeBoolean(args->ctx, true);
}

/* ---- random ---- */

/* random(bytes): fills that much of the window */
static JSValueRef native_random(const struct args *args)
{
    random_fill(bytes_window, natives_size(args, 0, WINDOW_BYTES));
    return JSValueMakeUndefined(args->ctx);
}

/* uuid(): of version 4 */
static JSValueRef native_uuid(const struct args *args)
{
    uint8_t b[16];
    char text[40];

    random_fill(b, sizeof(b));
    b[6] = (uint8_t)(0x40 | (b[6] & 0x0F));
    b[8] = (uint8_t)(0x80 | (b[8] & 0x3F));
    snprintf(text, sizeof(text),
             "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
             b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
             b[15]);
    return natives_string(args->ctx, text);
}

/* ---- keys ---- */

/* secret(bytes) */
static JSValueRef native_secret(const struct args *args)
{
    struct crypto_key *key;

    return give_key(args, crypto_secret_new(bytes_at(args, 0), &key), &key);
}

/* generateSecret(bytes) */
static JSValueRef native_generate_secret(const struct args *args)
{
    struct crypto_key *key;

    return give_key(args, crypto_secret_generate(natives_size(args, 0, UINT32_MAX), &key), &key);
}

/* generateRsa(bits, publicExponent) */
static JSValueRef native_generate_rsa(const struct args *args)
{
    unsigned bits = (unsigned)natives_size(args, 0, CRYPTO_RSA_BITS_MAX);
    struct crypto_key *key;

    return give_key(args, crypto_rsa_generate(bits, bytes_at(args, 1), &key), &key);
}

/* generateCurve(curve) */
static JSValueRef native_generate_curve(const struct args *args)
{
    struct crypto_key *key;

    return give_key(args, crypto_curve_generate(name_at(args, 0).text, &key), &key);
}

/* importDer(kind, isPrivate, bytes) */
static JSValueRef native_import_der(const struct args *args)
{
    enum crypto_der format = flag_at(args, 1) ? CRYPTO_PKCS8 : CRYPTO_SPKI;
    struct crypto_key *key;

    return give_key(args, crypto_der_import(name_at(args, 0).text, format, bytes_at(args, 2), &key),
                    &key);
}

/* importRsa(n, e, d, p, q, dp, dq, qi): those after e may be missing */
static JSValueRef native_import_rsa(const struct args *args)
{
    struct bytes parts[CRYPTO_RSA_PARTS];
    struct crypto_key *key;

    for (size_t i = 0; i < CRYPTO_RSA_PARTS; i++)
        parts[i] = bytes_at(args, i);
    return give_key(args, crypto_rsa_import(parts, &key), &key);
}

/* importCurve(curve, point, secret): secret may be undefined */
static JSValueRef native_import_curve(const struct args *args)
{
    struct bytes secret = bytes_at(args, 2);
    bool is_pair = args->count > 2 && !JSValueIsUndefined(args->ctx, args->values[2]);
    struct crypto_key *key;

    return give_key(args,
                    crypto_curve_import(name_at(args, 0).text, bytes_at(args, 1),
                                        is_pair ? &secret : NULL, &key),
                    &key);
}

/* exportDer(key, isPrivate) */
static JSValueRef native_export_der(const struct args *args)
{
    enum crypto_der format = flag_at(args, 1) ? CRYPTO_PKCS8 : CRYPTO_SPKI;
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args, crypto_der_export(key_at(args, 0), format, &result), &result);
}

/* exportPoint(key) */
static JSValueRef native_export_point(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args, crypto_point_export(key_at(args, 0), &result), &result);
}

/* exportPart(key, name) */
static JSValueRef native_export_part(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args, crypto_part_export(key_at(args, 0), name_at(args, 1).text, &result),
                       &result);
}

/* exportSecret(key) */
static JSValueRef native_export_secret(const struct args *args)
{
    const struct crypto_key *key = key_at(args, 0);
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args, cm_buf_append(&result, key->secret, key->secret_bytes), &result);
}

/* bits(key): of an RSA modulus or a secret */
static JSValueRef native_bits(const struct args *args)
{
    const struct crypto_key *key = key_at(args, 0);
    double bits = key->pkey != NULL ? EVP_PKEY_get_bits(key->pkey) : (double)key->secret_bytes * 8;

    return JSValueMakeNumber(args->ctx, bits);
}

/* ---- data in pieces: one of the first, update() for each window, one of the last.
 * No code of a program runs in between. ---- */

/* digest(hash) */
static JSValueRef native_digest(const struct args *args)
{
    return give_done(args, crypto_digest_begin(crypto_stream(), name_at(args, 0).text));
}

/* hmac(key, hash) */
static JSValueRef native_hmac(const struct args *args)
{
    return give_done(args,
                     crypto_hmac_begin(crypto_stream(), key_at(args, 0), name_at(args, 1).text));
}

/* sign(key, scheme, hash, saltLength, verify) */
static JSValueRef native_sign(const struct args *args)
{
    struct name scheme = name_at(args, 1);
    enum crypto_scheme number = strcmp(scheme.text, "ECDSA") == 0     ? CRYPTO_ECDSA
                                : strcmp(scheme.text, "RSA-PSS") == 0 ? CRYPTO_PSS
                                                                      : CRYPTO_PKCS1;

    return give_done(
        args, crypto_sign_begin(crypto_stream(), key_at(args, 0), number, name_at(args, 2).text,
                                (int)natives_size(args, 3, INT32_MAX), flag_at(args, 4)));
}

/* cbc(key, iv, encrypt, total) */
static JSValueRef native_cbc(const struct args *args)
{
    return give_done(args, crypto_cbc_begin(crypto_stream(), key_at(args, 0), bytes_at(args, 1),
                                            flag_at(args, 2), natives_size(args, 3, UINT32_MAX)));
}

/* ctr(key, block, bits, total) */
static JSValueRef native_ctr(const struct args *args)
{
    return give_done(args, crypto_ctr_begin(crypto_stream(), key_at(args, 0), bytes_at(args, 1),
                                            (unsigned)natives_size(args, 2, 128),
                                            natives_size(args, 3, UINT32_MAX)));
}

/* gcm(key, iv, additionalData, tagBytes, total, tag): with a tag it decrypts */
static JSValueRef native_gcm(const struct args *args)
{
    struct bytes tag = bytes_at(args, 5);

    return give_done(args, crypto_gcm_begin(crypto_stream(), key_at(args, 0), bytes_at(args, 1),
                                            bytes_at(args, 2), tag.data == NULL ? NULL : &tag,
                                            natives_size(args, 3, CRYPTO_BLOCK_BYTES),
                                            natives_size(args, 4, UINT32_MAX)));
}

/* update(bytes): that many of the window */
static JSValueRef native_update(const struct args *args)
{
    struct bytes data = { bytes_window, natives_size(args, 0, WINDOW_BYTES) };

    return give_done(args, crypto_update(crypto_stream(), data));
}

/* end() */
static JSValueRef native_end(const struct args *args)
{
    struct cm_buf *result;
    int r = crypto_end(crypto_stream(), &result);

    return r < 0 ? failed(args, r) : natives_give(args, result, true);
}

/* endVerify(signature) */
static JSValueRef native_end_verify(const struct args *args)
{
    return give_bool(args, crypto_verify_end(crypto_stream(), bytes_at(args, 0)));
}

/* ---- data at once ---- */

/* oaep(key, hash, label, data, encrypt) */
static JSValueRef native_oaep(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args,
                       crypto_oaep(key_at(args, 0), name_at(args, 1).text, bytes_at(args, 2),
                                   bytes_at(args, 3), flag_at(args, 4), &result),
                       &result);
}

/* edwardsSign(key, data) */
static JSValueRef native_edwards_sign(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args, crypto_edwards_sign(key_at(args, 0), bytes_at(args, 1), &result),
                       &result);
}

/* edwardsVerify(key, signature, data) */
static JSValueRef native_edwards_verify(const struct args *args)
{
    return give_bool(args,
                     crypto_edwards_verify(key_at(args, 0), bytes_at(args, 1), bytes_at(args, 2)));
}

/* wrap(key, data, wrap) */
static JSValueRef native_wrap(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(
        args, crypto_wrap(key_at(args, 0), bytes_at(args, 1), flag_at(args, 2), &result), &result);
}

/* agree(ours, theirs) */
static JSValueRef native_agree(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args, crypto_agree(key_at(args, 0), key_at(args, 1), &result), &result);
}

/* hkdf(key, hash, salt, info, bytes) */
static JSValueRef native_hkdf(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args,
                       crypto_hkdf(key_at(args, 0), name_at(args, 1).text, bytes_at(args, 2),
                                   bytes_at(args, 3), natives_size(args, 4, UINT32_MAX), &result),
                       &result);
}

/* pbkdf2(key, hash, salt, iterations, bytes) */
static JSValueRef native_pbkdf2(const struct args *args)
{
    struct cm_buf result;

    cm_buf_init(&result, SIZE_MAX);
    return give_buffer(args,
                       crypto_pbkdf2(key_at(args, 0), name_at(args, 1).text, bytes_at(args, 2),
                                     (unsigned)natives_size(args, 3, UINT32_MAX),
                                     natives_size(args, 4, UINT32_MAX), &result),
                       &result);
}

/* ---- the family ---- */

#define CRYPTO(X)                             \
    X(random, native_random)                  \
    X(uuid, native_uuid)                      \
    X(secret, native_secret)                  \
    X(generateSecret, native_generate_secret) \
    X(generateRsa, native_generate_rsa)       \
    X(generateCurve, native_generate_curve)   \
    X(importDer, native_import_der)           \
    X(importRsa, native_import_rsa)           \
    X(importCurve, native_import_curve)       \
    X(exportDer, native_export_der)           \
    X(exportPoint, native_export_point)       \
    X(exportPart, native_export_part)         \
    X(exportSecret, native_export_secret)     \
    X(bits, native_bits)                      \
    X(digest, native_digest)                  \
    X(hmac, native_hmac)                      \
    X(sign, native_sign)                      \
    X(cbc, native_cbc)                        \
    X(ctr, native_ctr)                        \
    X(gcm, native_gcm)                        \
    X(update, native_update)                  \
    X(end, native_end)                        \
    X(endVerify, native_end_verify)           \
    X(oaep, native_oaep)                      \
    X(edwardsSign, native_edwards_sign)       \
    X(edwardsVerify, native_edwards_verify)   \
    X(wrap, native_wrap)                      \
    X(agree, native_agree)                    \
    X(hkdf, native_hkdf)                      \
    X(pbkdf2, native_pbkdf2)
CRYPTO(NATIVE_CALLBACK)

static const struct native_row crypto_rows[] = { CRYPTO(NATIVE_ROW) };
const struct native_family natives_crypto = { "crypto", crypto_rows, CM_ARRAY_LEN(crypto_rows), 0 };
