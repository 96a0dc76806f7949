/* A run's life. Runs in the host's process. What its worker says is hostile: ids,
 * counts and sizes are checked here, whatever the worker was told to keep to.
 *
 * A run is decided once (`decided`); what comes later changes nothing but its log
 * lines. Callbacks are made from inside cm_executor_process() only, and any of
 * them may end or free any run, this one too: memory lives until the turn is
 * over, so state is looked at again after each. */
#include "executor/run.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "executor/execution.h"
#include "executor/outbound.h"
#include "executor/state.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* How long a queued run leaves idle workers alone for one that is used to runs
 * of its key and will be ready soon: some times what that takes. */
#define PATIENCE_NS (50 * CM_NS_PER_MS)

#define MAY(state)  (1u << RUN_##state)

static const uint8_t legal_moves[RUN_STATES] = {
    [RUN_QUEUED] = MAY(RUNNING) | MAY(ENDED),
    [RUN_RUNNING] = MAY(KILLED) | MAY(ENDED),
    [RUN_KILLED] = MAY(ENDED),
    [RUN_ENDED] = MAY(OVER),
};

void run_set_state(struct cm_run *run, enum run_state state)
{
    if ((legal_moves[run->state] & (1u << state)) == 0)
        abort(); /* our bug: what comes from outside is checked by state before */
    run->state = state;
}

/* ---- deciding ---- */

static bool decide(struct cm_run *run, char *sentence)
{
    if (run->decided) {
        free(sentence);
        return false;
    }
    run->decided = true;
    run->sentence = sentence;
    return true;
}

static const char *sentence_of(const struct cm_run *run)
{
    return run->sentence != NULL ? run->sentence : cm_message_text(CM_MSG_NO_MEMORY);
}

static bool decide_fault(struct cm_run *run, enum cm_fault fault, char *sentence)
{
    if (!decide(run, sentence))
        return false;
    run->outcome.fault = fault;
    run->outcome.retryable = cm_fault_retryable(fault);
    run->outcome.message = sentence_of(run);
    return true;
}

static bool decide_failure(struct cm_run *run, enum cm_failure failure, char *sentence)
{
    if (!decide(run, sentence))
        return false;
    run->outcome.failure = failure;
    run->outcome.error = sentence_of(run);
    run->outcome.error_bytes = strlen(run->outcome.error);
    return true;
}

/* ---- the clock ---- */

static uint64_t timeout_ms_to_ns(double ms)
{
    const double ns = ms * (double)CM_NS_PER_MS;

    /* Beyond some centuries there is no deadline. */
    if (ns >= (double)(UINT64_MAX / 2))
        return CM_NEVER;
    return ns < 1 ? 1 : (uint64_t)ns;
}

static double effective_timeout_ms(const struct cm_run *run)
{
    const struct cm_settings *settings = &run->executor->settings;
    double ms = run->request->timeout_ms;

    if (ms == 0)
        ms = (double)settings->default_timeout_ms;
    if (settings->max_timeout_ms > 0)
        ms = ms < (double)settings->max_timeout_ms ? ms : (double)settings->max_timeout_ms;
    return ms;
}

static void charge(struct cm_run *run, uint64_t now_ns)
{
    run_clock_charge(&run->clock, now_ns,
                     run->clock.on_cpu ? worker_cpu_ns(run->worker) : CM_NEVER);
}

bool run_waits(const struct cm_run *run)
{
    return run->calls.open > 0 || run->fetch_count > 0 || run->sleeps_on_timers;
}

/* Host waits are free while a call is open, or a fetch that the host performs, and
 * the program waits for nothing else as well: a timer of its own, the network. A
 * transfer that is stalled is not waited for: it waits for the program. */
void run_update_clock(struct cm_run *run)
{
    bool waits = run->calls.open > 0 || run->fetch_count > run->transfer_count;
    bool on_network = run->transfer_count > run->stalled_count;
    bool to_cpu = !run->request->count_host_waits && waits && !on_network && !run->sleeps_on_timers;
    uint64_t due_ns;

    if (run->executor->pool.queued > 0)
        run->executor->pool.dirty = true; /* it may no longer have to wait its turn */
    if (to_cpu == run->clock.on_cpu)
        return;
    run_clock_switch(&run->clock, to_cpu, cm_now_ns(), worker_cpu_ns(run->worker));
    /* A timer that fires too early looks again; it may only not be too late. */
    due_ns = run_clock_due(&run->clock);
    if (due_ns < run->timer.deadline_ns)
        timer_arm(&run->timer, due_ns);
}

static void stop_at(struct cm_run *run, enum run_bound bound)
{
    uint64_t wall_ms = run->executor->settings.max_wall_ms;

    if (bound == RUN_BOUND_TIMEOUT)
        run_stop_failure(
            run, CM_FAILURE_TIMEOUT,
            cm_message_new(CM_MSG_TIMEOUT, cm_number_plain(effective_timeout_ms(run)).text, NULL));
    else
        run_stop_failure(run, CM_FAILURE_WALL,
                         cm_message_new(CM_MSG_WALL, cm_number_grouped(wall_ms).text, NULL));
}

/* A DONE that is there already came in time: the host was late in reading it. */
static void on_clock(struct cm_run *run, uint64_t now_ns)
{
    enum run_bound bound;

    charge(run, now_ns);
    bound = run_clock_bound(&run->clock);
    if (bound == RUN_BOUND_NONE) {
        timer_arm(&run->timer, run_clock_due(&run->clock));
        return;
    }
    worker_read(run->worker);
    if (run->state == RUN_RUNNING)
        stop_at(run, bound);
}

static uint64_t queue_end_ns(const struct cm_run *run)
{
    return cm_deadline(run->submitted_ns, run->executor->settings.queue_timeout_ms * CM_NS_PER_MS);
}

void run_enqueued(struct cm_run *run)
{
    uint64_t patience_ns = cm_deadline(run->submitted_ns, PATIENCE_NS);

    timer_arm(&run->timer, patience_ns < queue_end_ns(run) ? patience_ns : queue_end_ns(run));
}

static void on_queue_timer(struct cm_run *run, uint64_t now_ns)
{
    uint64_t ms = run->executor->settings.queue_timeout_ms;

    if (now_ns < queue_end_ns(run)) {
        run->waited_long = true;
        run->executor->pool.dirty = true;
        timer_arm(&run->timer, queue_end_ns(run));
        return;
    }
    run_stop_fault(run, CM_FAULT_OVERLOADED,
                   cm_message_new(CM_MSG_QUEUE_TIMEOUT, cm_number_grouped(ms).text, NULL));
}

void run_on_timer(struct timer *timer, uint64_t now_ns)
{
    struct cm_run *run = CM_CONTAINER_OF(timer, struct cm_run, timer);

    if (run->state == RUN_QUEUED)
        on_queue_timer(run, now_ns);
    else if (run->state == RUN_RUNNING)
        on_clock(run, now_ns);
}

/* ---- log lines ---- */

void run_stop_no_memory(struct cm_run *run)
{
    run_stop_fault(run, CM_FAULT_INTERNAL, cm_message_new(CM_MSG_NO_MEMORY, NULL));
}

void run_add_line(struct cm_run *run, const struct cm_log *line)
{
    if (logs_add(&run->logs, line) < 0) {
        run_stop_no_memory(run);
        return;
    }
    run->executor->stats.log_lines++;
    if (run->events->on_log != NULL)
        run->events->on_log(run->user, run, line);
}

static void add_warning(struct cm_run *run, char *sentence)
{
    struct cm_log line = { CM_LEVEL_WARN, sentence, 0 };

    if (sentence == NULL) {
        run_stop_no_memory(run);
        return;
    }
    line.text_bytes = strlen(sentence);
    run_add_line(run, &line);
    free(sentence);
}

const char *run_on_log(struct cm_run *run, const struct cm_log *line)
{
    const struct cm_settings *settings = &run->executor->settings;

    if (run->logs_stopped)
        return "a LOG after LOG_STOP";
    if (run->logs.count >= settings->console_lines)
        return "more log lines than its bound";
    if (line->text_bytes > settings->console_bytes - run->logs.bytes)
        return "more log text than its bound";
    run_add_line(run, line);
    return NULL;
}

const char *run_on_log_stop(struct cm_run *run, enum ipc_stop reason)
{
    const struct cm_settings *settings = &run->executor->settings;
    bool lines = reason == IPC_STOP_LINES;
    uint64_t bound = lines ? settings->console_lines : settings->console_bytes;

    if (run->logs_stopped)
        return "a second LOG_STOP";
    run->logs_stopped = true;
    add_warning(run, cm_message_new(lines ? CM_MSG_CONSOLE_LINES : CM_MSG_CONSOLE_BYTES,
                                    cm_number_grouped(bound).text, NULL));
    return NULL;
}

static void warn_unanswered(struct cm_run *run)
{
    CM_AUTO_FREE char *names = NULL;

    if (run->calls.open == 0)
        return;
    names = calls_names(&run->calls);
    if (names == NULL) {
        run_stop_no_memory(run);
        return;
    }
    add_warning(run, cm_message_new(CM_MSG_UNANSWERED, cm_number_grouped(run->calls.open).text,
                                    names, NULL));
}

/* ---- modules ---- */

void run_release_units(struct cm_run *run)
{
    for (size_t i = 0; i < run->unit_count; i++)
        if (run->units[i] != NULL)
            modules_release(run->executor, run->units[i]);
    run->unit_count = 0;
    free(CM_TAKE(run->units));
}

/* "Unexpected token ';' [program.js:1:18]" */
static char *syntax_sentence(const struct ipc_compiled_body *compiled)
{
    const struct ipc_compiled *head = &compiled->head;
    const char *hint = head->typescript ? cm_message_text(CM_MSG_TYPESCRIPT) : "";
    const char *separator = head->typescript ? ". " : "";
    char place[64] = "program.js";
    char *sentence;

    if (head->line > 0)
        snprintf(place, sizeof(place), "program.js:%u:%u", head->line, head->column);
    if (asprintf(&sentence, "%s%s%s [%s]", compiled->code, separator, hint, place) < 0)
        return NULL;
    return sentence;
}

/* The program is the last entry. */
bool run_is_compiled(struct cm_run *run)
{
    const struct unit *program;

    for (size_t i = 0; i < run->unit_count; i++)
        if (run->units[i] != NULL && run->units[i]->state != UNIT_READY)
            return false;
    if (run->unit_count == 0)
        return true;
    program = run->units[run->unit_count - 1];
    if (program == NULL || program->body == NULL)
        run_stop_no_memory(run);
    else if (program->compiled.head.failed != 0)
        run_stop_failure(run, program->lost ? CM_FAILURE_MODULE : CM_FAILURE_SYNTAX,
                         syntax_sentence(&program->compiled));
    return run->state == RUN_QUEUED;
}

/* ---- the end ---- */

/* From here on the run waits for cm_executor_process() to call on_end. */
void run_end(struct cm_run *run)
{
    struct cm_executor *executor = run->executor;
    uint64_t now_ns = cm_now_ns();

    if (run->state == RUN_QUEUED)
        pool_dequeue(executor, run);
    else if (run->carried != NULL)
        executor->remote->ops->stop(run);
    else if (run->state == RUN_RUNNING)
        charge(run, now_ns);
    run_stop_transfers(run);
    timer_disarm(&run->timer);
    if (run->execution != NULL)
        execution_remove(run->execution, run);
    else if (run->worker != NULL)
        worker_detach_run(CM_TAKE(run->worker));
    run_release_units(run);
    free(CM_TAKE(run->request));
    if (run->outcome.logs == NULL) {
        run->outcome.logs = run->logs.lines;
        run->outcome.log_count = run->logs.count;
    }
    run->outcome.charged_ns = run->clock.charged_ns;
    run->outcome.wall_ns = run->started_ns == 0 ? 0 : now_ns - run->started_ns;
    run->outcome.queued_ns = (run->started_ns == 0 ? now_ns : run->started_ns) - run->submitted_ns;
    run_set_state(run, RUN_ENDED);
    cm_list_move(&executor->ends, &run->link);
    if (!executor->turning)
        loop_wake(&executor->loop);
}

static void count_kill(struct cm_run *run)
{
    struct cm_stats *stats = &run->executor->stats;

    stats->kills_timeout += run->outcome.failure == CM_FAILURE_TIMEOUT;
    stats->kills_wall += run->outcome.failure == CM_FAILURE_WALL;
    stats->kills_memory += run->outcome.failure == CM_FAILURE_MEMORY;
    stats->kills_cancelled += run->outcome.fault == CM_FAULT_CANCELLED;
}

static void stop(struct cm_run *run)
{
    if (run->state == RUN_QUEUED || run->carried != NULL) {
        run_end(run);
    } else if (run->execution != NULL) {
        execution_end(run->execution); /* and this run with it */
    } else if (run->state == RUN_RUNNING) {
        count_kill(run);
        charge(run, cm_now_ns()); /* while the worker still has a CPU clock */
        run_set_state(run, RUN_KILLED);
        run->executor->stats.workers_killed++;
        run_stop_transfers(run);
        worker_kill(run->worker);
    }
}

void run_stop_fault(struct cm_run *run, enum cm_fault fault, char *sentence)
{
    if (decide_fault(run, fault, sentence))
        stop(run);
}

void run_stop_failure(struct cm_run *run, enum cm_failure failure, char *sentence)
{
    if (decide_failure(run, failure, sentence))
        stop(run);
}

static char *memory_sentence(const struct cm_run *run)
{
    return cm_message_new(CM_MSG_MEMORY,
                          cm_number_grouped(run->executor->settings.memory_limit_mb).text, NULL);
}

void run_on_exhausted(struct cm_run *run)
{
    run_stop_failure(run, CM_FAILURE_MEMORY, memory_sentence(run));
}

void run_on_breach(struct cm_run *run, const char *rule)
{
    run_stop_fault(run, CM_FAULT_WORKER_LOST, cm_message_new(CM_MSG_WORKER_PROTOCOL, rule, NULL));
}

void run_on_done(struct cm_run *run, const struct ipc_done_body *done, uint8_t *body)
{
    if (run->decided) { /* it was killed before */
        free(body);
        return;
    }
    warn_unanswered(run);
    if (run->state != RUN_RUNNING) { /* the host cancelled or freed it in on_log */
        free(body);
        return;
    }
    run->body = body;
    if (done->failure == CM_FAILURE_MEMORY) {
        decide_failure(run, CM_FAILURE_MEMORY, memory_sentence(run));
        count_kill(run);
    } else {
        run->decided = true;
        run->outcome.failure = done->failure;
        run->outcome.error = done->failure == CM_FAILURE_NONE ? NULL : done->error;
        run->outcome.error_bytes = done->error_bytes;
        run->outcome.result = done->result;
        run->outcome.result_bytes = done->result_bytes;
    }
    run->outcome.stack = done->stack;
    run->outcome.stack_bytes = done->stack_bytes;
    run_end(run);
}

void run_on_execution_gone(struct cm_run *run)
{
    decide_fault(run, CM_FAULT_EXECUTION_GONE,
                 cm_message_new(CM_MSG_EXECUTION_GONE, run->execution->id, NULL));
    run_end(run);
}

/* The id and the handles in memory of the run's: the host reads them when the
 * execution may be gone. */
static int tell_execution(struct cm_run *run, const struct execution *execution,
                          const struct ipc_handles *handles)
{
    const size_t pointers = handles->count * sizeof(char *);
    const char **names = malloc(pointers + handles->bytes + sizeof(execution->id));
    char *at;

    if (names == NULL)
        return CM_E_NOMEM;
    run->body = (uint8_t *)names;
    at = (char *)names + pointers;
    memcpy(at, handles->names, handles->bytes);
    for (size_t i = 0; i < handles->count; i++, at += strlen(at) + 1)
        names[i] = at;
    memcpy(at, execution->id, sizeof(execution->id));
    run->outcome.execution_id = at;
    run->outcome.handles = names;
    run->outcome.handle_count = handles->count;
    return 0;
}

bool run_refuse_retained(struct cm_run *run)
{
    const uint64_t max = run->executor->settings.max_retained;

    if (!run->request->retain_handles || run->executor->stats.retained_live < max)
        return false;
    run_stop_fault(run, CM_FAULT_OVERLOADED,
                   cm_message_new(CM_MSG_RETAINED_FULL, cm_number_grouped(max).text, NULL));
    return true;
}

const char *run_on_retained(struct cm_run *run, const struct ipc_handles *handles)
{
    struct execution *execution;
    int r;

    if (!run->request->retain_handles)
        return "a RETAINED though the host keeps nothing";
    warn_unanswered(run);
    if (run->state != RUN_RUNNING || run->decided) /* the host cancelled or freed it in on_log */
        return NULL;
    if (run_refuse_retained(run)) /* another came first */
        return NULL;
    r = execution_new(run, handles, &execution);
    if (r == 0)
        r = tell_execution(run, execution, handles);
    if (r < 0) {
        run_stop_no_memory(run);
        return NULL;
    }
    run->decided = true;
    run_end(run);
    return NULL;
}

void run_on_reply(struct cm_run *run, const struct ipc_reply_body *reply, uint8_t *body)
{
    const char *at = reply->headers;

    run->body = body;
    run->response_headers = calloc(reply->header_count + 1, sizeof(*run->response_headers));
    if (run->response_headers == NULL) {
        run_stop_no_memory(run);
        return;
    }
    for (size_t i = 0; i < reply->header_count; i++)
        run->response_headers[i] = ipc_next_header(&at);
    run->response = (struct cm_response){ .status = reply->status,
                                          .status_text = reply->status_text,
                                          .headers = run->response_headers,
                                          .header_count = reply->header_count,
                                          .body = reply->body,
                                          .body_bytes = reply->body_bytes };
    warn_unanswered(run);
    if (run->state != RUN_RUNNING) /* the host cancelled or freed it in on_log */
        return;
    run->outcome.response = &run->response;
    run->decided = true;
    run_end(run);
}

/* The engine ends the process by one of these when an allocation fails where it
 * cannot throw. The bound is on data memory, and the resident set is what the
 * system reports after the fact: half of the bound above the 24 MB that a worker
 * has without a program tells such a death from a defect well enough. */
static bool died_of_memory(const struct cm_run *run, const struct ipc_exited *exit)
{
    static const int signals[] = { SIGABRT, SIGILL, SIGSEGV, SIGBUS, SIGTRAP };
    uint64_t limit_kb = run->executor->settings.memory_limit_mb * 1024;

    if (!WIFSIGNALED(exit->status) || exit->max_rss_kb < limit_kb / 2 + UINT64_C(24576))
        return false;
    for (size_t i = 0; i < CM_ARRAY_LEN(signals); i++)
        if (signals[i] == WTERMSIG(exit->status))
            return true;
    return false;
}

static void decide_by_exit(struct cm_run *run, const struct ipc_exited *exit)
{
    char *sentence;

    if (exit != NULL && died_of_memory(run, exit)) {
        decide_failure(run, CM_FAILURE_MEMORY, memory_sentence(run));
        count_kill(run);
        return;
    }
    if (exit == NULL)
        sentence = cm_message_new(CM_MSG_WORKER_GONE, NULL);
    else if (WIFSIGNALED(exit->status))
        sentence = cm_message_new(CM_MSG_WORKER_SIGNAL,
                                  cm_number_plain(WTERMSIG(exit->status)).text, NULL);
    else
        sentence = cm_message_new(CM_MSG_WORKER_EXIT,
                                  cm_number_plain(WEXITSTATUS(exit->status)).text, NULL);
    decide_fault(run, CM_FAULT_WORKER_LOST, sentence);
}

void run_on_worker_gone(struct cm_run *run, const struct ipc_exited *exit)
{
    if (!run->decided)
        decide_by_exit(run, exit);
    run_end(run);
}

static void drop_calls(struct cm_run *run)
{
    const struct calls *calls = &run->calls;

    for (size_t i = 0; i < calls->count; i++)
        if (calls->rows[i].name != NULL && run->events->on_drop != NULL && run->state == RUN_ENDED)
            run->events->on_drop(run->user, run, calls->rows[i].id);
}

void run_deliver(struct cm_run *run)
{
    drop_calls(run);
    run_drop_fetches(run);
    if (run->state != RUN_ENDED) /* freed in on_drop */
        return;
    run_set_state(run, RUN_OVER);
    if (run->watch != NULL)
        run->watch->over = true;
    calls_done(&run->calls);
    run_fetches_done(run);
    run->executor->stats.runs_ended++;
    run->executor->stats.runs_live--;
    if (run->events->on_end != NULL)
        run->events->on_end(run->user, run, &run->outcome);
}

static void release_worker(struct cm_run *run)
{
    struct execution *execution = run->execution;
    struct worker *worker = run->worker;

    if (execution != NULL) {
        execution_remove(execution, run);
        execution_end(execution);
    } else if (worker != NULL) {
        run->worker = NULL;
        worker_detach_run(worker);
        worker_kill(worker);
    }
}

void run_abandon(struct cm_run *run)
{
    if (run->state == RUN_OVER)
        return;
    if (run->state == RUN_QUEUED)
        pool_dequeue(run->executor, run);
    if (run->carried != NULL)
        run->executor->remote->ops->stop(run);
    run_release_units(run);
    timer_disarm(&run->timer);
    run_stop_transfers(run);
    run->decided = true;
    run->state = RUN_OVER; /* from any state, and without on_end: not a move of the table */
    run->executor->stats.runs_ended++;
    run->executor->stats.runs_live--;
    run->executor->stats.kills_cancelled += run->worker != NULL;
    release_worker(run);
}

/* ---- the worker's side ---- */

uint32_t *run_last_id(struct cm_run *run)
{
    return run->execution != NULL ? &run->execution->last_id : &run->calls.last_id;
}

/* The worker of a run knows that the host takes no calls; that of a retained
 * execution cannot know it of each invocation. */
static const char *refuse_call(struct cm_run *run, const struct cm_call *call)
{
    CM_AUTO_FREE char *name = NULL;
    CM_AUTO_FREE char *sentence = NULL;

    if (asprintf(&name, "%s.%s", call->provider, call->tool) < 0)
        name = NULL;
    if (name != NULL)
        sentence = cm_message_new(CM_MSG_NO_DISPATCH, name, NULL);
    if (sentence == NULL ||
        worker_answer(run->worker, call->id, IPC_ANSWER_REJECT, sentence, strlen(sentence)) < 0)
        run_stop_no_memory(run);
    return NULL;
}

const char *run_on_call(struct cm_run *run, const struct cm_call *call)
{
    const struct cm_settings *settings = &run->executor->settings;

    if (run->events->on_call == NULL && run->execution == NULL)
        return "a CALL though the host takes none";
    if (call->id != *run_last_id(run) + 1)
        return "a CALL with an id that is not the next";
    if (run->calls.open >= settings->calls_in_flight)
        return "more calls in flight than its bound";
    if (run->calls.made >= settings->calls_a_run)
        return "more calls than its bound";
    *run_last_id(run) = call->id;
    if (run->state != RUN_RUNNING) /* killed: nobody would answer */
        return NULL;
    if (run->events->on_call == NULL)
        return refuse_call(run, call);
    if (calls_open(&run->calls, call) < 0) {
        run_stop_no_memory(run);
        return NULL;
    }
    run->executor->stats.calls++;
    run_update_clock(run);
    run->events->on_call(run->user, run, call);
    return NULL;
}

void run_on_wait(struct cm_run *run, bool timers)
{
    if (run->state != RUN_RUNNING)
        return;
    run->sleeps_on_timers = timers;
    run_update_clock(run);
}

void run_close_call(struct cm_run *run, struct open_call *call)
{
    calls_close(&run->calls, call);
    if (run->state == RUN_RUNNING && run->carried == NULL)
        run_update_clock(run);
}

static void start_clock(struct cm_run *run)
{
    uint64_t max_wall_ns = run->executor->settings.max_wall_ms * CM_NS_PER_MS;

    run_set_state(run, RUN_RUNNING);
    run->started_ns = cm_now_ns();
    run_clock_start(&run->clock, run->started_ns, timeout_ms_to_ns(effective_timeout_ms(run)),
                    max_wall_ns);
    timer_arm(&run->timer, run_clock_due(&run->clock));
}

int run_begin(struct cm_run *run, struct worker *worker)
{
    const struct cm_settings *settings = &run->executor->settings;
    struct ipc_run head = { .flags = (run->events->on_call != NULL ? IPC_RUN_DISPATCH : 0u) |
                                     (run->request->retain_handles ? IPC_RUN_RETAIN : 0u),
                            .calls_in_flight = (uint32_t)settings->calls_in_flight,
                            .calls_a_run = (uint32_t)settings->calls_a_run,
                            .console_lines = (uint32_t)settings->console_lines,
                            .outbound = run_outbound(run),
                            .fetches_in_flight = (uint32_t)settings->fetches_in_flight,
                            .console_bytes = settings->console_bytes,
                            .message_limit_bytes = settings->message_limit_bytes,
                            .provider_count = run->request->provider_count,
                            .providers_bytes = (uint32_t)run->request->providers_bytes,
                            .code_bytes = run->unit_count > 0 ? 0 : run->request->code_bytes,
                            .module_count = (uint32_t)run->unit_count };
    int r = worker_run(worker, run, &head);

    if (r < 0)
        return r;
    run_release_units(run);
    pool_dequeue(run->executor, run);
    run->worker = worker;
    start_clock(run);
    return 0;
}

void run_begin_invocation(struct cm_run *run, struct execution *execution)
{
    execution_add(execution, run);
    start_clock(run);
}

void run_destroy(struct cm_run *run)
{
    if (run->watch != NULL)
        *run->watch = (struct run_watch){ true, true };
    timer_done(&run->timer);
    cm_list_unlink(&run->all);
    cm_list_unlink(&run->link);
    calls_done(&run->calls);
    run_fetches_done(run);
    outbound_free(run->outbound);
    logs_done(&run->logs);
    free(run->request);
    free(run->sentence);
    free(run->body);
    free(run->response_headers);
    if (run->release_brought != NULL)
        run->release_brought(run->brought);
    free(run);
}
