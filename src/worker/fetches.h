/* The fetches of a program that are under way: what comes from the supervisor for
 * them (natives_fetch.c). */
#ifndef CM_WORKER_FETCHES_H
#define CM_WORKER_FETCHES_H

#include "ipc/frame.h"

#include <stdbool.h>

struct worker;
struct fetches;

/* RESPONSE, BODY or FETCH_FAILED. One for a fetch that was given up is ignored. */
void fetches_on_frame(struct worker *worker, const struct ipc_frame *frame);

/* How many wait for a frame: for a response, or for more of one. */
size_t fetches_open(const struct worker *worker);

/* Tells the program of fetches that never reached the supervisor, in a turn of its
 * own; false when there are none. */
bool fetches_tell_refused(struct worker *worker);

/* Those of an invocation that is over: nothing of them is told any more, but to who
 * may read a body that it does not come. */
void fetches_forget(struct worker *worker, uint32_t invocation);

/* Before the isolate goes. */
void fetches_done(struct worker *worker);

#endif
