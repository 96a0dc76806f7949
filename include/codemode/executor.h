/*
 * codemode/executor.h - run programs that language models write
 *
 * An executor runs each program in a fresh JavaScript isolate inside a jailed
 * worker process. It lives in the host's event loop: it owns no thread,
 * takes no signal and keeps no global state, so a process may hold several.
 *
 *     struct cm_settings *settings = cm_settings_new();
 *     struct cm_executor *ex = NULL;
 *     struct cm_error err = CM_ERROR_INIT;
 *
 *     if (cm_executor_new(settings, &ex, &err) < 0) ...
 *     while (!done) {
 *         struct pollfd pfd = { cm_executor_fd(ex), POLLIN, 0 };
 *         poll(&pfd, 1, cm_executor_timeout_ms(ex));
 *         cm_executor_process(ex);
 *     }
 *     cm_executor_free(ex);
 *
 * Rules that hold for every function here: a NULL where the text does not allow
 * it is CM_E_INVAL and changes nothing; ret_ results are written on success
 * only; text is UTF-8 and, where the library hands it out, has a final NUL that
 * its length does not count. An executor belongs to the thread that made it, in
 * the process that made it: after fork() the child may only forget it.
 */
#ifndef CODEMODE_EXECUTOR_H
#define CODEMODE_EXECUTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_API __attribute__((visibility("default")))

/* What a call of this library can return: 0 or a count is success. */
enum cm_err {
    CM_OK = 0,
    CM_E_INVAL = -1,  /* misuse: an argument or a setting is not acceptable */
    CM_E_NOMEM = -2,  /* no memory */
    CM_E_LIMIT = -3,  /* a bound of ours was reached */
    CM_E_SYSTEM = -4, /* the system refused something; errno is in the error */
    CM_E_STATE = -5,  /* too late or too early: the run or executor has moved on */
    CM_E_WORKER = -6, /* the worker program is missing or does not fit */
    CM_E_PEER = -7    /* the other end broke the protocol */
};

/* The first failure of a call: what went wrong, errno where the system said so,
 * and one sentence for a person. */
struct cm_error {
    enum cm_err code;
    int sys_errno;
    char text[512];
};

#define CM_ERROR_INIT \
    {                 \
        CM_OK, 0,     \
        {             \
            0         \
        }             \
    }

/* Faults: what the executor could not do. A row is never reordered: the number
 * is ABI. X(NAME, retryable) */
#define CM_FAULT_MAP(X)       \
    X(INVALID_REQUEST, 0)     \
    X(RESPONSE_TOO_LARGE, 0)  \
    X(OVERLOADED, 1)          \
    X(CANCELLED, 0)           \
    X(EXECUTION_GONE, 0)      \
    X(WORKER_LOST, 1)         \
    X(UNAUTHORIZED, 0)        \
    X(CONNECTION_REJECTED, 0) \
    X(CONNECTION_BROKEN, 0)   \
    X(UNAVAILABLE, 1)         \
    X(INTERNAL, 0)

enum cm_fault {
    CM_FAULT_NONE,
#define CM_FAULT_ENUM(name, retryable) CM_FAULT_##name,
    CM_FAULT_MAP(CM_FAULT_ENUM)
#undef CM_FAULT_ENUM
};

/* Failures: what a program did wrong. X(NAME, word) */
#define CM_FAILURE_MAP(X)   \
    X(SYNTAX, syntax)       \
    X(THROWN, thrown)       \
    X(RESULT, result)       \
    X(TOO_LARGE, too_large) \
    X(TIMEOUT, timeout)     \
    X(WALL, wall)           \
    X(MEMORY, memory)       \
    X(MODULE, module)

enum cm_failure {
    CM_FAILURE_NONE,
#define CM_FAILURE_ENUM(name, word) CM_FAILURE_##name,
    CM_FAILURE_MAP(CM_FAILURE_ENUM)
#undef CM_FAILURE_ENUM
};

/* Levels of a log line. X(NAME, word) */
#define CM_LEVEL_MAP(X) \
    X(LOG, log)         \
    X(WARN, warn)       \
    X(ERROR, error)

enum cm_level {
#define CM_LEVEL_ENUM(name, word) CM_LEVEL_##name,
    CM_LEVEL_MAP(CM_LEVEL_ENUM)
#undef CM_LEVEL_ENUM
};

struct cm_settings;
struct cm_executor;
struct cm_run;

/* "OVERLOADED", "syntax", "warn"; "" for the NONE values and for a number that
 * this version does not know. Static text. Any thread. */
CM_API const char *cm_fault_name(enum cm_fault fault);
CM_API const char *cm_failure_name(enum cm_failure failure);
CM_API const char *cm_level_name(enum cm_level level);

/* 1 when the same request may succeed later. Any thread. */
CM_API int cm_fault_retryable(enum cm_fault fault);

/* The library's version, "0.1.0". Any thread. */
CM_API const char *cm_version(void);

/*
 * cm_settings_new, cm_settings_set, cm_settings_get, cm_settings_free
 *
 * The bounds and pool sizes of an executor, by name. Names, units, defaults and
 * bounds are the rows of docs/reference/settings ("MEMORY_LIMIT_MB"). Two names
 * take text: WORKER_PATH, the codemode-worker program (default: what the
 * library was configured with), and none other.
 *
 * Owns:    the caller, until cm_settings_free(); NULL may be freed. Values are
 *          copied. The text of _get lives until the next _set or _free.
 * Thread:  any, one at a time.
 * Blocks:  never.
 * Errors:  _new: NULL without memory. _set: CM_E_INVAL with a sentence that
 *          names the setting, the value and what is accepted; CM_E_NOMEM.
 *          _get: NULL for an unknown name.
 * Since:   0.1
 */
CM_API struct cm_settings *cm_settings_new(void);
CM_API int cm_settings_set(struct cm_settings *settings, const char *name, const char *value,
                           struct cm_error *err);
CM_API const char *cm_settings_get(struct cm_settings *settings, const char *name);
CM_API void cm_settings_free(struct cm_settings *settings);

/* One row of the settings, for --help and docs: index from 0 until NULL. */
struct cm_setting_info {
    const char *name; /* "MEMORY_LIMIT_MB" */
    const char *unit; /* "ms", "MB", "bytes", "count", "word", "text" */
    const char *help;
    uint64_t initial; /* 0: none; of a word its number, from 1 */
    uint64_t min;
    uint64_t max;
    const char *const *words; /* what a "word" takes, NULL at their end; NULL for other units */
};
CM_API const struct cm_setting_info *cm_setting_info(size_t index);

/* A name that the program sees as a global whose methods are tools. */
struct cm_provider {
    const char *name;         /* an identifier that the isolate does not use itself */
    const char *const *tools; /* names told to the model; any name may be called */
    size_t tool_count;
};

/* What a module's source is. The numbers are ABI. */
enum cm_module_kind {
    CM_MODULE_ESM,
    CM_MODULE_CJS,
    CM_MODULE_JSON,
    CM_MODULE_TEXT,
    CM_MODULE_DATA /* bytes; the others are UTF-8 text without U+0000 */
};

/* What a program may import, and by which name. */
struct cm_module {
    const char *specifier; /* unique; not "executor.js" or "program.js" */
    enum cm_module_kind kind;
    const void *source;
    size_t source_bytes;
};

/* In TypeScript are the program and the modules whose specifiers end in .ts, .mts
 * or .cts. Types are erased, not checked. */
enum cm_language { CM_LANGUAGE_JAVASCRIPT, CM_LANGUAGE_TYPESCRIPT };

/* Where the requests of fetch go. */
enum cm_outbound {
    CM_OUTBOUND_DEFAULT, /* OUTBOUND_MODE: the executor performs them itself, or nobody does */
    CM_OUTBOUND_HOST,    /* to on_fetch */
    CM_OUTBOUND_NONE     /* nowhere: fetch rejects */
};

/* One program and what it is granted. Start from CM_REQUEST_INIT: a field that
 * is not set takes the executor's default. */
struct cm_request {
    size_t struct_bytes; /* sizeof(struct cm_request) of the caller's header */
    const char *code;    /* required */
    size_t code_bytes;
    const struct cm_provider *providers;
    size_t provider_count;
    double timeout_ms;         /* run clock; 0: default, HUGE_VAL: no deadline */
    int count_host_waits;      /* 1: host waits are charged to the run clock */
    const char *isolation_key; /* runs of different keys never share a worker process; NULL: "" */
    enum cm_outbound outbound;
    int retain_handles; /* 1: keep the isolate when the program returns a request handler */
    const struct cm_module *modules;
    size_t module_count;
    enum cm_language language;
};

#define CM_REQUEST_INIT                                                                           \
    {                                                                                             \
        sizeof(struct cm_request), NULL, 0, NULL, 0, 0, 0, NULL, CM_OUTBOUND_DEFAULT, 0, NULL, 0, \
            CM_LANGUAGE_JAVASCRIPT                                                                \
    }

/* The same as JSON text with the fields of the guide (code, providers, timeout,
 * countHostWaits, modules, language, ...): for hosts that receive requests from elsewhere.
 *
 * Owns:    *ret_request is the caller's until cm_request_free(); NULL may be
 *          freed. `json` is borrowed until return.
 * Thread:  any.
 * Blocks:  never.
 * Errors:  CM_E_INVAL with a sentence that names field, value and what is
 *          accepted (it is the text of fault INVALID_REQUEST); CM_E_NOMEM.
 * Since:   0.1
 */
CM_API int cm_request_parse(const char *json, size_t json_bytes, struct cm_request **ret_request,
                            struct cm_error *err);
CM_API void cm_request_free(struct cm_request *request);

/* A tool call that waits for cm_run_answer() or cm_run_reject(). The texts live
 * until the callback returns. */
struct cm_call {
    uint32_t id; /* unique in its run */
    const char *provider;
    const char *tool;
    const char *args; /* JSON text of an array, binary as the envelope */
    size_t args_bytes;
};

/* A header of a request or response. A value's bytes above 0x7f, which HTTP reads
 * as Latin-1, are UTF-8 here like every text. Repeated names keep their order. */
struct cm_header {
    const char *name;
    size_t name_bytes;
    const char *value;
    size_t value_bytes;
};

/* A request of fetch that waits for cm_run_respond() or cm_run_refuse(), or one
 * for a retained execution. Everything lives until the callback returns. */
struct cm_fetch {
    uint32_t id; /* unique among the calls and fetches of its run; 0 for cm_invoke_start() */
    const char *url;
    size_t url_bytes;
    const char *method;
    const struct cm_header *headers;
    size_t header_count;
    const void *body; /* NULL: none */
    size_t body_bytes;
};

/* The response to one. */
struct cm_response {
    unsigned status;         /* 200 to 599 */
    const char *status_text; /* NULL: "" */
    const struct cm_header *headers;
    size_t header_count;
    const void *body; /* NULL: none */
    size_t body_bytes;
};

struct cm_log {
    enum cm_level level;
    const char *text;
    size_t text_bytes;
};

/* How a run ended. Exactly one of three: `fault` is set (the executor could not
 * do it; `message` says why), `error` is not NULL (the program failed), or
 * neither (it succeeded; `result` is NULL when it returned undefined, and where
 * an execution was kept or answered). `logs`
 * holds every line in all three. Lives until cm_run_free(). */
struct cm_outcome {
    enum cm_fault fault;
    const char *message;
    const char *result; /* JSON text, binary as the envelope */
    size_t result_bytes;
    const char *error;
    size_t error_bytes;
    enum cm_failure failure;
    const char *stack; /* program frames, one a line; NULL when there is none */
    size_t stack_bytes;
    const struct cm_log *logs;
    size_t log_count;
    uint64_t queued_ns;  /* waited for a worker */
    uint64_t wall_ns;    /* from the worker's start to the end */
    uint64_t charged_ns; /* what the run clock counted */
    /* Of a run with retain_handles whose isolate was kept, instead of a result. */
    const char *execution_id; /* unguessable text; NULL: not kept */
    const char *const *handles;
    size_t handle_count;
    const struct cm_response *response; /* of cm_invoke_start(), instead of a result */
    int retryable;                      /* of a fault: 1 when the same request may succeed later */
};

/* What a host hears of a run, from cm_executor_process(), cm_execute() and
 * cm_executor_free() only. Each callback may be NULL. A callback may call every
 * function of this header but cm_executor_free() and cm_executor_process().
 *
 * on_call  the program called a tool. Without it calls reject with the sentence
 *          that no dispatch function was given.
 * on_fetch the program made a request and `outbound` is CM_OUTBOUND_HOST. Without
 *          it such requests reject with a sentence that says so.
 * on_drop  a call or fetch that was reported will not be waited for any more: the
 *          run was killed, cancelled or ended first, or the program aborted the
 *          fetch. Before on_end.
 * on_log   a log line, as it is written.
 * on_end   the run is over; nothing follows. cm_run_free() may be called in it.
 */
struct cm_events {
    void (*on_call)(void *user, struct cm_run *run, const struct cm_call *call);
    void (*on_drop)(void *user, struct cm_run *run, uint32_t call_id);
    void (*on_log)(void *user, struct cm_run *run, const struct cm_log *line);
    void (*on_end)(void *user, struct cm_run *run, const struct cm_outcome *outcome);
    void (*on_fetch)(void *user, struct cm_run *run, const struct cm_fetch *fetch);
};

/*
 * cm_executor_new - make an executor; starts no process
 *
 * The first run starts the pool.
 *
 * Owns:    *ret_executor is the caller's until cm_executor_free(). `settings`
 *          is copied and may be NULL for the defaults.
 * Thread:  the one that will use it.
 * Blocks:  never.
 * Errors:  CM_E_NOMEM; CM_E_SYSTEM (no descriptor).
 * Since:   0.1
 */
CM_API int cm_executor_new(const struct cm_settings *settings, struct cm_executor **ret_executor,
                           struct cm_error *err);

/* How to connect. Start from CM_CONNECT_OPTIONS_INIT. */
struct cm_connect_options {
    size_t struct_bytes; /* sizeof(struct cm_connect_options) of the caller's header */
    const char *token;   /* what the daemon's AUTH_TOKEN says; NULL: none */
    const struct cm_settings *settings; /* of them MESSAGE_LIMIT_BYTES holds here; NULL: defaults */
    const char *ca_file; /* PEM: the certificates that wss:// trusts; NULL: those of the system */
};

#define CM_CONNECT_OPTIONS_INIT                             \
    {                                                       \
        sizeof(struct cm_connect_options), NULL, NULL, NULL \
    }

/*
 * cm_connect - make an executor whose runs a daemon carries out
 *
 * `codemode-executor serve` at ws://HOST:PORT/ or wss://HOST/. Everything in this header
 * works with it, and the same program gives the same outcome. What differs:
 * - The first run connects, as does the first after a connection broke. Until then, and
 *   for 10 s at most, runs wait. A daemon that does not answer ends them with fault
 *   CONNECTION_REJECTED, or what it says (UNAUTHORIZED). A connection that breaks ends
 *   those that the daemon has with fault CONNECTION_BROKEN, `retryable`: their tool calls
 *   may have happened. Retained executions end with the connection, too.
 * - Bounds and defaults are the daemon's. A connection is its own isolation key: a request
 *   that has another than "" is INVALID_REQUEST.
 * - Of a fault, the outcome has the log lines that were told live, and they are told live
 *   only where there is an on_log. Times of an outcome are those that passed here.
 * - cm_executor_start() connects; cm_executor_report() is NULL; cm_executor_stats() counts
 *   runs, calls, fetches and log lines.
 *
 * Owns:    *ret_executor is the caller's until cm_executor_free(). `url` and options are
 *          copied; NULL options are the defaults.
 * Thread:  the one that will use it.
 * Blocks:  never.
 * Errors:  CM_E_INVAL: the URL is none of these, or has a user in it; CM_E_NOMEM;
 *          CM_E_SYSTEM (no descriptor).
 * Since:   0.1
 */
CM_API int cm_connect(const char *url, const struct cm_connect_options *options,
                      struct cm_executor **ret_executor, struct cm_error *err);

/* One descriptor that becomes readable when cm_executor_process() has work. The
 * executor's own: never read, write or close it. */
CM_API int cm_executor_fd(const struct cm_executor *executor);

/* Milliseconds until cm_executor_process() has work even if the descriptor
 * stays silent, rounded up; -1 for never. Ask again after each call. */
CM_API int cm_executor_timeout_ms(const struct cm_executor *executor);

/*
 * cm_executor_process - do what is ready, call back, return
 *
 * Returns the number of runs that have not ended.
 *
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  CM_E_INVAL. What fails inside ends the runs it concerns with a fault.
 * Since:   0.1
 */
CM_API int cm_executor_process(struct cm_executor *executor);

/* Start the pool now, so that the first run does not wait for it. Errors as
 * those of the first run: CM_E_WORKER, CM_E_SYSTEM. */
CM_API int cm_executor_start(struct cm_executor *executor, struct cm_error *err);

/*
 * cm_executor_dispose - take no more runs, finish those that are admitted
 *
 * cm_executor_process() ends the children once the last run is over. Later
 * submissions end with fault INTERNAL "The pool is shutting down.".
 *
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  none; NULL and a second call do nothing.
 * Since:   0.1
 */
CM_API void cm_executor_dispose(struct cm_executor *executor);

/*
 * cm_executor_free - end every run with fault INTERNAL, end the children, free
 *
 * Owns:    takes `executor`; NULL may be freed. Runs stay the caller's.
 * Thread:  the executor's; not from a callback.
 * Blocks:  until the killed children are gone (milliseconds).
 * Errors:  none.
 * Since:   0.1
 */
CM_API void cm_executor_free(struct cm_executor *executor);

/*
 * cm_run_start - submit one program
 *
 * Returns 0 and sets *ret_run; the rest arrives through `events`. Exactly one
 * on_end follows each return of 0, and none follows an error. A malformed
 * request is not an error of this call: the run ends with fault
 * INVALID_REQUEST.
 *
 * Owns:    *ret_run is the caller's until cm_run_free(), which also cancels a
 *          live run. `request` is copied. `events` and `user` are borrowed until
 *          on_end has returned or the run is freed.
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  CM_E_INVAL; CM_E_NOMEM.
 * Since:   0.1
 */
CM_API int cm_run_start(struct cm_executor *executor, const struct cm_request *request,
                        const struct cm_events *events, void *user, struct cm_run **ret_run,
                        struct cm_error *err);

/*
 * cm_run_answer, cm_run_reject - answer a tool call, now or later
 *
 * cm_run_answer() takes {"result": ...}, {"error": "message"} or
 * {"error": {"name", "message", "code", "data"}} as JSON text; cm_run_reject()
 * the message of a dispatch that failed.
 *
 * Owns:    the texts are copied.
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  CM_E_STATE: the call is not open (answered before, or its run has
 *          ended); a host may ignore it. CM_E_NOMEM. An answer above
 *          MESSAGE_LIMIT_BYTES rejects the call with the sentence about size.
 * Since:   0.1
 */
CM_API int cm_run_answer(struct cm_run *run, uint32_t call_id, const char *json, size_t json_bytes);
CM_API int cm_run_reject(struct cm_run *run, uint32_t call_id, const char *message,
                         size_t message_bytes);

/*
 * cm_run_respond, cm_run_refuse - answer a fetch that on_fetch reported
 *
 * cm_run_refuse() makes it reject with a TypeError of this message.
 *
 * Owns:    what is given is copied.
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  CM_E_STATE: the fetch is not open (answered or aborted before, or its
 *          run has ended); a host may ignore it. CM_E_NOMEM. A response that is
 *          not one (status, header names and values), or whose body is above
 *          MESSAGE_LIMIT_BYTES, rejects the fetch with a sentence about it.
 * Since:   0.1
 */
CM_API int cm_run_respond(struct cm_run *run, uint32_t fetch_id,
                          const struct cm_response *response);
CM_API int cm_run_refuse(struct cm_run *run, uint32_t fetch_id, const char *message,
                         size_t message_bytes);

/* End a run from the host's side: its worker is killed and on_end follows, from
 * cm_executor_process(), with fault CANCELLED. A run that has ended stays as it
 * is. */
CM_API void cm_run_cancel(struct cm_run *run);

/* The outcome, or NULL while the run is not over. */
CM_API const struct cm_outcome *cm_run_outcome(const struct cm_run *run);

/* The executor of a run, or NULL once it has been freed. */
CM_API struct cm_executor *cm_run_executor(const struct cm_run *run);

/* Gives a run back; cancels it, without on_end, if it has not ended. NULL may be
 * freed. */
CM_API void cm_run_free(struct cm_run *run);

/*
 * cm_execute - run one program to its end
 *
 * cm_run_start() and then the executor's loop until this run is over; other
 * runs of the executor go on meanwhile.
 *
 * Owns, Errors: as cm_run_start(); read *ret_run with cm_run_outcome().
 * Thread:  the executor's.
 * Blocks:  until the run has ended.
 * Since:   0.1
 */
CM_API int cm_execute(struct cm_executor *executor, const struct cm_request *request,
                      const struct cm_events *events, void *user, struct cm_run **ret_run,
                      struct cm_error *err);

/*
 * cm_invoke_start - hand a request to a retained execution
 *
 * A run like any other, with its own events, log lines and run clock (what the
 * request that made the execution says); its outcome has `response`. Calls of one
 * execution run side by side in its isolate. One that ends by a bound, is
 * cancelled or is freed early ends the execution, and with it the other calls.
 *
 * Owns:    *ret_run as cm_run_start(). Texts and request are copied.
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  CM_E_INVAL; CM_E_NOMEM. What keeps the call from starting is its end:
 *          fault EXECUTION_GONE for an id that names no retained execution,
 *          INVALID_REQUEST for a handle or request that is none.
 * Since:   0.1
 */
CM_API int cm_invoke_start(struct cm_executor *executor, const char *execution_id,
                           const char *handle, const struct cm_fetch *request,
                           const struct cm_events *events, void *user, struct cm_run **ret_run,
                           struct cm_error *err);

/*
 * cm_execution_release, cm_executor_release_key - end retained executions
 *
 * One by its id, or all whose request had this isolation key (NULL: ""). Calls
 * that are under way end with fault EXECUTION_GONE.
 *
 * Thread:  the executor's.
 * Blocks:  never.
 * Errors:  CM_E_STATE: no such execution is retained (any more). CM_E_INVAL.
 * Since:   0.1
 */
CM_API int cm_execution_release(struct cm_executor *executor, const char *execution_id);
CM_API void cm_executor_release_key(struct cm_executor *executor, const char *isolation_key);

/* What the jail of this executor's workers consists of, and on what they run.
 * Known once the pool has started. */
struct cm_layer {
    const char *name;   /* "seccomp", "pid namespace", ... */
    int in_force;       /* 0: could not be set up */
    const char *detail; /* why not, or what it is; "" when there is nothing to say */
};

struct cm_report {
    const struct cm_layer *layers;
    size_t layer_count;
    const char *engine; /* "JavaScriptCore 2.50.6" */
    const char *worker; /* path of the worker program */
};

/* NULL before the pool has started. Lives until the executor is freed. */
CM_API const struct cm_report *cm_executor_report(const struct cm_executor *executor);

/* Counters since the executor was made, and gauges of now. */
struct cm_stats {
    uint64_t runs_started;
    uint64_t runs_ended;
    uint64_t runs_live;
    uint64_t runs_queued;
    uint64_t workers_live;
    uint64_t workers_ready;
    uint64_t workers_started;
    uint64_t workers_killed;
    uint64_t workers_lost;
    uint64_t zygotes_started;
    uint64_t calls;
    uint64_t log_lines;
    uint64_t modules_compiled; /* programs and modules that were not in the cache */
    uint64_t fetches;          /* that reached the host or the network */
    uint64_t fetches_refused;  /* by the address policy */
    uint64_t workers_starting; /* asked for, not ready yet */
    uint64_t workers_running;
    uint64_t workers_ending;
    uint64_t spawns;        /* workers that got ready */
    uint64_t spawn_ns;      /* what they took for it, in all */
    uint64_t kills_timeout; /* runs that a bound ended, by bound */
    uint64_t kills_wall;
    uint64_t kills_memory;
    uint64_t kills_cancelled; /* running ones that the host cancelled or freed */
    uint64_t retained_live;
    uint64_t retained_made;
    uint64_t invocations;
};
CM_API void cm_executor_stats(const struct cm_executor *executor, struct cm_stats *ret_stats);

#ifdef __cplusplus
}
#endif

#endif
