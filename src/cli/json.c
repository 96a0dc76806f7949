/* JSON text handled as text. Runs in codemode-executor; texts come from the
 * isolate, which is hostile, and from the user's tools. */
#include "cli/json.h"

#include "codemode/executor.h"

#include <string.h>

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && memchr(" \t\r\n", *at, 4) != NULL)
        at++;
    return at;
}

/* `at` is behind the opening quote; NULL or what follows the closing one. */
static const char *skip_string(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\')
            at++;
    }
    return NULL;
}

static const char *skip_nested(const char *at, const char *end)
{
    size_t depth = 0;

    while (at != NULL && at < end) {
        char c = *at++;

        if (c == '"')
            at = skip_string(at, end);
        else if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            return at;
    }
    return NULL;
}

static const char *skip_value(const char *at, const char *end)
{
    const char *from = at;

    if (at == end)
        return NULL;
    if (*at == '"')
        return skip_string(at + 1, end);
    if (*at == '{' || *at == '[')
        return skip_nested(at, end);
    while (at < end && memchr(" \t\r\n,:}]", *at, 8) == NULL)
        at++;
    return at == from ? NULL : at;
}

int json_open(struct json_object *object, const char *text, size_t bytes)
{
    const char *end = text + bytes;
    const char *at = skip_blanks(text, end);

    if (at == end || *at != '{')
        return CM_E_PEER;
    *object = (struct json_object){ at + 1, end, true };
    return 0;
}

/* `at` is behind the last member: nothing but the object's end may follow. */
static int close_object(const char *at, const char *end)
{
    return skip_blanks(at + 1, end) == end ? 0 : CM_E_PEER;
}

int json_next(struct json_object *object, struct json_member *ret_member)
{
    const char *end = object->end;
    const char *at = skip_blanks(object->at, end);
    struct json_member member;

    if (at < end && *at == '}')
        return close_object(at, end);
    if (!object->first) {
        if (at == end || *at != ',')
            return CM_E_PEER;
        at = skip_blanks(at + 1, end);
    }
    if (at == end || *at != '"')
        return CM_E_PEER;
    member.key = at + 1;
    at = skip_string(member.key, end);
    if (at == NULL)
        return CM_E_PEER;
    member.key_bytes = (size_t)(at - member.key) - 1;
    at = skip_blanks(at, end);
    if (at == end || *at != ':')
        return CM_E_PEER;
    member.value = skip_blanks(at + 1, end);
    at = skip_value(member.value, end);
    if (at == NULL)
        return CM_E_PEER;
    member.value_bytes = (size_t)(at - member.value);
    object->at = at;
    object->first = false;
    *ret_member = member;
    return 1;
}

bool json_key_is(const struct json_member *member, const char *key)
{
    return strlen(key) == member->key_bytes && memcmp(member->key, key, member->key_bytes) == 0;
}

/* U+0080 to U+009F, which some terminals obey, are C2 80 to C2 9F. */
static bool is_c1(const char *text, size_t left)
{
    return left >= 2 && text[0] == '\xC2' && (unsigned char)text[1] < 0xA0;
}

/* Writes the character at `text` escaped if it has to be and returns the bytes
 * it took, else 0. */
static size_t put_escaped(FILE *out, const char *text, size_t left)
{
    if (is_c1(text, left)) {
        fprintf(out, "\\u%04x", (unsigned char)text[1]);
        return 2;
    }
    if (*text == '\x7F') {
        fputs("\\u007f", out);
        return 1;
    }
    return 0;
}

static size_t put_string_escape(FILE *out, const char *text, size_t left)
{
    static const char plain[] = "\"\\\n\r\t";
    static const char letters[] = "\"\\nrt";
    const char *found;

    if ((unsigned char)*text >= 0x20 && *text != '"' && *text != '\\')
        return put_escaped(out, text, left);
    found = memchr(plain, *text, sizeof(plain) - 1);
    if (found != NULL)
        fprintf(out, "\\%c", letters[found - plain]);
    else
        fprintf(out, "\\u%04x", (unsigned char)*text);
    return 1;
}

static size_t put_value_escape(FILE *out, const char *text, size_t left)
{
    if ((unsigned char)*text >= 0x20)
        return put_escaped(out, text, left);
    fputc(' ', out);
    return 1;
}

/* Copies what needs no escape in pieces as long as they come. */
static void put(FILE *out, const char *text, size_t bytes,
                size_t (*escape)(FILE *out, const char *text, size_t left))
{
    size_t from = 0;
    size_t at = 0;

    while (at < bytes) {
        bool plain = (unsigned char)text[at] >= 0x20 && text[at] != '"' && text[at] != '\\' &&
                     text[at] != '\x7F' && text[at] != '\xC2';
        size_t taken;

        if (plain) {
            at++;
            continue;
        }
        fwrite(text + from, 1, at - from, out);
        from = at;
        taken = escape(out, text + at, bytes - at);
        from += taken;
        at += taken > 0 ? taken : 1;
    }
    fwrite(text + from, 1, bytes - from, out);
}

void json_put_string(FILE *out, const char *text, size_t bytes)
{
    fputc('"', out);
    put(out, text, bytes, put_string_escape);
    fputc('"', out);
}

void json_put_value(FILE *out, const char *text, size_t bytes)
{
    put(out, text, bytes, put_value_escape);
}
