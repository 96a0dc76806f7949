/* A JSON reader. The text is hostile: depth and number of values are bounded before
 * anything is reserved, and the text can only shrink. It recurses once a bracket. */
#include "capnweb/json.h"

#include "capnweb/session.h"
#include "capnweb/text.h"

#include "codemode/executor.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SCRATCH = 64, SCRATCH_KEPT = 4096, BACKSLASH_U = 6 };

struct reader {
    struct capnweb_tree *tree;
    struct json_scratch *scratch;
    char *at;
    char *end;
    size_t depth; /* that is left */
    size_t values;
    const char *why;
};

static int read_value(struct reader *reader, struct capnweb_value *value);

static int wrong(struct reader *reader, const char *why)
{
    reader->why = why;
    return CM_E_PEER;
}

void rpc_json_scratch_done(struct json_scratch *scratch)
{
    free(scratch->values);
    *scratch = (struct json_scratch){ 0 };
}

static int scratch_push(struct reader *reader, struct capnweb_value value)
{
    struct json_scratch *scratch = reader->scratch;

    if (scratch->count == scratch->cap) {
        size_t cap = scratch->cap == 0 ? FIRST_SCRATCH : scratch->cap * 2;
        struct capnweb_value *grown = reallocarray(scratch->values, cap, sizeof(*grown));

        if (grown == NULL)
            return CM_E_NOMEM;
        scratch->values = grown;
        scratch->cap = cap;
    }
    scratch->values[scratch->count++] = value;
    return 0;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\n' ||
                                        *reader->at == '\r' || *reader->at == '\t'))
        reader->at++;
}

/* The byte that comes next; 0 at the end, as for a NUL, which fits nowhere. */
static char peek(struct reader *reader)
{
    skip_space(reader);
    return reader->at < reader->end ? *reader->at : '\0';
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

/* The unit of \uXXXX at `at`; negative when there is none. */
static int32_t read_unit(const struct reader *reader, const char *at)
{
    int32_t unit = 0;

    if (reader->end - at < BACKSLASH_U || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < BACKSLASH_U; i++) {
        int digit = hex_value(at[i]);

        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* \uXXXX, and the second half of a pair with it. A half alone is U+FFFD. */
static int read_code(struct reader *reader, char **to)
{
    int32_t unit = read_unit(reader, reader->at);
    uint32_t code = (uint32_t)unit;

    if (unit < 0)
        return wrong(reader, "an escape in a string of the message is malformed");
    reader->at += BACKSLASH_U;
    if (unit >= 0xD800 && unit < 0xE000) {
        int32_t low = unit < 0xDC00 ? read_unit(reader, reader->at) : -1;

        code = 0xFFFD;
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
            reader->at += BACKSLASH_U;
        }
    }
    *to += capnweb_text_put(*to, code);
    return 0;
}

static int read_escape(struct reader *reader, char **to)
{
    static const char names[] = "\"\\/bfnrt";
    static const char bytes[] = "\"\\/\b\f\n\r\t";
    const char *name;

    if (reader->end - reader->at < 2)
        return wrong(reader, "a string of the message does not end");
    if (reader->at[1] == 'u')
        return read_code(reader, to);
    name = memchr(names, reader->at[1], sizeof(names) - 1);
    if (name == NULL)
        return wrong(reader, "an escape in a string of the message is malformed");
    *(*to)++ = bytes[name - names];
    reader->at += 2;
    return 0;
}

/* Stands behind the opening quote; what follows an escape moves down. */
static int read_string(struct reader *reader, struct capnweb_value *value)
{
    char *start = ++reader->at;
    char *to = start;

    for (;;) {
        size_t plain = capnweb_text_plain(reader->at, (size_t)(reader->end - reader->at));

        if (to != reader->at)
            memmove(to, reader->at, plain);
        to += plain;
        reader->at += plain;
        if (reader->at == reader->end)
            return wrong(reader, "a string of the message does not end");
        if (*reader->at == '"')
            break;
        if (*reader->at != '\\')
            return wrong(reader, "a string of the message holds a control character");
        if (read_escape(reader, &to) < 0)
            return CM_E_PEER;
    }
    *to = '\0';
    reader->at++;
    *value = capnweb_string(start, (size_t)(to - start));
    return 0;
}

static size_t digits(const struct reader *reader, const char *at)
{
    const char *start = at;

    while (at < reader->end && *at >= '0' && *at <= '9')
        at++;
    return (size_t)(at - start);
}

/* The length of the number that starts at the place of the reader; 0: none does. */
static size_t number_length(const struct reader *reader)
{
    const char *at = reader->at;
    size_t n;

    at += *at == '-';
    n = digits(reader, at);
    if (n == 0 || (n > 1 && *at == '0'))
        return 0;
    at += n;
    if (at < reader->end && *at == '.') {
        n = digits(reader, at + 1);
        if (n == 0)
            return 0;
        at += 1 + n;
    }
    if (at < reader->end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < reader->end && (*at == '+' || *at == '-');
        n = digits(reader, at);
        if (n == 0)
            return 0;
        at += n;
    }
    return (size_t)(at - reader->at);
}

static int read_number(struct reader *reader, struct capnweb_value *value)
{
    size_t n = number_length(reader);

    if (n == 0)
        return wrong(reader, "the message is not JSON");
    *value = capnweb_number(capnweb_number_read(reader->at, n));
    reader->at += n;
    return 0;
}

static int read_word(struct reader *reader, const char *word, struct capnweb_value is,
                     struct capnweb_value *value)
{
    size_t n = strlen(word);

    if ((size_t)(reader->end - reader->at) < n || memcmp(reader->at, word, n) != 0)
        return wrong(reader, "the message is not JSON");
    reader->at += n;
    *value = is;
    return 0;
}

/* Behind an element: 1 when another follows, 0 when `close` ended the list. */
static int read_separator(struct reader *reader, char close)
{
    char next = peek(reader);

    if (next != ',' && next != close)
        return wrong(reader, "the message is not JSON");
    reader->at++;
    return next == ',';
}

/* What has been pushed since `first` becomes an array of the tree. */
static int take_items(struct reader *reader, size_t first, struct capnweb_value *value)
{
    size_t count = reader->scratch->count - first;
    struct capnweb_value *items = rpc_tree_alloc(reader->tree, count * sizeof(*items));

    if (items == NULL)
        return CM_E_NOMEM;
    if (count > 0)
        memcpy(items, reader->scratch->values + first, count * sizeof(*items));
    reader->scratch->count = first;
    *value = capnweb_array(items, count);
    return 0;
}

static int take_members(struct reader *reader, size_t first, struct capnweb_value *value)
{
    size_t count = (reader->scratch->count - first) / 2;
    struct capnweb_member *members = rpc_tree_alloc(reader->tree, count * sizeof(*members));
    const struct capnweb_value *from = count == 0 ? NULL : reader->scratch->values + first;

    if (members == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        members[i] = (struct capnweb_member){ from[2 * i].text, from[2 * i + 1] };
    reader->scratch->count = first;
    *value = capnweb_object(members, count);
    return 0;
}

static int read_element(struct reader *reader)
{
    struct capnweb_value element;
    int r = read_value(reader, &element);

    return r < 0 ? r : scratch_push(reader, element);
}

static int read_member(struct reader *reader)
{
    struct capnweb_value key;
    int r;

    if (peek(reader) != '"')
        return wrong(reader, "the message is not JSON");
    r = read_string(reader, &key);
    if (r == 0)
        r = scratch_push(reader, key);
    if (r < 0)
        return r;
    if (peek(reader) != ':')
        return wrong(reader, "the message is not JSON");
    reader->at++;
    return read_element(reader);
}

static int read_list(struct reader *reader, char close, int (*read)(struct reader *reader))
{
    int more;

    reader->at++;
    if (peek(reader) == close) {
        reader->at++;
        return 0;
    }
    do {
        int r = read(reader);

        if (r < 0)
            return r;
        more = read_separator(reader, close);
    } while (more > 0);
    return more;
}

static int read_nested(struct reader *reader, struct capnweb_value *value)
{
    size_t first = reader->scratch->count;
    bool array = *reader->at == '[';
    int r;

    if (reader->depth == 0) {
        reader->why = "the message is nested too deeply";
        return CM_E_LIMIT;
    }
    reader->depth--;
    r = read_list(reader, array ? ']' : '}', array ? read_element : read_member);
    reader->depth++;
    if (r < 0)
        return r;
    return array ? take_items(reader, first, value) : take_members(reader, first, value);
}

static int read_value(struct reader *reader, struct capnweb_value *value)
{
    if (reader->values-- == 0) {
        reader->why = "the message holds too many values";
        return CM_E_LIMIT;
    }
    switch (peek(reader)) {
    case '"':
        return read_string(reader, value);
    case '[':
    case '{':
        return read_nested(reader, value);
    case 't':
        return read_word(reader, "true", capnweb_boolean(true), value);
    case 'f':
        return read_word(reader, "false", capnweb_boolean(false), value);
    case 'n':
        return read_word(reader, "null", capnweb_null(), value);
    default:
        return reader->at == reader->end ? wrong(reader, "the message is not JSON")
                                         : read_number(reader, value);
    }
}

int rpc_json_read(struct capnweb_tree *tree, struct json_scratch *scratch,
                  const struct capnweb_settings *limits, struct capnweb_value *ret_value,
                  const char **ret_why)
{
    /* Each array of a value and each call is two brackets; the message has one. */
    struct reader reader = { .tree = tree,
                             .scratch = scratch,
                             .at = tree->text,
                             .end = tree->text + tree->text_bytes,
                             .depth = 2 * limits->max_depth + 8,
                             .values = limits->max_values };
    int r;

    *reader.end = '\0'; /* ends a number at the end of the text */
    scratch->count = 0;
    r = read_value(&reader, ret_value);
    if (r == 0) {
        peek(&reader);
        if (reader.at < reader.end)
            r = wrong(&reader, "the message is not one JSON value");
    }
    tree->count = limits->max_values - reader.values;
    if (scratch->cap > SCRATCH_KEPT)
        rpc_json_scratch_done(scratch);
    *ret_why = reader.why;
    return r;
}
