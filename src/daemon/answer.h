/* Outcomes of runs as values of the wire. */
#ifndef CM_DAEMON_ANSWER_H
#define CM_DAEMON_ANSWER_H

#include "capnweb/session.h"
#include "codemode/executor.h"

/* Answers the call with {error, logs, result?, failure?, stack?}, executionId and handles
 * of a retained execution, response of an invocation. */
void answer_outcome(struct capnweb_call *call, const struct cm_outcome *outcome);

/* What an outcome has as one frame: eight bytes of head, and it as JSON. */
uint64_t answer_bytes(const struct cm_outcome *outcome);

/* {level, text} */
struct answer_line {
    struct capnweb_member members[2];
};
struct capnweb_value answer_log(const struct cm_log *log, struct answer_line *line);

#endif
