/* The daemon: its beginning, its loop and its end. One thread; signals come through
 * a descriptor, children are the executor's.
 *
 * A turn is one round of libwebsockets (sockets, descriptors, timers), one of the
 * executor, and then the output: a request that came in leaves for a worker, and what
 * a worker said for its caller, in the same turn.
 *
 * While one event follows the other within AWAKE_NS, as in a row of tool calls, the loop
 * waits awake for that long: to fall asleep and be woken costs it, and whoever wakes it, a
 * quarter of the round trip. One event that comes later ends that, so that what is
 * wasted is at most one such wait; and any process that wants the processor gets it. */
#include "daemon/daemon.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/text.h"
#include "daemon/connection.h"
#include "daemon/http.h"
#include "daemon/listener.h"
#include "daemon/stdio.h"
#include "daemon/websocket.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define AWAKE_NS (UINT64_C(200) * 1000)

enum {
    START_AGAIN_US = 1000000,
    FLUSH_MS = 2000, /* that connections get to take their last output */
    HTTP_TIMEOUT_SECONDS = 10,
    FDS_A_WORKER = 4,
    FDS_SPARE = 256
};

/* What daemon_serve() holds beside the daemon itself. */
struct service {
    struct daemon daemon;
    struct listener *callers;
    struct listener *admin;
    struct stdio *stdio;
    int signal_fd;
};

/* ---- states ---- */

const char *daemon_state_word(const struct daemon *daemon)
{
    if (daemon->state >= DAEMON_DRAINING)
        return "draining";
    if (daemon->maintenance)
        return "maintenance";
    return daemon->state == DAEMON_STARTING ? "starting" : "ready";
}

bool daemon_is_ready(const struct daemon *daemon)
{
    return daemon->state == DAEMON_SERVING && !daemon->maintenance;
}

bool daemon_takes_executions(const struct daemon *daemon)
{
    return daemon->state < DAEMON_DRAINING && !daemon->maintenance;
}

void daemon_set_maintenance(struct daemon *daemon, bool on)
{
    if (daemon->maintenance == on)
        return;
    daemon->maintenance = on;
    daemon->metrics.values[METRIC_MAINTENANCE] = on;
    log_write(&daemon->log, LOG_INFO, on ? "maintenance began" : "maintenance ended");
}

static void on_deadline(lws_sorted_usec_list_t *timer);

static void set_deadline(struct daemon *daemon, uint64_t delay_ms)
{
    lws_sul_schedule(daemon->lws, 0, &daemon->deadline, on_deadline,
                     (lws_usec_t)delay_ms * LWS_US_PER_MS + 1);
}

static void begin_ending(struct daemon *daemon)
{
    daemon->state = DAEMON_ENDING;
    set_deadline(daemon, FLUSH_MS);
    CM_LIST_EACH(&daemon->connections, link, after)
    {
        connection_close(CM_CONTAINER_OF(link, struct connection, link), CLOSE_GOING_AWAY,
                         "the daemon ends");
    }
}

void daemon_check_drained(struct daemon *daemon)
{
    if (daemon->state == DAEMON_DRAINING && daemon->metrics.values[METRIC_EXECUTIONS_RUNNING] == 0)
        begin_ending(daemon);
    if (daemon->state == DAEMON_ENDING && cm_list_empty(&daemon->connections))
        daemon->state = DAEMON_ENDED;
}

static void on_deadline(lws_sorted_usec_list_t *timer)
{
    struct daemon *daemon = lws_container_of(timer, struct daemon, deadline);

    if (daemon->state == DAEMON_DRAINING) {
        log_write(&daemon->log, LOG_WARN, "drain timed out",
                  LOG_NUMBER("executions", daemon->metrics.values[METRIC_EXECUTIONS_RUNNING]));
        cm_executor_dispose(daemon->executor);
        begin_ending(daemon);
    } else {
        daemon->state = DAEMON_ENDED;
    }
    daemon_check_drained(daemon);
}

void daemon_drain(struct daemon *daemon, const char *reason)
{
    if (daemon->state >= DAEMON_DRAINING) {
        daemon->state = DAEMON_ENDED;
        return;
    }
    daemon->state = DAEMON_DRAINING;
    log_write(&daemon->log, LOG_INFO, "draining", LOG_TEXT("reason", reason),
              LOG_NUMBER("executions", daemon->metrics.values[METRIC_EXECUTIONS_RUNNING]));
    set_deadline(daemon, daemon->settings->drain_timeout_ms);
    daemon_check_drained(daemon);
}

/* ---- the loop ---- */

static void on_signal(struct watch *watch)
{
    const struct service *service = watch->user;
    struct daemon *daemon = lws_container_of(watch, struct daemon, signals);
    struct signalfd_siginfo info;

    while (read(service->signal_fd, &info, sizeof(info)) == sizeof(info))
        daemon_drain(daemon, info.ssi_signo == SIGTERM ? "SIGTERM" : "SIGINT");
}

void daemon_note_event(struct daemon *daemon)
{
    uint64_t now_ns = cm_now_ns();

    daemon->brisk = now_ns - daemon->event_ns < AWAKE_NS;
    daemon->event_ns = now_ns;
}

/* What is to be done is done after the round of libwebsockets. */
static void on_work(struct watch *watch)
{
    daemon_note_event(lws_container_of(watch, struct daemon, work));
}

static void on_turn(lws_sorted_usec_list_t *timer)
{
    (void)timer;
}

static uint64_t zygotes_started(const struct daemon *daemon)
{
    struct cm_stats stats = { 0 };

    cm_executor_stats(daemon->executor, &stats);
    return stats.zygotes_started;
}

/* A sandbox that did not get ready, on a machine with too much to do for one, is started
 * anew by the next run. While the daemon is not ready there is none. */
static void look_at_start(lws_sorted_usec_list_t *timer)
{
    struct daemon *daemon = lws_container_of(timer, struct daemon, start);
    uint64_t before = zygotes_started(daemon);
    struct cm_error err = CM_ERROR_INIT;

    if (daemon->state != DAEMON_STARTING)
        return;
    if (cm_executor_start(daemon->executor, &err) < 0 || zygotes_started(daemon) > before)
        log_write(
            &daemon->log, LOG_WARN, "the sandbox did not start: trying again",
            LOG_TEXT("reason", err.text[0] == '\0' ? "it ended before it was ready" : err.text));
    lws_sul_schedule(daemon->lws, 0, &daemon->start, look_at_start, START_AGAIN_US);
}

static void note_readiness(struct daemon *daemon)
{
    struct cm_stats stats = { 0 };

    if (daemon->state != DAEMON_STARTING)
        return;
    cm_executor_stats(daemon->executor, &stats);
    if (stats.spawns == 0)
        return;
    daemon->state = DAEMON_SERVING;
    log_write(&daemon->log, LOG_INFO, "ready",
              LOG_TEXT("engine", cm_executor_report(daemon->executor)->engine));
}

/* Waits for an event, asleep or awake. */
static void serve_sockets(struct daemon *daemon)
{
    uint64_t event_ns = daemon->event_ns;

    if (!daemon->brisk || cm_now_ns() - event_ns >= AWAKE_NS) {
        lws_service(daemon->lws, 0);
        return;
    }
    lws_service(daemon->lws, -1); /* what is there now */
    if (daemon->event_ns == event_ns)
        sched_yield();
}

static void turn(struct daemon *daemon)
{
    int timeout_ms = cm_executor_timeout_ms(daemon->executor);

    if (timeout_ms < 0)
        lws_sul_cancel(&daemon->turn);
    else
        lws_sul_schedule(daemon->lws, 0, &daemon->turn, on_turn,
                         (lws_usec_t)timeout_ms * LWS_US_PER_MS + 1);
    serve_sockets(daemon);
    cm_executor_process(daemon->executor);
    websockets_flush(daemon);
    note_readiness(daemon);
}

/* ---- its beginning ---- */

/* Connections, and what the executor keeps a worker, are descriptors. */
static void raise_descriptors(const struct daemon_settings *settings)
{
    uint64_t workers = 0;
    struct rlimit limit;
    rlim_t need;

    cm_parse_u64(cm_settings_get(settings->executor, "WORKERS_MAX"), &workers);
    need = settings->max_connections + workers * FDS_A_WORKER + FDS_SPARE;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= need)
        return;
    limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static struct lws_vhost *new_vhost(struct daemon *daemon)
{
    static const struct lws_protocols *protocols[] = { &websocket_protocol, &watch_protocol, NULL };
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .vhost_name = "daemon",
        .pprotocols = protocols,
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG,
        .listen_accept_role = "raw-skt",
        .listen_accept_protocol = websocket_protocol.name,
        .timeout_secs = HTTP_TIMEOUT_SECONDS,
        .keepalive_timeout = 1,
    };

    return lws_create_vhost(daemon->lws, &info);
}

static int open_loop(struct daemon *daemon, struct cm_error *err)
{
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8,
        .user = daemon,
        .max_http_header_data = HTTP_HEADER_BYTES,
        .timeout_secs = HTTP_TIMEOUT_SECONDS,
        .server_string = "codemode-executor",
    };

    lws_set_log_level(0, NULL); /* what it would say may quote a peer */
    daemon->lws = lws_create_context(&info);
    if (daemon->lws == NULL)
        return cm_fail(err, CM_E_SYSTEM, 0, "the event loop cannot be made");
    daemon->vhost = new_vhost(daemon);
    if (daemon->vhost == NULL)
        return cm_fail(err, CM_E_SYSTEM, 0, "the event loop has no room for its listeners");
    return 0;
}

static int open_signals(struct service *service, struct cm_error *err)
{
    struct daemon *daemon = &service->daemon;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    service->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (service->signal_fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "signals");
    daemon->signals = (struct watch){ .on_ready = on_signal, .user = service };
    return watch_open(&daemon->signals, daemon->vhost, service->signal_fd, err);
}

static int open_executor(struct daemon *daemon, struct cm_error *err)
{
    int r = cm_executor_new(daemon->settings->executor, &daemon->executor, err);

    if (r == 0)
        r = cm_executor_start(daemon->executor, err);
    if (r < 0)
        return r;
    lws_sul_schedule(daemon->lws, 0, &daemon->start, look_at_start, START_AGAIN_US);
    daemon->work = (struct watch){ .on_ready = on_work };
    return watch_open(&daemon->work, daemon->vhost, cm_executor_fd(daemon->executor), err);
}

static int open_listeners(struct service *service, struct cm_error *err)
{
    struct daemon *daemon = &service->daemon;
    const struct daemon_settings *settings = daemon->settings;
    int r =
        listener_open(daemon, HTTP_CALLERS, settings->host, settings->port, &service->callers, err);

    if (r < 0)
        return r;
    return listener_open(daemon, HTTP_ADMIN, settings->admin_host, settings->admin_port,
                         &service->admin, err);
}

static int open_service(struct service *service, bool stdio, struct cm_error *err)
{
    int r;

    raise_descriptors(service->daemon.settings);
    r = open_loop(&service->daemon, err);
    if (r == 0)
        r = open_signals(service, err);
    if (r == 0)
        r = open_executor(&service->daemon, err);
    if (r == 0 && stdio)
        r = stdio_open(&service->daemon, &service->stdio, err);
    else if (r == 0)
        r = open_listeners(service, err);
    return r;
}

/* ---- its end ---- */

/* Destroying the context closes what is still open, and connections use the executor
 * when they close. */
static void close_service(struct service *service)
{
    struct daemon *daemon = &service->daemon;

    listener_close(service->callers);
    listener_close(service->admin);
    stdio_free(service->stdio);
    watch_close(&daemon->signals);
    watch_close(&daemon->work);
    if (daemon->lws != NULL) {
        lws_sul_cancel(&daemon->turn);
        lws_sul_cancel(&daemon->start);
        lws_sul_cancel(&daemon->deadline);
        lws_context_destroy(daemon->lws);
    }
    cm_executor_free(daemon->executor);
    cm_close_fd(&service->signal_fd);
}

enum daemon_end daemon_serve(struct daemon_settings *settings, bool stdio, struct cm_error *err)
{
    struct service service = { .signal_fd = -1 };
    struct daemon *daemon = &service.daemon;
    int r;

    daemon->settings = settings;
    daemon->log = (struct log){ stdio ? STDERR_FILENO : STDOUT_FILENO,
                                (enum log_level)log_level_parse(settings->log_level) };
    cm_list_init(&daemon->connections);
    cm_list_init(&daemon->unflushed);
    metrics_init(&daemon->metrics);
    r = open_service(&service, stdio, err);
    while (r == 0 && daemon->state != DAEMON_ENDED)
        turn(daemon);
    if (r == 0)
        log_write(&daemon->log, LOG_INFO, "ended");
    close_service(&service);
    if (r == CM_E_STATE)
        return DAEMON_END_TAKEN;
    return r < 0 ? DAEMON_END_WRONG : DAEMON_END_OK;
}
