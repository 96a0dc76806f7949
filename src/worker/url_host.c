/* Hosts of URLs: names, IPv4 and IPv6 addresses, opaque hosts. Runs in a worker;
 * every text is the program's. */
#include "worker/url.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <stdio.h>
#include <string.h>
#include <unicode/uidna.h>
#include <unicode/utf8.h>

/* A name that the DNS could carry has 253 characters; longer ones are URLs all
 * the same. */
enum { HOST_BYTES_MAX = 1 << 20 };

enum { PIECES = 8 }; /* of an IPv6 address */

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(int c)
{
    if (is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* ---- IPv6 ---- */

struct reader {
    const uint16_t *units;
    size_t at;
    size_t len;
};

static int peek(const struct reader *reader)
{
    return reader->at < reader->len ? reader->units[reader->at] : -1;
}

/* "1.2.3.4" at the end of an IPv6 address, into two pieces. */
static int read_tail_v4(struct reader *in, uint16_t *pieces, unsigned piece)
{
    unsigned octets = 0;

    if (piece > PIECES - 2)
        return CM_E_INVAL;
    pieces[piece] = pieces[piece + 1] = 0;
    for (; peek(in) >= 0; octets++) {
        int value = -1;

        if (octets > 0 && (octets == 4 || in->units[in->at++] != '.'))
            return CM_E_INVAL;
        for (; is_digit(peek(in)); in->at++) {
            if (value == 0) /* no leading zeros */
                return CM_E_INVAL;
            value = (value < 0 ? 0 : value * 10) + peek(in) - '0';
            if (value > 255)
                return CM_E_INVAL;
        }
        if (value < 0)
            return CM_E_INVAL;
        pieces[piece + octets / 2] = (uint16_t)(pieces[piece + octets / 2] << 8 | value);
    }
    return octets == 4 ? 0 : CM_E_INVAL;
}

/* Moves what stands behind the "::" to the end. */
static int expand(uint16_t *pieces, unsigned count, int compress)
{
    if (compress < 0)
        return count == PIECES ? 0 : CM_E_INVAL;
    for (unsigned back = 0; back < count - (unsigned)compress; back++) {
        unsigned from = count - 1 - back;
        uint16_t moved = pieces[from];

        pieces[from] = 0;
        pieces[PIECES - 1 - back] = moved;
    }
    return 0;
}

static int read_v6(struct reader *in, uint16_t pieces[PIECES])
{
    unsigned count = 0;
    int compress = -1;

    if (peek(in) == ':') {
        if (in->len < 2 || in->units[1] != ':')
            return CM_E_INVAL;
        in->at = 2;
        compress = 0;
    }
    while (peek(in) >= 0) {
        size_t start = in->at;
        unsigned value = 0;

        if (count == PIECES)
            return CM_E_INVAL;
        if (peek(in) == ':') {
            if (compress >= 0)
                return CM_E_INVAL;
            in->at++;
            compress = (int)count;
            continue;
        }
        for (; in->at - start < 4 && hex_value(peek(in)) >= 0; in->at++)
            value = value << 4 | (unsigned)hex_value(peek(in));
        if (peek(in) == '.' && in->at > start) {
            in->at = start;
            if (read_tail_v4(in, pieces, count) < 0)
                return CM_E_INVAL;
            count += 2;
            break;
        }
        if (in->at == start || (peek(in) >= 0 && peek(in) != ':'))
            return CM_E_INVAL;
        if (peek(in) == ':' && ++in->at == in->len)
            return CM_E_INVAL;
        pieces[count++] = (uint16_t)value;
    }
    return expand(pieces, count, compress);
}

/* The first of the longest runs of at least two zero pieces; its length is 0 when
 * there is none. */
static unsigned longest_zeros(const uint16_t pieces[PIECES], unsigned *ret_len)
{
    unsigned best = 0;

    *ret_len = 0;
    for (unsigned start = 0; start < PIECES; start++) {
        unsigned len = 0;

        while (start + len < PIECES && pieces[start + len] == 0)
            len++;
        if (len > 1 && len > *ret_len) {
            best = start;
            *ret_len = len;
        }
    }
    return best;
}

static int write_v6(const uint16_t pieces[PIECES], struct cm_buf *to)
{
    unsigned zeros;
    unsigned zeros_start = longest_zeros(pieces, &zeros);
    char text[48] = "[";
    size_t len = 1;

    for (unsigned i = 0; i < PIECES; i++) {
        if (zeros > 0 && i == zeros_start) {
            len += (size_t)snprintf(text + len, sizeof(text) - len, i == 0 ? "::" : ":");
            i += zeros - 1;
            continue;
        }
        len += (size_t)snprintf(text + len, sizeof(text) - len, i < PIECES - 1 ? "%x:" : "%x",
                                (unsigned)pieces[i]);
    }
    text[len++] = ']';
    return cm_buf_append(to, text, len);
}

static int parse_v6(struct url_text input, struct cm_buf *to)
{
    struct reader in = { input.units + 1, 0, input.len - 2 };
    uint16_t pieces[PIECES] = { 0 };

    if (input.len < 2 || input.units[input.len - 1] != ']' || read_v6(&in, pieces) < 0)
        return CM_E_INVAL;
    return write_v6(pieces, to);
}

/* ---- IPv4 ---- */

/* The number at `text`, in base 8, 10 or 16 by its head; at most 2^32, which
 * stands for everything above. -1 when it is none. */
static int64_t read_number(const char *text, size_t len)
{
    unsigned base = 10;
    int64_t value = 0;

    if (len == 0)
        return -1;
    if (len >= 2 && text[0] == '0') {
        base = (text[1] | 0x20) == 'x' ? 16 : 8;
        text += base == 16 ? 2 : 1;
        len -= base == 16 ? 2 : 1;
    }
    for (size_t i = 0; i < len; i++) {
        int digit = hex_value((unsigned char)text[i]);

        if (digit < 0 || (unsigned)digit >= base)
            return -1;
        value = value * base + digit;
        if (value > UINT32_MAX)
            value = (int64_t)UINT32_MAX + 1;
    }
    return value;
}

static bool is_decimal(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!is_digit(text[i]))
            return false;
    return len > 0;
}

/* The last label, a final dot aside. */
static const char *last_label(const char *host, size_t *len)
{
    const char *dot;

    if (*len > 0 && host[*len - 1] == '.')
        --*len;
    dot = memrchr(host, '.', *len);
    if (dot == NULL)
        return host;
    *len -= (size_t)(dot + 1 - host);
    return dot + 1;
}

static bool ends_in_number(const char *host, size_t len)
{
    const char *last = last_label(host, &len);

    return is_decimal(last, len) || (len >= 2 && last[0] == '0' && read_number(last, len) >= 0);
}

static int write_v4(uint32_t address, struct cm_buf *to)
{
    char text[16];
    int len = snprintf(text, sizeof(text), "%u.%u.%u.%u", address >> 24, address >> 16 & 255,
                       address >> 8 & 255, address & 255);

    return cm_buf_append(to, text, (size_t)len);
}

static int parse_v4(const char *host, size_t len, struct cm_buf *to)
{
    int64_t numbers[4];
    unsigned count = 0;
    uint32_t address = 0;

    if (host[len - 1] == '.')
        len--;
    for (size_t at = 0; at <= len;) {
        const char *dot = memchr(host + at, '.', len - at);
        size_t end = dot == NULL ? len : (size_t)(dot - host);

        if (count == 4)
            return CM_E_INVAL;
        numbers[count] = read_number(host + at, end - at);
        if (numbers[count++] < 0)
            return CM_E_INVAL;
        at = end + 1;
    }
    for (unsigned i = 0; i + 1 < count; i++) {
        if (numbers[i] > 255)
            return CM_E_INVAL;
        address |= (uint32_t)numbers[i] << (8 * (3 - i));
    }
    if (numbers[count - 1] >= (int64_t)1 << (8 * (5 - count)))
        return CM_E_INVAL;
    return write_v4(address | (uint32_t)numbers[count - 1], to);
}

/* ---- names ---- */

static bool is_forbidden_in_opaque(int c)
{
    return c == 0 || (c < 0x80 && strchr("\t\n\r #/:<>?@[\\]^|", c) != NULL);
}

static bool is_forbidden_in_domain(int c)
{
    return c <= 0x1f || c == '%' || c == 0x7f || is_forbidden_in_opaque(c);
}

static int parse_opaque(struct url_text input, struct cm_buf *to)
{
    for (size_t i = 0; i < input.len; i++)
        if (is_forbidden_in_opaque(input.units[i]))
            return CM_E_INVAL;
    return url_encode(input, URL_SET_C0, to);
}

/* Whether lower case is all that the name needs. */
static bool is_plain(const uint8_t *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool starts_label = i == 0 || name[i - 1] == '.';

        if (name[i] >= 0x80)
            return false;
        if (starts_label && len - i >= 4 && strncasecmp((const char *)name + i, "xn--", 4) == 0)
            return false;
    }
    return true;
}

static void lower(uint8_t *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (name[i] >= 'A' && name[i] <= 'Z')
            name[i] |= 0x20;
}

/* Rules of the DNS that URLs do not keep to. */
static const uint32_t errors_ignored =
    UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
    UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

/* What Unicode 15.1 and 16 map and ICU 72 does not know yet: code points to what
 * stands `to - first` behind them; a `to` of 0 drops them. */
static const struct late_row {
    UChar32 first;
    UChar32 last;
    UChar32 to;
} late_rows[] = {
    { 0x4c0, 0x4c0, 0x4cf },    { 0x10a0, 0x10c5, 0x2d00 },   { 0x10c7, 0x10c7, 0x2d27 },
    { 0x10cd, 0x10cd, 0x2d2d }, { 0x115f, 0x1160, 0 },        { 0x17b4, 0x17b5, 0 },
    { 0x180e, 0x180e, 0 },      { 0x1e9e, 0x1e9e, 0xdf },     { 0x206a, 0x206f, 0 },
    { 0x2132, 0x2132, 0x214e }, { 0x2183, 0x2183, 0x2184 },   { 0x3164, 0x3164, 0 },
    { 0xffa0, 0xffa0, 0 },      { 0x2f868, 0x2f868, 0x36fc },
};

static UChar32 map_late(UChar32 c)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(late_rows); i++)
        if (c >= late_rows[i].first && c <= late_rows[i].last)
            return late_rows[i].to == 0 ? 0 : late_rows[i].to + (c - late_rows[i].first);
    return c;
}

/* Rewrites the name in place: nothing that is mapped grows in UTF-8. Returns the
 * new length. */
static size_t map_late_all(uint8_t *name, size_t len)
{
    size_t out = 0;

    for (size_t at = 0; at < len;) {
        size_t start = at;
        UChar32 c;
        UChar32 mapped;

        U8_NEXT(name, at, len, c);
        mapped = c < 0 ? c : map_late(c);
        if (mapped == c) {
            memmove(name + out, name + start, at - start);
            out += at - start;
        } else if (mapped != 0) {
            U8_APPEND_UNSAFE(name, out, mapped);
        }
    }
    return out;
}

/* Appends the ASCII form of the name. */
static int map_name(const uint8_t *name, size_t len, struct cm_buf *to)
{
    static const uint32_t options = UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                    UIDNA_NONTRANSITIONAL_TO_ASCII |
                                    UIDNA_NONTRANSITIONAL_TO_UNICODE;
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UIDNA *idna = uidna_openUTS46(options, &status);
    size_t cap = 6 * len + 64; /* Punycode and mappings that grow; else it is refused */
    int32_t written;
    int r = U_FAILURE(status) ? CM_E_NOMEM : cm_buf_reserve(to, cap);

    if (r == 0) {
        written = uidna_nameToASCII_UTF8(idna, (const char *)name, (int32_t)len,
                                         (char *)cm_buf_tail(to), (int32_t)cap, &info, &status);
        if (U_FAILURE(status) || (info.errors & ~errors_ignored) != 0)
            r = CM_E_INVAL;
        else
            to->len += (size_t)written;
    }
    uidna_close(idna);
    return r;
}

/* The name of the DNS, or address, that percent-decoded text stands for. */
static int finish_domain(const uint8_t *name, size_t len, struct cm_buf *to)
{
    for (size_t i = 0; i < len; i++)
        if (is_forbidden_in_domain(name[i]))
            return CM_E_INVAL;
    if (len == 0)
        return CM_E_INVAL;
    if (ends_in_number((const char *)name, len))
        return parse_v4((const char *)name, len, to);
    return cm_buf_append(to, name, len);
}

static int parse_domain(struct url_text input, struct cm_buf *to)
{
    struct cm_buf name;
    struct cm_buf mapped;
    int r;

    cm_buf_init(&name, HOST_BYTES_MAX);
    cm_buf_init(&mapped, (size_t)8 * HOST_BYTES_MAX);
    r = url_utf8(input, &name);
    if (r == 0)
        name.len = url_percent_decode(name.data, name.len, false);
    if (r == 0 && is_plain(cm_buf_bytes(&name), name.len)) {
        lower(cm_buf_bytes(&name), name.len);
        r = finish_domain(cm_buf_bytes(&name), name.len, to);
    } else if (r == 0) {
        name.len = map_late_all(cm_buf_bytes(&name), name.len);
        r = map_name(cm_buf_bytes(&name), name.len, &mapped);
        if (r == 0)
            r = finish_domain(cm_buf_bytes(&mapped), mapped.len, to);
    }
    cm_buf_done(&name);
    cm_buf_done(&mapped);
    return r;
}

int url_host_parse(struct url_text input, bool opaque, struct cm_buf *to)
{
    if (input.len > 0 && input.units[0] == '[')
        return parse_v6(input, to);
    return opaque ? parse_opaque(input, to) : parse_domain(input, to);
}
