/* What the files of the evaluation share: see evaluate.c. */
#ifndef CM_CAPNWEB_FORMS_H
#define CM_CAPNWEB_FORMS_H

#include "capnweb/state.h"

struct scope;

struct evaluator {
    struct capnweb_session *session;
    struct capnweb_tree *tree;
    struct gather *gather; /* gets the promises; NULL: there may be no reference */
    const struct scope *scope;
};

/* The elements of a form, the tag included. */
struct elements {
    struct capnweb_value *items;
    size_t count;
};

/* A form: how its value is read. */
struct value_form {
    const char *tag;
    int (*read)(struct evaluator *ev, struct elements form, struct capnweb_value *value,
                size_t depth);
};

/* The forms of plain data. NULL: none has that tag. */
const struct value_form *rpc_data_form(struct capnweb_text tag);

/* The session's fault is that sentence; CM_E_PEER. */
int rpc_wrong(struct evaluator *ev, const char *what);
int rpc_no_memory(struct evaluator *ev);

/* An expression becomes its value, in place. Negative: the fault tells. */
int rpc_evaluate_value(struct evaluator *ev, struct capnweb_value *value, size_t depth);
int rpc_evaluate_members(struct evaluator *ev, const struct capnweb_member *members, size_t count,
                         size_t depth);

static inline bool is_string(const struct elements *form, size_t i)
{
    return i < form->count && form->items[i].kind == CAPNWEB_STRING;
}

#endif
