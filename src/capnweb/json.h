/*
 * JSON text as a tree of values: null, booleans, numbers, strings, arrays, objects.
 * Strings stay in the text, which is changed in place: escapes are resolved there,
 * and each gets its NUL.
 */
#ifndef CM_CAPNWEB_JSON_H
#define CM_CAPNWEB_JSON_H

#include "capnweb/tree.h"

struct capnweb_settings;

/* Values of the arrays that are open while a text is read: kept from one message to
 * the next. */
struct json_scratch {
    struct capnweb_value *values;
    size_t count;
    size_t cap;
};

void rpc_json_scratch_done(struct json_scratch *scratch);

/*
 * Reads tree->text, which is checked UTF-8 and has a byte behind text_bytes. Sets
 * *ret_value. CM_E_PEER: *ret_why says what is wrong; CM_E_LIMIT: too deep or too
 * many values, likewise; CM_E_NOMEM.
 */
int rpc_json_read(struct capnweb_tree *tree, struct json_scratch *scratch,
                  const struct capnweb_settings *limits, struct capnweb_value *ret_value,
                  const char **ret_why);

#endif
