/*
 * On whose behalf the isolate works at the moment: the program's, or in a retained
 * execution that of one invocation. Invocations share one event loop; what an event
 * leads to belongs to the invocation that has asked for the event (its request, a
 * tool call, a fetch, a timer), until the next event.
 */
#ifndef CM_WORKER_CONTEXTS_H
#define CM_WORKER_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct worker;

/* What is counted for each. */
struct tally {
    uint32_t calls_made;
    uint32_t log_lines;
    uint64_t log_bytes;
    bool log_stopped;
};

struct contexts {
    bool retained;    /* else there is the program alone, and its number is 0 */
    uint32_t current; /* an invocation, which may be over */
    uint32_t told;    /* what the supervisor believes it to be */
    struct invocation *live;
    size_t live_count;
    size_t live_cap;
    unsigned ended;        /* invocations since memory was last collected */
    struct pending *calls; /* tool calls that have not been answered */
    size_t call_count;
    size_t call_cap;
};

/* The program has ended and its value stays. */
void contexts_retain(struct worker *worker);

/* An invocation begins, and is the current one. CM_E_NOMEM. */
int contexts_begin(struct worker *worker, uint32_t invocation);

/* It is over, and what it still waits for is forgotten. */
void contexts_end(struct worker *worker, uint32_t invocation);

/* worker->tally is the invocation's from now on, NULL for one that is over. */
void contexts_enter(struct worker *worker, uint32_t invocation);

/* A tool call of the current one has been made. CM_E_NOMEM. */
int contexts_add_call(struct worker *worker, uint32_t call_id);

/* Its answer has come, and its invocation is the current one. False: that one is
 * over. */
bool contexts_take_call(struct worker *worker, uint32_t call_id);

#endif
