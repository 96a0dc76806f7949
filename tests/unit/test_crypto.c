/* The primitives of Web Cryptography: one published vector each, what must be
 * refused, and keys that are not ones. */
#include "worker/crypto.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 512 };

/* ---- help ---- */

/* Bytes of a text of hexadecimal digits. */
struct hex {
    uint8_t data[ROOM];
    size_t len;
};

static struct hex hex(const char *text)
{
    struct hex hex = { { 0 }, strlen(text) / 2 };

    for (size_t i = 0; i < hex.len; i++)
        assert_int_equal(sscanf(text + 2 * i, "%2hhx", &hex.data[i]), 1);
    return hex;
}

#define BYTES(of)  ((struct bytes){ (of).data, (of).len })
#define TEXT(text) ((struct bytes){ (const uint8_t *)(text), sizeof(text) - 1 })
#define NO_BYTES   ((struct bytes){ NULL, 0 })

static void is_hex(const struct cm_buf *buf, const char *expected)
{
    char text[2 * ROOM + 1] = "";

    assert_true(buf->len <= ROOM);
    for (size_t i = 0; i < buf->len; i++)
        snprintf(text + 2 * i, 3, "%02x", cm_buf_bytes(buf)[i]);
    assert_string_equal(text, expected);
}

static struct crypto_key *secret(const char *text)
{
    struct crypto_key *key = NULL;
    struct hex bytes = hex(text);

    assert_int_equal(crypto_secret_new(BYTES(bytes), &key), 0);
    return key;
}

static struct crypto_key *pair(const char *curve)
{
    struct crypto_key *key = NULL;

    assert_int_equal(crypto_curve_generate(curve, &key), 0);
    return key;
}

/* Feeds the stream `step` bytes at a time. */
static void feed(struct bytes data, size_t step)
{
    for (size_t at = 0; at < data.len; at += step) {
        size_t left = data.len - at;
        struct bytes piece = { data.data + at, left < step ? left : step };

        assert_int_equal(crypto_update(crypto_stream(), piece), 0);
    }
}

static void gives_hex(const char *expected)
{
    struct cm_buf *result = NULL;

    assert_int_equal(crypto_end(crypto_stream(), &result), 0);
    is_hex(result, expected);
}

static struct cm_buf buffer(void)
{
    struct cm_buf buf;

    cm_buf_init(&buf, SIZE_MAX);
    return buf;
}

/* ---- in pieces ---- */

static void a_digest_is_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (size_t step = 1; step <= 3; step++) {
        assert_int_equal(crypto_digest_begin(crypto_stream(), "SHA-256"), 0);
        feed(TEXT("abc"), step);
        gives_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
    assert_int_equal(crypto_digest_begin(crypto_stream(), "MD5"), CM_E_INVAL);
}

static void a_code_is_that_of_rfc_4231_and_no_other(void **state)
{
    struct crypto_key *key = secret("4a656665");
    struct hex right = hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");

    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        assert_int_equal(crypto_hmac_begin(crypto_stream(), key, "SHA-256"), 0);
        feed(TEXT("what do ya want for nothing?"), 5);
        right.data[31] ^= (uint8_t)wrong;
        assert_int_equal(crypto_verify_end(crypto_stream(), BYTES(right)), !wrong);
    }
    crypto_key_free(key);
}

static void what_does_not_fit_its_tag_is_not_given_out(void **state)
{
    struct crypto_key *key = secret("00000000000000000000000000000000");
    struct hex iv = hex("000000000000000000000000");
    struct hex text = hex("0388dace60b6a392f328c2b971b2fe78");
    struct hex tag = hex("ab6e47d42cec13bdf53a67b21257bddf");
    struct bytes tag_bytes = BYTES(tag);
    struct cm_buf *result = NULL;

    (void)state;
    assert_int_equal(
        crypto_gcm_begin(crypto_stream(), key, BYTES(iv), NO_BYTES, &tag_bytes, 16, 16), 0);
    feed(BYTES(text), 7);
    gives_hex("00000000000000000000000000000000");
    tag.data[0] ^= 1;
    assert_int_equal(
        crypto_gcm_begin(crypto_stream(), key, BYTES(iv), NO_BYTES, &tag_bytes, 16, 16), 0);
    feed(BYTES(text), 7);
    assert_int_equal(crypto_end(crypto_stream(), &result), CM_E_INVAL);
    assert_null(result);
    crypto_key_free(key);
}

static void gcm_encrypts_as_nist_says(void **state)
{
    struct crypto_key *key = secret("00000000000000000000000000000000");
    struct hex zeros = hex("00000000000000000000000000000000");

    (void)state;
    assert_int_equal(crypto_gcm_begin(crypto_stream(), key, (struct bytes){ zeros.data, 12 },
                                      NO_BYTES, NULL, 16, 16),
                     0);
    feed(BYTES(zeros), 16);
    gives_hex("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf");
    crypto_key_free(key);
}

/* Four blocks from counter 254 of 8 bits: those of 254 and 255, and then of 0 and 1,
 * with the rest of the block as it was. */
static void a_counter_comes_round_within_its_bits(void **state)
{
    struct crypto_key *key = secret("000102030405060708090a0b0c0d0e0f");
    struct hex block = hex("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaafe");
    uint8_t zeros[64] = { 0 };
    uint8_t apart[64];
    struct cm_buf *result = NULL;

    (void)state;
    for (int half = 0; half < 2; half++) {
        block.data[15] = half == 0 ? 0xFE : 0;
        assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), 128, 32), 0);
        feed((struct bytes){ zeros, 32 }, 32);
        assert_int_equal(crypto_end(crypto_stream(), &result), 0);
        memcpy(apart + 32 * half, result->data, 32);
    }
    block.data[15] = 0xFE;
    for (size_t step = 1; step <= 64; step++) {
        assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), 8, 64), 0);
        feed((struct bytes){ zeros, 64 }, step);
        assert_int_equal(crypto_end(crypto_stream(), &result), 0);
        assert_int_equal(result->len, 64);
        assert_memory_equal(result->data, apart, 64);
    }
    crypto_key_free(key);
}

static void a_counter_that_would_be_used_twice_is_refused(void **state)
{
    struct crypto_key *key = secret("000102030405060708090a0b0c0d0e0f");
    struct hex block = hex("ffffffffffffffffffffffffffffffff");

    (void)state;
    assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), 1, 32), 0);
    assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), 1, 33), CM_E_INVAL);
    assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), 0, 1), CM_E_INVAL);
    assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), 129, 1), CM_E_INVAL);
    for (unsigned bits = 1; bits <= 128; bits++)
        assert_int_equal(crypto_ctr_begin(crypto_stream(), key, BYTES(block), bits, 16), 0);
    crypto_key_free(key);
}

static void cbc_refuses_what_is_not_padded(void **state)
{
    struct crypto_key *key = secret("000102030405060708090a0b0c0d0e0f");
    struct hex iv = hex("00000000000000000000000000000000");
    struct cm_buf *result = NULL;

    (void)state;
    assert_int_equal(crypto_cbc_begin(crypto_stream(), key, BYTES(iv), false, 15), 0);
    feed((struct bytes){ iv.data, 15 }, 4);
    assert_int_equal(crypto_end(crypto_stream(), &result), CM_E_INVAL);
    assert_int_equal(crypto_cbc_begin(crypto_stream(), key, (struct bytes){ iv.data, 15 }, true, 0),
                     CM_E_INVAL);
    crypto_key_free(key);
}

static void a_stream_that_was_not_begun_does_nothing(void **state)
{
    struct cm_buf *result = NULL;

    (void)state;
    assert_int_equal(crypto_digest_begin(crypto_stream(), "none"), CM_E_INVAL);
    assert_int_equal(crypto_update(crypto_stream(), TEXT("x")), CM_E_INVAL);
    assert_int_equal(crypto_end(crypto_stream(), &result), CM_E_INVAL);
    assert_int_equal(crypto_verify_end(crypto_stream(), TEXT("x")), CM_E_INVAL);
}

/* ---- signatures ---- */

static void a_signature_of_a_p_curve_is_two_numbers_of_full_length(void **state)
{
    static const struct {
        const char *curve;
        size_t bytes;
    } rows[] = { { "P-256", 64 }, { "P-384", 96 }, { "P-521", 132 } };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct crypto_key *key = pair(rows[i].curve);
        struct cm_buf *result = NULL;
        uint8_t signature[132];

        assert_int_equal(crypto_sign_begin(crypto_stream(), key, CRYPTO_ECDSA, "SHA-256", 0, false),
                         0);
        feed(TEXT("text"), 3);
        assert_int_equal(crypto_end(crypto_stream(), &result), 0);
        assert_int_equal(result->len, rows[i].bytes);
        memcpy(signature, result->data, result->len);
        for (size_t len = 0; len <= rows[i].bytes; len++) {
            assert_int_equal(
                crypto_sign_begin(crypto_stream(), key, CRYPTO_ECDSA, "SHA-256", 0, true), 0);
            feed(TEXT("text"), 4);
            assert_int_equal(crypto_verify_end(crypto_stream(), (struct bytes){ signature, len }),
                             len == rows[i].bytes);
        }
        crypto_key_free(key);
    }
}

static void edwards_signs_as_rfc_8032_says(void **state)
{
    struct hex seed = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    struct hex point = hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    struct bytes seed_bytes = BYTES(seed);
    struct crypto_key *key = NULL;
    struct cm_buf to = buffer();

    (void)state;
    assert_int_equal(crypto_curve_import("Ed25519", BYTES(point), &seed_bytes, &key), 0);
    assert_int_equal(crypto_edwards_sign(key, NO_BYTES, &to), 0);
    is_hex(&to, "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
    assert_int_equal(crypto_edwards_verify(key, (struct bytes){ to.data, to.len }, NO_BYTES), 1);
    to.data[63] ^= 1;
    assert_int_equal(crypto_edwards_verify(key, (struct bytes){ to.data, to.len }, NO_BYTES), 0);
    cm_buf_done(&to);
    crypto_key_free(key);
}

/* With the neutral element as key and R, and 0 as S, any message would verify. */
static void a_key_of_small_order_verifies_nothing(void **state)
{
    uint8_t signature[64] = { 1 };
    struct crypto_key *key = NULL;

    (void)state;
    assert_int_equal(crypto_curve_import("Ed25519", (struct bytes){ signature, 32 }, NULL, &key),
                     0);
    assert_int_equal(
        crypto_edwards_verify(key, (struct bytes){ signature, sizeof(signature) }, TEXT("any")), 0);
    crypto_key_free(key);
}

/* ---- wrapping, derivation ---- */

static void a_key_is_wrapped_as_rfc_3394_says(void **state)
{
    struct crypto_key *key = secret("000102030405060708090a0b0c0d0e0f");
    struct hex data = hex("00112233445566778899aabbccddeeff");
    struct cm_buf to = buffer();
    struct cm_buf back = buffer();

    (void)state;
    assert_int_equal(crypto_wrap(key, BYTES(data), true, &to), 0);
    is_hex(&to, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5");
    assert_int_equal(crypto_wrap(key, (struct bytes){ to.data, to.len }, false, &back), 0);
    is_hex(&back, "00112233445566778899aabbccddeeff");
    to.data[0] ^= 1;
    assert_int_equal(crypto_wrap(key, (struct bytes){ to.data, to.len }, false, &back), CM_E_INVAL);
    for (size_t len = 0; len < 16; len++)
        assert_int_equal(crypto_wrap(key, (struct bytes){ data.data, len }, true, &to), CM_E_INVAL);
    cm_buf_done(&to);
    cm_buf_done(&back);
    crypto_key_free(key);
}

static void bytes_are_derived_as_rfc_5869_and_6070_say(void **state)
{
    struct crypto_key *ikm = secret("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b");
    struct crypto_key *password = secret("70617373776f7264");
    struct hex salt = hex("000102030405060708090a0b0c");
    struct hex info = hex("f0f1f2f3f4f5f6f7f8f9");
    struct cm_buf hkdf = buffer();
    struct cm_buf pbkdf2 = buffer();

    (void)state;
    assert_int_equal(crypto_hkdf(ikm, "SHA-256", BYTES(salt), BYTES(info), 42, &hkdf), 0);
    is_hex(&hkdf,
           "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    assert_int_equal(crypto_hkdf(ikm, "SHA-256", NO_BYTES, NO_BYTES, 256 * 32, &hkdf), CM_E_INVAL);
    assert_int_equal(crypto_pbkdf2(password, "SHA-1", TEXT("salt"), 2, 20, &pbkdf2), 0);
    is_hex(&pbkdf2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957");
    assert_int_equal(crypto_pbkdf2(password, "SHA-1", TEXT("salt"), 0, 20, &pbkdf2), CM_E_INVAL);
    cm_buf_done(&hkdf);
    cm_buf_done(&pbkdf2);
    crypto_key_free(ikm);
    crypto_key_free(password);
}

static void two_keys_agree_and_a_zero_point_agrees_with_none(void **state)
{
    static const char *const curves[] = { "P-256", "P-384", "P-521", "X25519", "X448" };
    static const uint8_t zeros[32];

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(curves); i++) {
        struct crypto_key *one = pair(curves[i]);
        struct crypto_key *other = pair(curves[i]);
        struct cm_buf ours = buffer();
        struct cm_buf theirs = buffer();

        assert_int_equal(crypto_agree(one, other, &ours), 0);
        assert_int_equal(crypto_agree(other, one, &theirs), 0);
        assert_int_equal(ours.len, theirs.len);
        assert_memory_equal(ours.data, theirs.data, ours.len);
        crypto_key_free(other);
        if (strcmp(curves[i], "X25519") == 0) {
            assert_int_equal(
                crypto_curve_import("X25519", (struct bytes){ zeros, 32 }, NULL, &other), 0);
            assert_int_equal(crypto_agree(one, other, &ours), CM_E_INVAL);
            crypto_key_free(other);
        }
        cm_buf_done(&ours);
        cm_buf_done(&theirs);
        crypto_key_free(one);
    }
}

/* ---- keys ---- */

static void a_key_that_is_exported_comes_back(void **state)
{
    static const char *const curves[] = { "P-256", "P-384",  "P-521", "Ed25519",
                                          "Ed448", "X25519", "X448" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(curves); i++) {
        struct crypto_key *key = pair(curves[i]);

        for (enum crypto_der format = CRYPTO_SPKI; format <= CRYPTO_PKCS8; format++) {
            struct crypto_key *back = NULL;
            struct cm_buf der = buffer();
            struct cm_buf point = buffer();
            struct cm_buf point_back = buffer();

            assert_int_equal(crypto_der_export(key, format, &der), 0);
            assert_int_equal(
                crypto_der_import(curves[i], format, (struct bytes){ der.data, der.len }, &back),
                0);
            assert_int_equal(crypto_point_export(key, &point), 0);
            assert_int_equal(crypto_point_export(back, &point_back), 0);
            assert_int_equal(point.len, point_back.len);
            assert_memory_equal(point.data, point_back.data, point.len);
            crypto_key_free(back);
            cm_buf_done(&der);
            cm_buf_done(&point);
            cm_buf_done(&point_back);
        }
        crypto_key_free(key);
    }
}

/* Every byte changed, every length short of it, and one more byte. What is taken
 * all the same must be a key that can be used. */
static void bytes_that_are_no_key_are_refused(void **state)
{
    static const char *const curves[] = { "P-256", "Ed25519" };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(curves); i++) {
        struct crypto_key *key = pair(curves[i]);

        for (enum crypto_der format = CRYPTO_SPKI; format <= CRYPTO_PKCS8; format++) {
            struct cm_buf der = buffer();
            struct crypto_key *back = NULL;

            assert_int_equal(crypto_der_export(key, format, &der), 0);
            assert_int_equal(cm_buf_append(&der, "", 1), 0);
            for (size_t len = 0; len <= der.len; len++)
                if (len != der.len - 1)
                    assert_int_equal(crypto_der_import(curves[i], format,
                                                       (struct bytes){ der.data, len }, &back),
                                     CM_E_INVAL);
            for (size_t at = 0; at < der.len - 1; at++) {
                struct cm_buf out = buffer();

                der.data[at] ^= 0x55;
                if (crypto_der_import(curves[i], format, (struct bytes){ der.data, der.len - 1 },
                                      &back) == 0) {
                    assert_int_equal(crypto_point_export(back, &out), 0);
                    crypto_key_free(back);
                }
                der.data[at] ^= 0x55;
                cm_buf_done(&out);
            }
            cm_buf_done(&der);
        }
        crypto_key_free(key);
    }
}

static void a_key_of_another_curve_or_off_the_curve_is_refused(void **state)
{
    struct crypto_key *key = pair("P-256");
    struct crypto_key *back = NULL;
    struct cm_buf der = buffer();
    struct cm_buf point = buffer();
    struct cm_buf part = buffer();
    struct bytes secret_bytes;

    (void)state;
    assert_int_equal(crypto_der_export(key, CRYPTO_SPKI, &der), 0);
    assert_int_equal(
        crypto_der_import("P-384", CRYPTO_SPKI, (struct bytes){ der.data, der.len }, &back),
        CM_E_INVAL);
    assert_int_equal(
        crypto_der_import("RSA", CRYPTO_SPKI, (struct bytes){ der.data, der.len }, &back),
        CM_E_INVAL);
    assert_int_equal(crypto_point_export(key, &point), 0);
    assert_int_equal(crypto_part_export(key, "d", &part), 0);
    secret_bytes = (struct bytes){ part.data, part.len };
    assert_int_equal(
        crypto_curve_import("P-256", (struct bytes){ point.data, point.len }, &secret_bytes, &back),
        0);
    crypto_key_free(back);
    part.data[31] ^= 1;
    assert_int_equal(
        crypto_curve_import("P-256", (struct bytes){ point.data, point.len }, &secret_bytes, &back),
        CM_E_INVAL);
    point.data[64] ^= 1;
    assert_int_equal(
        crypto_curve_import("P-256", (struct bytes){ point.data, point.len }, NULL, &back),
        CM_E_INVAL);
    assert_int_equal(crypto_curve_import("P-256", NO_BYTES, NULL, &back), CM_E_INVAL);
    assert_int_equal(crypto_curve_import("P-999", TEXT("x"), NULL, &back), CM_E_INVAL);
    cm_buf_done(&der);
    cm_buf_done(&point);
    cm_buf_done(&part);
    crypto_key_free(key);
}

static void an_exponent_that_makes_no_key_is_refused(void **state)
{
    static const uint8_t exponents[] = { 0, 1, 2, 4 };
    struct crypto_key *key = NULL;

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(exponents); i++)
        assert_int_equal(crypto_rsa_generate(1024, (struct bytes){ &exponents[i], 1 }, &key),
                         CM_E_INVAL);
    assert_int_equal(crypto_rsa_generate(1024, NO_BYTES, &key), CM_E_INVAL);
    assert_int_equal(crypto_rsa_generate(64, TEXT("\3"), &key), CM_E_INVAL);
    assert_int_equal(crypto_rsa_generate(CRYPTO_RSA_BITS_MAX + 1, TEXT("\3"), &key), CM_E_INVAL);
}

static void an_rsa_key_signs_and_encrypts_for_its_public_half(void **state)
{
    struct crypto_key *key = NULL;
    struct crypto_key *public_key = NULL;
    struct bytes parts[CRYPTO_RSA_PARTS] = { { NULL, 0 } };
    struct cm_buf n = buffer();
    struct cm_buf e = buffer();
    struct cm_buf sealed = buffer();
    struct cm_buf plain = buffer();

    (void)state;
    assert_int_equal(crypto_rsa_generate(1024, TEXT("\1\0\1"), &key), 0);
    assert_int_equal(crypto_part_export(key, "n", &n), 0);
    assert_int_equal(crypto_part_export(key, "e", &e), 0);
    is_hex(&e, "010001");
    parts[CRYPTO_RSA_N] = (struct bytes){ n.data, n.len };
    parts[CRYPTO_RSA_E] = (struct bytes){ e.data, e.len };
    assert_int_equal(crypto_rsa_import(parts, &public_key), 0);
    assert_int_equal(crypto_oaep(public_key, "SHA-256", TEXT("label"), TEXT("text"), true, &sealed),
                     0);
    assert_int_equal(crypto_oaep(key, "SHA-256", TEXT("other"),
                                 (struct bytes){ sealed.data, sealed.len }, false, &plain),
                     CM_E_INVAL);
    assert_int_equal(crypto_oaep(key, "SHA-256", TEXT("label"),
                                 (struct bytes){ sealed.data, sealed.len }, false, &plain),
                     0);
    assert_int_equal(plain.len, 4);
    assert_memory_equal(plain.data, "text", 4);
    assert_int_equal(crypto_oaep(public_key, "SHA-256", NO_BYTES,
                                 (struct bytes){ sealed.data, sealed.len }, false, &plain),
                     CM_E_INVAL);
    cm_buf_done(&n);
    cm_buf_done(&e);
    cm_buf_done(&sealed);
    cm_buf_done(&plain);
    crypto_key_free(key);
    crypto_key_free(public_key);
}

static void a_key_of_the_wrong_kind_does_nothing(void **state)
{
    struct crypto_key *edwards = pair("Ed25519");
    struct crypto_key *odd = secret("0001020304");
    struct hex iv = hex("00000000000000000000000000000000");
    struct cm_buf to = buffer();

    (void)state;
    assert_int_equal(crypto_hmac_begin(crypto_stream(), edwards, "SHA-256"), CM_E_INVAL);
    assert_int_equal(crypto_sign_begin(crypto_stream(), edwards, CRYPTO_ECDSA, "SHA-256", 0, false),
                     CM_E_INVAL);
    assert_int_equal(crypto_sign_begin(crypto_stream(), odd, CRYPTO_PSS, "SHA-256", 0, false),
                     CM_E_INVAL);
    assert_int_equal(crypto_cbc_begin(crypto_stream(), odd, BYTES(iv), true, 0), CM_E_INVAL);
    assert_int_equal(crypto_cbc_begin(crypto_stream(), edwards, BYTES(iv), true, 0), CM_E_INVAL);
    assert_int_equal(crypto_wrap(odd, BYTES(iv), true, &to), CM_E_INVAL);
    assert_int_equal(crypto_agree(odd, edwards, &to), CM_E_INVAL);
    assert_int_equal(crypto_agree(edwards, edwards, &to), CM_E_INVAL);
    assert_int_equal(crypto_edwards_sign(odd, NO_BYTES, &to), CM_E_INVAL);
    assert_int_equal(crypto_oaep(edwards, "SHA-1", NO_BYTES, NO_BYTES, true, &to), CM_E_INVAL);
    assert_int_equal(crypto_hkdf(edwards, "SHA-1", NO_BYTES, NO_BYTES, 1, &to), CM_E_INVAL);
    assert_int_equal(crypto_der_export(odd, CRYPTO_SPKI, &to), CM_E_INVAL);
    assert_int_equal(crypto_point_export(odd, &to), CM_E_INVAL);
    assert_int_equal(crypto_part_export(odd, "n", &to), CM_E_INVAL);
    assert_int_equal(crypto_part_export(edwards, "q", &to), CM_E_INVAL);
    assert_int_equal(to.len, 0);
    cm_buf_done(&to);
    crypto_key_free(edwards);
    crypto_key_free(odd);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_the_same_in_any_pieces),
        cmocka_unit_test(a_code_is_that_of_rfc_4231_and_no_other),
        cmocka_unit_test(what_does_not_fit_its_tag_is_not_given_out),
        cmocka_unit_test(gcm_encrypts_as_nist_says),
        cmocka_unit_test(a_counter_comes_round_within_its_bits),
        cmocka_unit_test(a_counter_that_would_be_used_twice_is_refused),
        cmocka_unit_test(cbc_refuses_what_is_not_padded),
        cmocka_unit_test(a_stream_that_was_not_begun_does_nothing),
        cmocka_unit_test(a_signature_of_a_p_curve_is_two_numbers_of_full_length),
        cmocka_unit_test(edwards_signs_as_rfc_8032_says),
        cmocka_unit_test(a_key_of_small_order_verifies_nothing),
        cmocka_unit_test(a_key_is_wrapped_as_rfc_3394_says),
        cmocka_unit_test(bytes_are_derived_as_rfc_5869_and_6070_say),
        cmocka_unit_test(two_keys_agree_and_a_zero_point_agrees_with_none),
        cmocka_unit_test(a_key_that_is_exported_comes_back),
        cmocka_unit_test(bytes_that_are_no_key_are_refused),
        cmocka_unit_test(a_key_of_another_curve_or_off_the_curve_is_refused),
        cmocka_unit_test(an_exponent_that_makes_no_key_is_refused),
        cmocka_unit_test(an_rsa_key_signs_and_encrypts_for_its_public_half),
        cmocka_unit_test(a_key_of_the_wrong_kind_does_nothing),
    };

    crypto_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
