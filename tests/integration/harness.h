/* A host for tests of the whole path: the public API above, the real worker
 * below. It scripts its tools by their names, so that programs say themselves
 * how they want to be answered, and proves that an executor leaves no process
 * and no descriptor behind.
 *
 * Where CM_TEST_DAEMON names the built codemode-executor, a host's runs are carried out
 * by a daemon of its own, with its settings, and everything is to be the same. */
#ifndef CM_TESTS_INTEGRATION_HARNESS_H
#define CM_TESTS_INTEGRATION_HARNESS_H

#include "../processes.h"

#include "codemode/executor.h"
#include "served.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { OPEN_CALLS_MAX = 512 };

#define BINARY(kind, data) "{\"__codemode_binary_v1__\":\"" kind "\",\"data\":\"" data "\"}"

struct host {
    struct cm_settings *settings;
    struct cm_executor *executor;
    size_t fds_before;
    struct served served; /* the daemon that carries its runs out; of zeros: none does */
};

/* One run and what was heard of it. What precedes `run` is the test's to set.
 *
 * The tools of every provider:
 *   echo       answers its arguments as an array
 *   raw        answers with the text of its first argument
 *   reject     a dispatch that fails with its first argument
 *   silent     never answers
 *   hold       answers null with the next `flush`
 *   flush      answers what is held, the last first, then itself
 * and every other name answers {"result": its own name}. */
struct job {
    const char *code;
    size_t code_bytes; /* 0: strlen */
    double timeout_ms; /* 0: the executor's */
    int count_host_waits;
    const char *key;            /* isolation */
    const char *const *modules; /* name, source, ..., NULL; the kind is by the name's ending */
    bool typescript;
    bool deaf;                                                    /* without a dispatch function */
    bool bare;                                                    /* without a provider */
    void (*in_call)(struct job *job, const struct cm_call *call); /* instead of the script */
    void (*in_log)(struct job *job, const struct cm_log *line);
    enum cm_outbound outbound;
    void (*in_fetch)(struct job *job, const struct cm_fetch *fetch); /* NULL: none is taken */
    int retain_handles;
    void *user;

    struct cm_events events;
    struct cm_run *run;
    int ends;
    uint32_t open[OPEN_CALLS_MAX]; /* silent or held */
    size_t open_count;
    size_t call_count;
    size_t drop_count;
    uint32_t last_drop;
    size_t fetch_count;
    size_t live_lines;
    char last_args[256];
};

/* `settings` is name, value, ..., NULL, or NULL. */
void host_open(struct host *host, const char *const *settings);
void host_close(struct host *host);

/* Those that were open at a time, in the order in which they were opened: their
 * descriptors are counted together. */
void hosts_close(struct host *const *hosts, size_t count);

/* host_open() with a daemon, whatever the environment says; `token` may be NULL. */
void host_connect(struct host *host, const char *const *settings, const char *token);

void host_start(struct host *host, struct job *job);
/* An invocation of a retained execution instead of a program. */
void host_invoke(struct host *host, struct job *job, const char *execution_id, const char *handle,
                 const struct cm_fetch *request);
void host_turn(struct host *host); /* waits for work and does it */
void host_until_calls(struct host *host, struct job *job, size_t count);
void host_finish(struct host *host, struct job *job);
const struct cm_outcome *host_run(struct host *host, struct job *job);
void job_done(struct job *job); /* gives the run back */

/* The process that all workers of an executor are children of, and these. */
pid_t host_zygote(void);
size_t host_workers(pid_t *ret_pids);

/* Assertions that print both sides. */
void expect_text(const char *what, const char *got, const char *wanted);
void expect_result(const struct job *job, const char *json);
void expect_error(const struct job *job, const char *failure, const char *error);
void expect_engine_error(const struct job *job, const char *failure, const char *part);
void expect_fault(const struct job *job, const char *fault, const char *message);
void expect_logs(const struct job *job, const char *logs); /* "log text|warn text|" */

/* Runs code on the executor that a group's rows share; NULL error: it succeeds. */
struct row {
    const char *name;
    const char *code;
    const char *result; /* JSON text; NULL: undefined */
    const char *error;
    bool engine;         /* the wording is the engine's: it contains `error` */
    const char *failure; /* with an error; NULL: "thrown" */
    const char *logs;    /* NULL: none */
    const char *stack;   /* NULL: not looked at */
    double timeout_ms;
    bool deaf;
    const char *const *modules; /* as of a job */
    bool typescript;
};

struct CMUnitTest;
struct group {
    const char *name;
    const char *const *settings; /* of the rows' executor, and of the host below */
    const struct row *rows;
    size_t row_count;
    const struct CMUnitTest *tests;
    size_t test_count;
    struct host *host;         /* open while the tests run; NULL: each has its own */
    size_t local_count;        /* of them, the last: about a pool here, and no daemon's */
    int (*open)(void **state); /* before and after the tests; may be NULL */
    int (*close)(void **state);
};

/* main() of a test program: WORKER [PROGRAMS [PATTERN]]. */
int group_main(int argc, char **argv, const struct group *group);
void group_options(int argc, char **argv); /* where the arguments are needed before */
const char *programs_directory(void);
const char *worker_program(void);

#endif
