/* A host for tests: records what an executor calls back, and proves that it
 * leaves no process and no descriptor behind. */
#ifndef CM_TESTS_HOST_H
#define CM_TESTS_HOST_H

#include "codemode/executor.h"

#include <stdbool.h>

enum { HOST_CALLS_MAX = 64, HOST_TEXT_MAX = 8192 };

struct host {
    struct cm_settings *settings;
    struct cm_executor *executor;
    size_t fds_before;
};

/* What was heard of one run. */
struct heard {
    struct cm_run *run;
    int ends;
    enum cm_fault fault;
    enum cm_failure failure;
    char message[HOST_TEXT_MAX]; /* of the fault */
    char error[HOST_TEXT_MAX];
    char result[HOST_TEXT_MAX]; /* its beginning */
    size_t result_bytes;
    char logs[HOST_TEXT_MAX]; /* "log line|warn other|", from the outcome */
    size_t lines_live;
    uint32_t calls[HOST_CALLS_MAX];
    size_t call_count;
    size_t drop_count;
    uint64_t charged_ns;
    const char *answer;                   /* given to each call at once; NULL: none */
    void (*in_call)(struct heard *heard); /* instead */
    void (*in_log)(struct heard *heard);
    void (*in_end)(struct heard *heard);
    void (*in_drop)(struct heard *heard);
};

/* A host whose worker program is `name` in a directory of links to the fake. */
void host_open(struct host *host, const char *name);

/* Frees the executor and fails the test if anything of it is left. */
void host_close(struct host *host);
void host_set(struct host *host, const char *name, const char *value);

/* Made with the first use, so that host_set() comes before. */
struct cm_executor *host_executor(struct host *host);

void host_start(struct host *host, struct heard *heard, const char *code);
void host_start_request(struct host *host, struct heard *heard, const struct cm_request *request,
                        bool takes_calls);
void host_invoke(struct host *host, struct heard *heard, const char *execution_id,
                 const struct cm_fetch *request);
void host_turn(struct host *host); /* waits for work and does it */
void host_until_calls(struct host *host, struct heard *heard, size_t count);
void host_finish(struct host *host, struct heard *heard);
void host_run(struct host *host, struct heard *heard, const char *code);
void host_run_for(struct host *host, struct heard *heard, const char *code, double timeout_ms);

/* Runs a good program: what came before has harmed nobody. */
void host_still_runs(struct host *host);

/* Gives the run back; the record can be used again. */
void heard_done(struct heard *heard);

/* The path of the fake worker under that name. */
const char *host_link(const char *name);

/* Its own path, under which it behaves. */
const char *host_fake_path(void);

/* main() of a test program: the path of the fake worker, and a pattern of test
 * names if not all are wanted. */
struct CMUnitTest;
int host_main(int argc, char **argv, const char *group, const struct CMUnitTest *tests,
              size_t count);

/* Processes that the executor has, the zygote and what it forked. */
size_t host_processes(void);

#endif
