/* What a program asks its caller: tool calls and fetches that the caller's functions
 * answer, and log lines that it is told. */
#ifndef CM_DAEMON_ASKER_H
#define CM_DAEMON_ASKER_H

#include "base/list.h"
#include "capnweb/session.h"
#include "codemode/executor.h"

/* References to functions of the caller; NULL: not given. */
struct callbacks {
    struct capnweb_stub *dispatch;
    struct capnweb_stub *outbound;
    struct capnweb_stub *on_log;
};

/* Takes references to what an argument of the caller's offers, into `to`, which is
 * empty and needs callbacks_done() either way. CM_E_INVAL with a sentence. */
int callbacks_take(struct callbacks *to, const struct capnweb_value *value, struct cm_error *err);

/* Another set of references. */
struct callbacks callbacks_ref(const struct callbacks *callbacks);
void callbacks_done(struct callbacks *callbacks);

struct asker {
    struct callbacks callbacks;
    struct cm_list asked; /* that the caller has not answered */
};

void asker_init(struct asker *asker);

/* Nobody waits for answers any more, and the functions are given up. */
void asker_done(struct asker *asker);

/* Ask the caller, who answers `run` later. */
void asker_call(struct asker *asker, struct cm_run *run, const struct cm_call *call);
void asker_fetch(struct asker *asker, struct cm_run *run, const struct cm_fetch *fetch);

/* Nobody waits for this answer any more. */
void asker_drop(struct asker *asker, uint32_t id);

void asker_log(struct asker *asker, const struct cm_log *log);

#endif
