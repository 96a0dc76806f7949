/*
 * Messages that go out. Each is encoded whole before it is sent; when that fails, the
 * exports that it made are taken back and nothing is sent. Nothing is sent either
 * once the session has ended.
 */
#ifndef CM_CAPNWEB_WIRE_H
#define CM_CAPNWEB_WIRE_H

#include "capnweb/state.h"

/* Stands in the import table for a stream call whose result nobody wants. */
struct capnweb_stub *rpc_wire_orphan(void);

/* A push (or, to a stream, a stream message) of the call to a REMOTE stub; its result
 * becomes the import. In failure *ret_why is an error, whose use is the caller's. */
int rpc_wire_call(struct capnweb_call *call, struct capnweb_stub *target,
                  struct capnweb_tree **ret_why);

/* The error of a value that cannot be copied or encoded, for that code. */
struct capnweb_tree *rpc_wire_error(struct capnweb_session *session, int error);

/* A pipe message: the REMOTE stub of its writable end. NULL: no memory, or too many
 * entries. */
struct capnweb_stub *rpc_wire_pipe(struct capnweb_session *session);

void rpc_wire_pull(struct capnweb_session *session, int64_t id);

void rpc_wire_release(struct capnweb_session *session, int64_t id, size_t count);

/* A REMOTE stub has no reference left: a release, and it leaves the table. */
void rpc_wire_release_import(struct capnweb_stub *stub);

/* A resolve or reject for the export, whose stub has settled. */
void rpc_wire_answer(struct export *entry);

/* Answers what is only waited for by a pulled export, without keeping the value. False:
 * it is not so, or there is no such message; nothing has happened. */
bool rpc_wire_answer_now(struct capnweb_stub *result, const struct capnweb_value *value);

void rpc_wire_abort(struct capnweb_session *session, const struct capnweb_value *reason);

/* Another export of a stub (one more reference), with one introduction. NULL: no
 * memory, or too many entries. */
struct export *rpc_export_new(struct capnweb_session *session, int64_t id,
                              struct capnweb_stub *stub);

/* Takes it out of the table, unanswered or not. */
void rpc_export_free(struct export *entry);

/* Answers it as soon as it can be answered; once. */
void rpc_export_pull(struct export *entry);

#endif
