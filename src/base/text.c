/* Sentences and numbers as text. Any process; arguments may come from peers and
 * are copied as they are. */
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const message_texts[] = {
#define CM_MESSAGE(name, text) text,
#include "tables/messages.def"
#undef CM_MESSAGE
};

struct cm_number cm_number_grouped(uint64_t value)
{
    struct cm_number number;
    char digits[CM_NUMBER_CHARS];
    size_t len = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
    size_t at = 0;

    for (size_t i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            number.text[at++] = ',';
        number.text[at++] = digits[i];
    }
    number.text[at] = '\0';
    return number;
}

struct cm_number cm_number_plain(double value)
{
    struct cm_number number;

    snprintf(number.text, sizeof(number.text), "%.15g", value);
    return number;
}

const char *cm_message_text(enum cm_message message)
{
    return message < CM_MSG_COUNT ? message_texts[message] : "";
}

struct sink {
    char *to;
    size_t cap;
    size_t len; /* of the whole sentence, also past cap */
};

static void put(struct sink *sink, const char *text, size_t n)
{
    if (sink->len < sink->cap) {
        size_t room = sink->cap - sink->len;

        memcpy(sink->to + sink->len, text, n < room ? n : room);
    }
    sink->len += n;
}

static void finish(struct sink *sink)
{
    size_t end = sink->len;

    if (sink->cap == 0)
        return;
    if (end >= sink->cap) {
        end = sink->cap - 1;
        while (end > 0 && ((unsigned char)sink->to[end] & 0xC0) == 0x80)
            end--;
    }
    sink->to[end] = '\0';
}

/* Writes one side of "[one|many]" and returns what follows it. */
static const char *put_choice(struct sink *sink, const char *text, bool one)
{
    const char *bar = strchr(text, '|');
    const char *end = strchr(bar, ']');

    if (one)
        put(sink, text + 1, (size_t)(bar - text - 1));
    else
        put(sink, bar + 1, (size_t)(end - bar - 1));
    return end + 1;
}

static size_t write_args(char *to, size_t cap, enum cm_message message, va_list args)
{
    struct sink sink = { to, cap, 0 };
    const char *text = cm_message_text(message);
    const char *arg = "";

    while (*text != '\0') {
        size_t plain = strcspn(text, "{[");
        bool one = arg != NULL && strcmp(arg, "1") == 0;

        put(&sink, text, plain);
        text += plain;
        if (*text == '[') {
            text = put_choice(&sink, text, one);
        } else if (strncmp(text, "{}", 2) == 0 && arg != NULL &&
                   (arg = va_arg(args, const char *)) != NULL) {
            put(&sink, arg, strlen(arg));
            text += 2;
        } else if (*text != '\0') {
            put(&sink, text++, 1);
        }
    }
    finish(&sink);
    return sink.len;
}

size_t cm_message_write(char *to, size_t cap, enum cm_message message, ...)
{
    va_list args;
    size_t len;

    va_start(args, message);
    len = write_args(to, cap, message, args);
    va_end(args);
    return len;
}

char *cm_message_new(enum cm_message message, ...)
{
    va_list args;
    va_list again;
    size_t len;
    char *text;

    va_start(args, message);
    va_copy(again, args);
    len = write_args(NULL, 0, message, args);
    text = malloc(len + 1);
    if (text != NULL)
        write_args(text, len + 1, message, again);
    va_end(again);
    va_end(args);
    return text;
}

bool cm_parse_u64(const char *text, uint64_t *ret_value)
{
    unsigned long long value;
    char *end;

    if (text[0] < '0' || text[0] > '9') /* strtoull() takes signs and blanks */
        return false;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0')
        return false;
    *ret_value = value;
    return true;
}

/* The bytes that follow a lead byte and the bounds of the first of them, which
 * exclude overlong forms, surrogates and what lies past U+10FFFF. */
static bool utf8_lead(uint8_t lead, size_t *ret_more, uint8_t *ret_low, uint8_t *ret_high)
{
    *ret_low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    *ret_high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    *ret_more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    return lead >= 0xC2 && lead <= 0xF4;
}

/* Skips ASCII sixteen bytes at a time; what is left of it is no matter. */
static const uint8_t *skip_ascii(const uint8_t *at, const uint8_t *end)
{
    uint64_t words[2];

    while (end - at >= (ptrdiff_t)sizeof(words)) {
        memcpy(words, at, sizeof(words));
        if (((words[0] | words[1]) & UINT64_C(0x8080808080808080)) != 0)
            break;
        at += sizeof(words);
    }
    return at;
}

bool cm_utf8_valid(const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    const uint8_t *end = at + n;

    while (at < end) {
        uint8_t low;
        uint8_t high;
        size_t more;

        if (*at < 0x80) {
            at = skip_ascii(at + 1, end);
            continue;
        }
        if (!utf8_lead(*at, &more, &low, &high) || (size_t)(end - at) <= more)
            return false;
        if (at[1] < low || at[1] > high)
            return false;
        for (size_t i = 2; i <= more; i++)
            if ((at[i] & 0xC0) != 0x80)
                return false;
        at += more + 1;
    }
    return true;
}
