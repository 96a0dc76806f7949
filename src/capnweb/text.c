/* Text, numbers and base64 as the wire has them. The input may be hostile: no
 * length is trusted beyond the one given, and nothing depends on the locale. */
#include "capnweb/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static uint64_t load8(const char *text)
{
    uint64_t word;

    memcpy(&word, text, sizeof(word));
    return word;
}

/* Not 0 when a byte of the word is a quote, a backslash or below 0x20. A byte below
 * 0x80 borrows in the subtraction only when it is smaller than what is subtracted. */
static uint64_t special(uint64_t word)
{
    uint64_t quote = word ^ EACH_BYTE('"');
    uint64_t backslash = word ^ EACH_BYTE('\\');
    uint64_t hit = (word - EACH_BYTE(0x20)) & ~word;

    hit |= (quote - EACH_BYTE(1)) & ~quote;
    hit |= (backslash - EACH_BYTE(1)) & ~backslash;
    return hit & EACH_BYTE(0x80);
}

static bool is_special(char byte)
{
    return byte == '"' || byte == '\\' || (unsigned char)byte < 0x20;
}

/* The lowest byte that is marked is marked rightly: borrows only go upwards. */
size_t capnweb_text_plain(const char *text, size_t n)
{
    size_t i = 0;

    for (; n - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
        uint64_t hit = special(load8(text + i));

        if (hit != 0)
            return i + (size_t)__builtin_ctzll(hit) / 8;
    }
    while (i < n && !is_special(text[i]))
        i++;
    return i;
}

/* A byte that is not plain. */
static size_t escape(char *to, char byte)
{
    static const char digits[] = "0123456789abcdef";
    static const char names[] = { ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
                                  ['\t'] = 't', ['"'] = '"',  ['\\'] = '\\' };
    size_t at = (unsigned char)byte;

    to[0] = '\\';
    to[1] = names[at];
    if (names[at] != '\0')
        return 2;
    memcpy(to + 1, "u00", 3);
    to[4] = digits[at >> 4];
    to[5] = digits[at & 15];
    return CAPNWEB_ESCAPE_MAX;
}

size_t capnweb_text_escape(char *to, const char *text, size_t n)
{
    char *start = to;

    while (n > 0) {
        size_t plain = capnweb_text_plain(text, n);

        memcpy(to, text, plain);
        to += plain;
        text += plain;
        n -= plain;
        if (n > 0) {
            to += escape(to, *text++);
            n--;
        }
    }
    return (size_t)(to - start);
}

size_t capnweb_text_units(const char *text, size_t n)
{
    size_t units = 0;

    for (size_t i = 0; i < n; i++) {
        uint8_t byte = (uint8_t)text[i];

        units += (size_t)((byte & 0xC0) != 0x80) + (size_t)(byte >= 0xF0);
    }
    return units;
}

size_t capnweb_text_character(const char *text, size_t n)
{
    const uint8_t *at = (const uint8_t *)text;
    size_t more = at[0] < 0x80 ? 0 : at[0] < 0xE0 ? 1 : at[0] < 0xF0 ? 2 : 3;
    uint8_t low = at[0] == 0xE0 ? 0xA0 : at[0] == 0xF0 ? 0x90 : 0x80;
    uint8_t high = at[0] == 0xED ? 0x9F : at[0] == 0xF4 ? 0x8F : 0xBF;

    if (more == 0)
        return 1;
    if (at[0] < 0xC2 || at[0] > 0xF4 || n <= more || at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i <= more; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return more + 1;
}

size_t capnweb_text_put(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | (code >> 6));
        to[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | (code >> 12));
        to[1] = (char)(0x80 | ((code >> 6) & 0x3F));
        to[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | (code >> 18));
    to[1] = (char)(0x80 | ((code >> 12) & 0x3F));
    to[2] = (char)(0x80 | ((code >> 6) & 0x3F));
    to[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

enum { DIGITS_MAX = 17 };

/* A number is 0.d1d2d3... times ten to the power of `point`. */
struct decimal {
    char digits[DIGITS_MAX];
    int count;
    int point;
};

/* printf() rounds right but writes the locale's point: only digits are taken. */
static struct decimal decimal_of(double number, int count)
{
    struct decimal decimal = { .count = 0 };
    char text[48];
    const char *at = text;

    snprintf(text, sizeof(text), "%.*e", count - 1, number);
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9' && decimal.count < count)
            decimal.digits[decimal.count++] = *at;
    decimal.point = atoi(at + 1) + 1;
    while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0')
        decimal.count--;
    return decimal;
}

static double decimal_value(const struct decimal *decimal)
{
    char text[48];
    int n = snprintf(text, sizeof(text), "%.*se%d", decimal->count, decimal->digits,
                     decimal->point - decimal->count);

    return capnweb_number_read(text, (size_t)n);
}

/* The fewest digits that read back as the same. Normal numbers of up to 15 digits
 * always do, so only those below them need to be tried from the start. */
static struct decimal shortest(double number)
{
    int count = number < 2.3e-308 ? 1 : 15;
    struct decimal decimal = decimal_of(number, count);

    while (count < DIGITS_MAX && decimal_value(&decimal) != number)
        decimal = decimal_of(number, ++count);
    return decimal;
}

static size_t put_zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return (size_t)count;
}

static size_t put_digits(char *to, const char *digits, int count)
{
    memcpy(to, digits, (size_t)count);
    return (size_t)count;
}

/* The layout of JavaScript's Number::toString. */
static size_t layout(char *to, const struct decimal *d)
{
    size_t n = 0;

    if (d->point >= d->count && d->point <= 21) {
        n += put_digits(to, d->digits, d->count);
        n += put_zeros(to + n, d->point - d->count);
    } else if (d->point > 0 && d->point <= 21) {
        n += put_digits(to, d->digits, d->point);
        to[n++] = '.';
        n += put_digits(to + n, d->digits + d->point, d->count - d->point);
    } else if (d->point > -6 && d->point <= 0) {
        to[n++] = '0';
        to[n++] = '.';
        n += put_zeros(to + n, -d->point);
        n += put_digits(to + n, d->digits, d->count);
    } else {
        to[n++] = d->digits[0];
        if (d->count > 1) {
            to[n++] = '.';
            n += put_digits(to + n, d->digits + 1, d->count - 1);
        }
        n += (size_t)snprintf(to + n, 8, "e%+d", d->point - 1);
    }
    return n;
}

size_t capnweb_number_write(char to[CAPNWEB_NUMBER_MAX], double number)
{
    struct decimal decimal;
    size_t n = 0;

    if (fabs(number) < 9007199254740992.0 && number == trunc(number))
        return (size_t)snprintf(to, CAPNWEB_NUMBER_MAX, "%lld", (long long)number);
    decimal = shortest(fabs(number));
    if (number < 0)
        to[n++] = '-';
    n += layout(to + n, &decimal);
    to[n] = '\0';
    return n;
}

/* A whole number of up to 15 digits is exact without strtod(). */
static bool read_whole(const char *text, size_t n, double *ret_number)
{
    size_t i = n > 0 && text[0] == '-';
    uint64_t value = 0;

    if (n - i > 15 || n == i)
        return false;
    for (size_t at = i; at < n; at++) {
        if (text[at] < '0' || text[at] > '9')
            return false;
        value = value * 10 + (uint64_t)(text[at] - '0');
    }
    *ret_number = i > 0 ? -(double)value : (double)value;
    return true;
}

double capnweb_number_read(const char *text, size_t n)
{
    double number;
    locale_t plain;
    locale_t before;

    if (read_whole(text, n, &number))
        return number;
    plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0); /* a static one: it costs nothing */
    before = uselocale(plain);
    number = strtod(text, NULL);
    uselocale(before);
    freelocale(plain);
    return number;
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t capnweb_base64_chars(size_t n)
{
    return n / 3 * 4 + (n % 3 == 0 ? 0 : n % 3 + 1);
}

void capnweb_base64_write(char *to, const uint8_t *bytes, size_t n)
{
    size_t i = 0;

    for (; n - i >= 3; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];

        *to++ = base64_digits[group >> 18];
        *to++ = base64_digits[(group >> 12) & 63];
        *to++ = base64_digits[(group >> 6) & 63];
        *to++ = base64_digits[group & 63];
    }
    if (n - i > 0) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (n - i > 1 ? (uint32_t)bytes[i + 1] << 8 : 0);

        *to++ = base64_digits[group >> 18];
        *to++ = base64_digits[(group >> 12) & 63];
        if (n - i > 1)
            *to++ = base64_digits[(group >> 6) & 63];
    }
}

/* The value of a base64 digit plus one; 0: it is none. */
/* clang-format off */
static const uint8_t digit_values[256] = {
    ['A'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    ['a'] = 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
    ['0'] = 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
    ['+'] = 63, ['-'] = 63, ['/'] = 64, ['_'] = 64,
};
/* clang-format on */

static bool read_group(const char *text, size_t n, uint32_t *ret_group)
{
    uint32_t group = 0;

    for (size_t i = 0; i < 4; i++) {
        uint32_t digit = i < n ? digit_values[(uint8_t)text[i]] : 1;

        if (digit == 0)
            return false;
        group = group << 6 | (digit - 1);
    }
    *ret_group = group;
    return true;
}

bool capnweb_base64_read(uint8_t *to, const char *text, size_t n, size_t *ret_bytes)
{
    const uint8_t *start = to;
    uint32_t group;
    size_t i = 0;

    for (int padding = 0; padding < 2 && n > 0 && text[n - 1] == '='; padding++)
        n--;
    if (n % 4 == 1)
        return false;
    for (; n - i >= 4; i += 4) { /* each group is read whole before it is overwritten */
        if (!read_group(text + i, 4, &group))
            return false;
        *to++ = (uint8_t)(group >> 16);
        *to++ = (uint8_t)(group >> 8);
        *to++ = (uint8_t)group;
    }
    if (n - i > 0) {
        if (!read_group(text + i, n - i, &group))
            return false;
        *to++ = (uint8_t)(group >> 16);
        if (n - i == 3)
            *to++ = (uint8_t)(group >> 8);
    }
    *ret_bytes = (size_t)(to - start);
    return true;
}
