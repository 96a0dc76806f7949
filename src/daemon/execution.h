/* Executions of a caller: from the call of execute() to its answer. */
#ifndef CM_DAEMON_EXECUTION_H
#define CM_DAEMON_EXECUTION_H

#include "daemon/connection.h"

/* execute(request, callbacks?): answers the call, now or when the run has ended. */
void execution_start(struct connection *connection, struct capnweb_call *call);

/* invoke(executionId, handle, request): answers the call when the handler has. */
void execution_invoke(struct connection *connection, struct capnweb_call *call);

/* release(executionId): true when such an execution was retained for the connection. */
bool execution_release(struct connection *connection, struct capnweb_text id);

/* Cancels the execution whose request carried this id; false: there is none. */
bool execution_cancel(struct connection *connection, struct capnweb_text request_id);

/* Ends every execution of the connection, without on_end of their runs. */
void executions_end_all(struct connection *connection);

/* Rejects the call with an ExecutorError that carries code and retryable. */
void execution_reject(struct capnweb_call *call, enum cm_fault fault, const char *message);

#endif
