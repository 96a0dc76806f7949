/* Percent-encoding. Runs in a worker; every text is the program's. */
#include "worker/url.h"

#include "codemode/executor.h"

#include <unicode/utf16.h>
#include <unicode/utf8.h>

/* What a set has beside controls and everything above "~". */
static const char *const set_rows[URL_SETS] = {
    [URL_SET_C0] = "",
    [URL_SET_FRAGMENT] = " \"<>`",
    [URL_SET_QUERY] = " \"#<>",
    [URL_SET_SPECIAL_QUERY] = " \"#<>'",
    [URL_SET_PATH] = " \"#<>?^`{}",
    [URL_SET_USERINFO] = " \"#<>?^`{}/:;=@[\\]|",
    [URL_SET_FORM] = " \"#<>?^`{}/:;=@[\\]|$%&+,!'()~",
};

struct bits {
    uint64_t half[2];
};

static struct bits bits_of(enum url_set set)
{
    struct bits bits = { { 0xffffffff, 1ull << 63 } }; /* controls, DEL */

    for (const char *c = set_rows[set]; *c != '\0'; c++)
        bits.half[*c >> 6] |= 1ull << (*c & 63);
    return bits;
}

static bool is_in(const struct bits *bits, uint8_t byte)
{
    return byte >= 0x80 || (bits->half[byte >> 6] >> (byte & 63) & 1) != 0;
}

/* The UTF-8 of the code point at *at, which moves behind it: 1 to 4 bytes. */
static size_t next_utf8(struct url_text text, size_t *at, uint8_t to[U8_MAX_LENGTH])
{
    size_t len = 0;
    UChar32 c;

    U16_NEXT(text.units, *at, text.len, c);
    if (U_IS_SURROGATE(c))
        c = 0xfffd;
    U8_APPEND_UNSAFE(to, len, c);
    return len;
}

static uint8_t *put_encoded(uint8_t *to, uint8_t byte)
{
    static const char digits[] = "0123456789ABCDEF";

    *to++ = '%';
    *to++ = digits[byte >> 4];
    *to++ = digits[byte & 15];
    return to;
}

static int encode(struct url_text text, enum url_set set, bool plus, struct cm_buf *to)
{
    struct bits bits = bits_of(set);

    for (size_t at = 0; at < text.len;) {
        uint8_t bytes[U8_MAX_LENGTH];
        size_t count = next_utf8(text, &at, bytes);
        int r = cm_buf_reserve(to, 3 * sizeof(bytes));
        uint8_t *out = cm_buf_tail(to);

        if (r < 0)
            return r;
        for (size_t i = 0; i < count; i++) {
            if (plus && bytes[i] == ' ')
                *out++ = '+';
            else if (is_in(&bits, bytes[i]))
                out = put_encoded(out, bytes[i]);
            else
                *out++ = bytes[i];
        }
        to->len += (size_t)(out - cm_buf_tail(to));
    }
    return 0;
}

int url_encode(struct url_text text, enum url_set set, struct cm_buf *to)
{
    return encode(text, set, false, to);
}

int url_encode_form(struct url_text text, struct cm_buf *to)
{
    return encode(text, URL_SET_FORM, true, to);
}

int url_utf8(struct url_text text, struct cm_buf *to)
{
    int r = cm_buf_reserve(to, text.len);

    for (size_t at = 0; r == 0 && at < text.len;) {
        uint8_t bytes[U8_MAX_LENGTH];
        size_t count = next_utf8(text, &at, bytes);

        r = cm_buf_append(to, bytes, count);
    }
    return r;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t url_percent_decode(uint8_t *bytes, size_t len, bool plus)
{
    size_t out = 0;

    for (size_t at = 0; at < len; at++) {
        uint8_t c = bytes[at];

        if (c == '%' && len - at > 2 && hex_digit(bytes[at + 1]) >= 0 &&
            hex_digit(bytes[at + 2]) >= 0) {
            c = (uint8_t)(hex_digit(bytes[at + 1]) << 4 | hex_digit(bytes[at + 2]));
            at += 2;
        } else if (plus && c == '+') {
            c = ' ';
        }
        bytes[out++] = c;
    }
    return out;
}
