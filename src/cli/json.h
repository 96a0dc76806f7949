/* JSON text handled as text: what the user gets is what the isolate wrote, with
 * its numbers, key order, depth and escapes, which a parse into a tree and back
 * would change or refuse (lone surrogates, integers of any length). */
#ifndef CM_CLI_JSON_H
#define CM_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One member of an object: pieces of the text, the key without its quotes and
 * with its escapes. */
struct json_member {
    const char *key;
    size_t key_bytes;
    const char *value;
    size_t value_bytes;
};

struct json_object {
    const char *at;
    const char *end;
    bool first;
};

/* Steps through the members of an object, in order. Strings and brackets are
 * matched; what is inside a value is left to whoever parses it. json_next() is 1
 * with a member, 0 behind the last one, CM_E_PEER when the text is not one
 * object. */
int json_open(struct json_object *object, const char *text, size_t bytes);
int json_next(struct json_object *object, struct json_member *ret_member);

bool json_key_is(const struct json_member *member, const char *key);

/* Writes text (UTF-8) as a JSON string. */
void json_put_string(FILE *out, const char *text, size_t bytes);

/* Writes a JSON value as it is, but for bytes that JSON text cannot hold (a
 * hostile worker's) and control characters that a terminal might obey, which
 * become blanks and escapes: the output is always one line. */
void json_put_value(FILE *out, const char *text, size_t bytes);

#endif
