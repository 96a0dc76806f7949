/* A run: one program, from its submission to its end. */
#ifndef CM_EXECUTOR_RUN_H
#define CM_EXECUTOR_RUN_H

#include "base/list.h"
#include "executor/calls.h"
#include "executor/fetches.h"
#include "executor/logs.h"
#include "executor/remote.h"
#include "executor/request.h"
#include "executor/run_clock.h"
#include "executor/timers.h"
#include "ipc/frame.h"

enum run_state {
    RUN_QUEUED,  /* waits for a worker */
    RUN_RUNNING, /* a worker has it */
    RUN_KILLED,  /* decided; the worker was killed and is read to its end for log lines */
    RUN_ENDED,   /* waits for its on_end */
    RUN_OVER,    /* on_end has been called, or the host gave the run back before */
    RUN_STATES
};

/* What cm_execute() keeps of its run: a callback of the host's may free it. */
struct run_watch {
    bool over;
    bool freed;
};

/* Owner: the host, until cm_run_free(). */
struct cm_run {
    struct cm_executor *executor; /* NULL: freed */
    struct cm_list all;           /* executor->runs */
    struct cm_list link;          /* the queue, executor->ends or executor->run_graves */
    enum run_state state;
    bool decided;        /* how it ends is settled: `outcome` has its fault or error */
    struct unit **units; /* of request->modules: held; NULL where one is not compiled */
    size_t unit_count;
    struct request *request; /* owned; NULL: it was malformed, or the run has ended */
    const struct cm_events *events;
    void *user;
    struct worker *worker;       /* while RUNNING and KILLED */
    struct execution *execution; /* that it is an invocation of, while RUNNING; or NULL */
    struct cm_list of_execution; /* execution->invocations */
    uint32_t invocation;
    struct timer timer; /* the queue's bound, then the clock's */
    struct run_clock clock;
    bool waited_long;      /* in the queue, for a worker that was about to be ready */
    bool sleeps_on_timers; /* the last WAIT said so */
    struct calls calls;
    struct cm_list fetches; /* under way */
    size_t fetch_count;
    size_t transfer_count;     /* of them: that the executor performs */
    size_t answered_count;     /* of those: whose response the program has, but not its end */
    size_t stalled_count;      /* of those: that wait until it takes what has come */
    struct outbound *outbound; /* NULL until it performs one */
    struct logs logs;
    bool logs_stopped;
    struct cm_outcome outcome;
    char *sentence; /* owner of outcome.message or outcome.error where they are ours */
    uint8_t *body;  /* owner of the texts that DONE, RETAINED or REPLY brought */
    struct cm_response response;
    struct cm_header *response_headers; /* owned */
    struct carried *carried; /* while RUNNING, of an executor that has a remote; or NULL */
    void *brought;           /* owner of what a carried run's outcome refers to */
    void (*release_brought)(void *brought); /* NULL: nothing was */
    struct run_watch *watch;                /* lent by cm_execute(); or NULL */
    uint64_t submitted_ns;
    uint64_t started_ns; /* 0: no worker has had it */
};

/* Ends a run from outside: it is decided with this fault, or the failure, and
 * its worker is killed. `sentence` is taken; NULL where there was no memory for
 * it. Does nothing for a run that is decided. */
void run_stop_fault(struct cm_run *run, enum cm_fault fault, char *sentence);
void run_stop_failure(struct cm_run *run, enum cm_failure failure, char *sentence);

/* Gives back what it held of the module cache; a second call does nothing. */
void run_release_units(struct cm_run *run);

/* Whether what the run needs compiled is. Ends it when its program does not compile;
 * false then. */
bool run_is_compiled(struct cm_run *run);
/* A run of nothing; run_destroy() it. NULL without memory. */
struct cm_run *run_new(struct cm_executor *executor, const struct cm_events *events, void *user);

/* Our bug when the move is none of the table. */
void run_set_state(struct cm_run *run, enum run_state state);

/* Keeps a log line and tells it; the host may end or free any run. */
void run_add_line(struct cm_run *run, const struct cm_log *line);

/* It is decided: from here on it waits for cm_executor_process() to call on_end. */
void run_end(struct cm_run *run);

/* It is the host's from now on. */
void run_submitted(struct cm_run *run);

/* Makes it an invocation of a retained execution, and starts its clock. Its request
 * is set. */
void run_begin_invocation(struct cm_run *run, struct execution *execution);

/* The last id of a call or fetch in the sequence that it takes part in. */
uint32_t *run_last_id(struct cm_run *run);

/* Whether the program waits for the host, the network or a timer, as far as its worker
 * has told. */
bool run_waits(const struct cm_run *run);

/* Gives the run to a worker. CM_E_PEER: that worker is dead, and another may be
 * tried. CM_E_NOMEM. */
int run_begin(struct cm_run *run, struct worker *worker);

/* What its worker says. Those that can break a rule return it, or NULL. */
const char *run_on_call(struct cm_run *run, const struct cm_call *call);
const char *run_on_log(struct cm_run *run, const struct cm_log *line);
const char *run_on_log_stop(struct cm_run *run, enum ipc_stop reason);
void run_on_wait(struct cm_run *run, bool timers);

/* run_fetch.c: the same of fetches */
const char *run_on_fetch(struct cm_run *run, const struct ipc_fetch_body *request);
const char *run_on_fetch_abort(struct cm_run *run, uint32_t id);
const char *run_on_fetch_took(struct cm_run *run, const struct ipc_fetch_took *took);

/* Whether FETCH will be answered: enum ipc_outbound. */
uint32_t run_outbound(const struct cm_run *run);

/* A fetch that the host performs, of a carried run. CM_E_NOMEM. */
int run_open_fetch(struct cm_run *run, uint32_t id, const char *url);
void run_close_fetch(struct cm_run *run, uint32_t id);

/* What the program gets of a response: false when the run is no longer RUNNING,
 * and everything that was under way in it is gone. */
bool run_send_response(struct cm_run *run, const struct ipc_response *head, const char *status_text,
                       const char *url, const void *headers);
bool run_send_body(struct cm_run *run, uint32_t id, bool last, const void *bytes, size_t n);

/* Ends what the executor performs for the run. What the host performs is dropped
 * with run_drop_fetches(), which calls back. */
void run_stop_transfers(struct cm_run *run);
void run_drop_fetches(struct cm_run *run);
void run_fetches_done(struct cm_run *run);

/* The text as UTF-8 without U+0000: each byte that does not fit becomes U+FFFD.
 * free() it; NULL without memory. */
char *run_repaired(const char *text, size_t bytes);

/* Host waits are counted anew: a call or fetch has begun or ended. */
void run_update_clock(struct cm_run *run);
void run_stop_no_memory(struct cm_run *run);

/* `body` is what the texts of `done` lie in; taken. */
void run_on_done(struct cm_run *run, const struct ipc_done_body *done, uint8_t *body);
void run_on_exhausted(struct cm_run *run);

/* Ends a run that would be kept where MAX_RETAINED are already; says whether it has. */
bool run_refuse_retained(struct cm_run *run);

/* The isolate stays: the run ends with an execution. */
const char *run_on_retained(struct cm_run *run, const struct ipc_handles *handles);

/* A handler's response; `body` is what it lies in; taken. */
void run_on_reply(struct cm_run *run, const struct ipc_reply_body *reply, uint8_t *body);

/* The execution that it is an invocation of ends: so does the run. */
void run_on_execution_gone(struct cm_run *run);

/* Its worker broke `rule`. */
void run_on_breach(struct cm_run *run, const char *rule);

/* Its worker has ended and has been read to its end; `exit` is NULL when nobody
 * knows how. The run ends. */
void run_on_worker_gone(struct cm_run *run, const struct ipc_exited *exit);

/* The call has been answered. */
void run_close_call(struct cm_run *run, struct open_call *call);

/* The host wants to hear no more: whatever state it is in, the run is OVER. */
void run_abandon(struct cm_run *run);

/* Starts the clock of the queue. */
void run_enqueued(struct cm_run *run);

/* Of its timer. */
void run_on_timer(struct timer *timer, uint64_t now_ns);

/* Calls back for the end. */
void run_deliver(struct cm_run *run);

/* Frees a run that nothing refers to. */
void run_destroy(struct cm_run *run);

#endif
