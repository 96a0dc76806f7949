/* What the routes answer. Runs in the daemon; the body of a PUT is hostile. Nothing
 * here tells what programs do: counts, kinds and times only. */
#include "daemon/pages.h"

#include "base/cleanup.h"
#include "daemon/http_parse.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char daemon_page[];
extern const char daemon_page_policy[];

enum { METRICS_MAX = 1 << 20 };

static int answer(const struct http_request *request, struct http_answer answer)
{
    answer.is_head = request->is_head;
    return http_answer(request->wsi, &answer);
}

static int answer_word(const struct http_request *request, unsigned status, const char *word)
{
    return answer(request,
                  (struct http_answer){ .status = status, .body = word, .bytes = strlen(word) });
}

/* Takes the reference. */
static int answer_json(const struct http_request *request, json_t *value)
{
    CM_AUTO_FREE char *text = json_dumps(value, JSON_COMPACT);

    json_decref(value);
    if (text == NULL)
        return http_answer_text(request->wsi, HTTP_STATUS_INTERNAL_SERVER_ERROR,
                                "The daemon has no memory for this answer.");
    return answer(request, (struct http_answer){ .status = HTTP_STATUS_OK,
                                                 .type = "application/json",
                                                 .body = text,
                                                 .bytes = strlen(text) });
}

/* ---- callers ---- */

int serve_health(const struct http_request *request)
{
    return answer_word(request, HTTP_STATUS_OK, "ok");
}

int serve_readiness(const struct http_request *request)
{
    const struct daemon *daemon = request->daemon;

    return answer_word(request,
                       daemon_is_ready(daemon) ? HTTP_STATUS_OK : HTTP_STATUS_SERVICE_UNAVAILABLE,
                       daemon_state_word(daemon));
}

int serve_metrics(const struct http_request *request)
{
    const struct daemon *daemon = request->daemon;
    struct cm_buf text;
    int r;

    cm_buf_init(&text, METRICS_MAX);
    r = metrics_write(&daemon->metrics, daemon->executor, &text);
    if (r < 0)
        r = http_answer_text(request->wsi, HTTP_STATUS_INTERNAL_SERVER_ERROR,
                             "The daemon has no memory for this answer.");
    else
        r = answer(request,
                   (struct http_answer){ .status = HTTP_STATUS_OK,
                                         .type = "text/plain; version=0.0.4; charset=utf-8",
                                         .body = (const char *)cm_buf_bytes(&text),
                                         .bytes = text.len });
    cm_buf_done(&text);
    return r;
}

/* ---- admin ---- */

int serve_page(const struct http_request *request)
{
    return answer(request, (struct http_answer){ .status = HTTP_STATUS_OK,
                                                 .type = "text/html; charset=utf-8",
                                                 .body = daemon_page,
                                                 .bytes = strlen(daemon_page),
                                                 .policy = daemon_page_policy });
}

static void put(json_t *object, const char *key, uint64_t number)
{
    json_object_set_new(object, key, json_integer((json_int_t)number));
}

static json_t *pool_json(const struct cm_stats *stats)
{
    json_t *pool = json_object();

    put(pool, "starting", stats->workers_starting);
    put(pool, "ready", stats->workers_ready);
    put(pool, "running", stats->workers_running);
    put(pool, "ending", stats->workers_ending);
    put(pool, "started", stats->workers_started);
    put(pool, "killed", stats->workers_killed);
    put(pool, "lost", stats->workers_lost);
    return pool;
}

static json_t *outcomes_json(const struct metrics *metrics)
{
    json_t *outcomes = json_object();

    for (size_t i = 0; i < OUTCOME_KINDS; i++)
        if (metrics->outcomes[i] > 0)
            put(outcomes, outcome_word((enum outcome_kind)i), metrics->outcomes[i]);
    return outcomes;
}

static json_t *executions_json(const struct metrics *metrics, const struct cm_stats *stats)
{
    json_t *executions = json_object();

    put(executions, "running", metrics->values[METRIC_EXECUTIONS_RUNNING]);
    put(executions, "queued", stats->runs_queued + metrics->values[METRIC_EXECUTIONS_WAITING]);
    put(executions, "ended", stats->runs_ended);
    put(executions, "calls", stats->calls);
    json_object_set_new(executions, "outcomes", outcomes_json(metrics));
    return executions;
}

/* The latest of each kind but ok. */
static json_t *failures_json(const struct metrics *metrics)
{
    json_t *failures = json_array();

    for (size_t i = OUTCOME_OK + 1; i < OUTCOME_KINDS; i++) {
        char text[32];
        struct tm parts;

        if (metrics->outcomes[i] == 0)
            continue;
        gmtime_r(&metrics->last[i], &parts);
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
        json_array_append_new(
            failures, json_pack("{s:s, s:I, s:s}", "kind", outcome_word((enum outcome_kind)i),
                                "count", (json_int_t)metrics->outcomes[i], "latest", text));
    }
    return failures;
}

static json_t *connections_json(const struct metrics *metrics)
{
    json_t *connections = json_object();

    put(connections, "open", metrics->values[METRIC_CONNECTIONS]);
    put(connections, "sessions", metrics->values[METRIC_SESSIONS]);
    put(connections, "since_start", metrics->values[METRIC_CONNECTIONS_TOTAL]);
    put(connections, "received_bytes", metrics->values[METRIC_RECEIVED_BYTES]);
    put(connections, "sent_bytes", metrics->values[METRIC_SENT_BYTES]);
    return connections;
}

int serve_status(const struct http_request *request)
{
    const struct daemon *daemon = request->daemon;
    const struct metrics *metrics = &daemon->metrics;
    const struct cm_report *report = cm_executor_report(daemon->executor);
    struct cm_stats stats = { 0 };
    json_t *status = json_object();

    cm_executor_stats(daemon->executor, &stats);
    json_object_set_new(status, "state", json_string(daemon_state_word(daemon)));
    json_object_set_new(status, "maintenance", json_boolean(daemon->maintenance));
    json_object_set_new(status, "version", json_string(cm_version()));
    json_object_set_new(status, "engine", json_string(report == NULL ? "" : report->engine));
    json_object_set_new(status, "uptime_seconds",
                        json_integer((json_int_t)(time(NULL) - (time_t)metrics->start_seconds)));
    json_object_set_new(status, "resident_bytes",
                        json_integer((json_int_t)metrics_resident_bytes()));
    json_object_set_new(status, "pool", pool_json(&stats));
    json_object_set_new(status, "executions", executions_json(metrics, &stats));
    json_object_set_new(status, "connections", connections_json(metrics));
    json_object_set_new(status, "failures", failures_json(metrics));
    return answer_json(request, status);
}

int serve_settings(const struct http_request *request)
{
    json_t *settings = json_array();
    struct daemon_shown shown;

    for (size_t i = 0; daemon_settings_show(request->daemon->settings, i, &shown); i++)
        json_array_append_new(settings, json_pack("{s:s, s:s, s:s}", "name", shown.name, "value",
                                                  shown.value, "source", shown.source));
    return answer_json(request, settings);
}

int serve_maintenance(const struct http_request *request)
{
    return answer_json(request, json_pack("{s:b}", "on", (int)request->daemon->maintenance));
}

int set_maintenance(const struct http_request *request)
{
    bool on;

    if (!http_parse_maintenance(request->body, request->body_bytes, &on))
        return http_answer_text(request->wsi, HTTP_STATUS_BAD_REQUEST,
                                "The body is {\"on\": true} or {\"on\": false}.");
    daemon_set_maintenance(request->daemon, on);
    return serve_maintenance(request);
}
