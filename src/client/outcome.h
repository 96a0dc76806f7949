/* Outcomes as values of the wire. */
#ifndef CM_CLIENT_OUTCOME_H
#define CM_CLIENT_OUTCOME_H

#include "capnweb/session.h"
#include "wire/exchange.h"

/* What the texts of an outcome that came over the wire lie in. */
struct brought {
    struct capnweb_tree *tree;
    struct cm_log *logs;
    const char **handles;
    struct exchange_response response;
};

/* Reads what a daemon answered. *ret_brought is the caller's, outcome_release(). CM_E_PEER:
 * it is no outcome; CM_E_NOMEM. */
int outcome_take(const struct capnweb_outcome *answer, struct cm_outcome *outcome,
                 struct brought **ret_brought);

/* NULL may be released. */
void outcome_release(void *brought);

/* A log line, which borrows from `value`. False: it is none. */
bool outcome_take_log(const struct capnweb_value *value, struct cm_log *line);

#endif
