/* The fetches of a run: those that the executor performs (transfer.c) and those
 * that its host performs. Runs in the host's process. Ids and order are a
 * worker's and checked here; responses are the host's, which has them from
 * anywhere. */
#include "base/cleanup.h"
#include "base/text.h"
#include "executor/run.h"
#include "executor/state.h"
#include "executor/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t run_outbound(const struct cm_run *run)
{
    switch (run->request->outbound) {
    case CM_OUTBOUND_HOST:
        return run->events->on_fetch == NULL ? IPC_OUTBOUND_NO_HOST : IPC_OUTBOUND_OPEN;
    case CM_OUTBOUND_NONE:
        return IPC_OUTBOUND_CLOSED;
    default:
        return run->executor->settings.outbound_mode == OUTBOUND_CLOSED ? IPC_OUTBOUND_CLOSED
                                                                        : IPC_OUTBOUND_OPEN;
    }
}

/* ---- the table ---- */

static int fetch_open(struct cm_run *run, uint32_t id, const char *url, struct fetch **ret_fetch)
{
    size_t url_bytes = strlen(url) + 1;
    struct fetch *fetch = malloc(sizeof(*fetch) + url_bytes);

    if (fetch == NULL)
        return CM_E_NOMEM;
    *fetch = (struct fetch){ .run = run, .id = id };
    memcpy(fetch->url, url, url_bytes);
    cm_list_append(&run->fetches, &fetch->link);
    run->fetch_count++;
    *ret_fetch = fetch;
    return 0;
}

static struct fetch *fetch_find(const struct cm_run *run, uint32_t id)
{
    CM_LIST_EACH(&run->fetches, link, after)
    {
        struct fetch *fetch = CM_CONTAINER_OF(link, struct fetch, link);

        if (fetch->id == id)
            return fetch;
    }
    return NULL;
}

static void fetch_forget(struct fetch *fetch)
{
    fetch->run->fetch_count--;
    cm_list_unlink(&fetch->link);
    free(fetch);
}

void fetch_close(struct fetch *fetch)
{
    struct cm_run *run = fetch->run;

    if (fetch->transfer != NULL) {
        run->transfer_count--;
        transfer_free(fetch->transfer);
    }
    fetch_forget(fetch);
    if (run->state == RUN_RUNNING && run->carried == NULL)
        run_update_clock(run);
}

int run_open_fetch(struct cm_run *run, uint32_t id, const char *url)
{
    struct fetch *fetch;

    return fetch_open(run, id, url, &fetch);
}

void run_close_fetch(struct cm_run *run, uint32_t id)
{
    struct fetch *fetch = fetch_find(run, id);

    if (fetch != NULL)
        fetch_close(fetch);
}

void run_stop_transfers(struct cm_run *run)
{
    CM_LIST_EACH(&run->fetches, link, after)
    {
        struct fetch *fetch = CM_CONTAINER_OF(link, struct fetch, link);

        if (fetch->transfer != NULL)
            fetch_forget(fetch);
    }
    run->transfer_count = 0;
    if (run->outbound != NULL)
        outbound_stop(run->outbound);
}

void run_drop_fetches(struct cm_run *run)
{
    CM_LIST_EACH(&run->fetches, link, after)
    {
        struct fetch *fetch = CM_CONTAINER_OF(link, struct fetch, link);

        if (run->events->on_drop != NULL && run->state == RUN_ENDED)
            run->events->on_drop(run->user, run, fetch->id);
    }
}

void run_fetches_done(struct cm_run *run)
{
    CM_LIST_EACH(&run->fetches, link, after)
    {
        fetch_forget(CM_CONTAINER_OF(link, struct fetch, link));
    }
}

/* ---- to the worker ---- */

/* Nothing of a frame that could not be sent has been, but a program must not
 * wait for what will not come. */
static bool sent(struct cm_run *run, int r)
{
    if (r < 0)
        run_stop_no_memory(run);
    return run->state == RUN_RUNNING;
}

bool run_send_response(struct cm_run *run, const struct ipc_response *head, const char *status_text,
                       const char *url, const void *headers)
{
    return sent(run, worker_response(run->worker, head, status_text, url, headers));
}

bool run_send_body(struct cm_run *run, uint32_t id, bool last, const void *bytes, size_t n)
{
    return sent(run, worker_body(run->worker, id, last, bytes, n));
}

void fetch_fail(struct fetch *fetch, char *sentence)
{
    struct cm_run *run = fetch->run;
    const char *text = sentence != NULL ? sentence : cm_message_text(CM_MSG_NO_MEMORY);

    if (sent(run, worker_fetch_failed(run->worker, fetch->id, text)))
        fetch_close(fetch);
    free(sentence);
}

/* ---- from the worker ---- */

static int start_transfer(struct cm_run *run, struct fetch *fetch,
                          const struct ipc_fetch_body *request)
{
    int r = run->outbound == NULL ? outbound_new(run, &run->outbound) : 0;

    if (r < 0)
        return r;
    run->transfer_count++;
    run_update_clock(run);
    r = transfer_start(run->outbound, fetch, request); /* `fetch` may have ended */
    if (r < 0)
        run->transfer_count--;
    return r;
}

static int report(struct cm_run *run, const struct ipc_fetch_body *request)
{
    const char *at = request->headers;
    CM_AUTO_FREE struct cm_header *headers = calloc(request->header_count + 1, sizeof(*headers));
    struct cm_fetch fetch = { .id = request->id,
                              .url = request->url,
                              .url_bytes = request->url_bytes,
                              .method = request->method,
                              .headers = headers,
                              .header_count = request->header_count,
                              .body = request->body,
                              .body_bytes = request->body_bytes };

    if (headers == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < request->header_count; i++)
        headers[i] = ipc_next_header(&at);
    run_update_clock(run);
    run->events->on_fetch(run->user, run, &fetch);
    return 0;
}

/* The worker of a run knows that the host has no function and asks for nothing; that
 * of a retained execution cannot know it of each invocation. */
static int refuse_without_host(struct cm_run *run, struct fetch *fetch)
{
    int r = worker_fetch_failed(run->worker, fetch->id, cm_message_text(CM_MSG_FETCH_NO_HOST));

    if (r == 0)
        fetch_close(fetch);
    return r;
}

const char *run_on_fetch(struct cm_run *run, const struct ipc_fetch_body *request)
{
    bool by_host;
    struct fetch *fetch;
    int r;

    if (request->id != *run_last_id(run) + 1)
        return "a FETCH with an id that is not the next";
    if (run->fetch_count - run->answered_count >= run->executor->settings.fetches_in_flight)
        return "more fetches in flight than its bound";
    *run_last_id(run) = request->id;
    if (run->state != RUN_RUNNING) /* killed: nobody would answer */
        return NULL;
    if (run_outbound(run) == IPC_OUTBOUND_CLOSED ||
        (run_outbound(run) == IPC_OUTBOUND_NO_HOST && run->execution == NULL))
        return "a FETCH though its network is closed";
    by_host = run->request->outbound == CM_OUTBOUND_HOST;
    r = fetch_open(run, request->id, request->url, &fetch);
    if (r == 0) {
        run->executor->stats.fetches++;
        if (run_outbound(run) == IPC_OUTBOUND_NO_HOST)
            r = refuse_without_host(run, fetch);
        else
            r = by_host ? report(run, request) : start_transfer(run, fetch, request);
    }
    if (r < 0)
        run_stop_no_memory(run);
    return NULL;
}

const char *run_on_fetch_abort(struct cm_run *run, uint32_t id)
{
    struct fetch *fetch = fetch_find(run, id);
    bool by_host;

    if (id > *run_last_id(run))
        return "a FETCH_ABORT of a fetch that it has not made";
    if (fetch == NULL || run->state != RUN_RUNNING) /* it ended while this was on its way */
        return NULL;
    by_host = fetch->transfer == NULL;
    fetch_close(fetch);
    if (by_host && run->events->on_drop != NULL)
        run->events->on_drop(run->user, run, id);
    return NULL;
}

const char *run_on_fetch_took(struct cm_run *run, const struct ipc_fetch_took *took)
{
    struct fetch *fetch = fetch_find(run, took->id);

    if (took->id > *run_last_id(run))
        return "a FETCH_TOOK of a fetch that it has not made";
    if (fetch == NULL || fetch->transfer == NULL)
        return NULL;
    return transfer_took(fetch->transfer, took->bytes) ? NULL : "more bytes taken than it was sent";
}

/* ---- from the host ---- */

static struct fetch *find_open(const struct cm_run *run, uint32_t id)
{
    struct fetch *fetch = run->state == RUN_RUNNING ? fetch_find(run, id) : NULL;

    return fetch != NULL && fetch->transfer == NULL ? fetch : NULL;
}

/* What makes it no response, or NULL. */
static const char *wrong_response(const struct cm_response *response)
{
    const char *text = response->status_text;
    size_t bytes = 0;

    if (response->status < 200 || response->status > 599)
        return "its status is not a number from 200 to 599";
    if (text != NULL && !ipc_is_header_value(text, strlen(text)))
        return "its status text has a character that none may have";
    if (response->header_count > 0 && response->headers == NULL)
        return "its headers are missing";
    for (size_t i = 0; i < response->header_count; i++) {
        const struct cm_header *header = &response->headers[i];
        const char *wrong = ipc_wrong_header(header);

        if (wrong != NULL)
            return wrong;
        bytes += header->name_bytes + header->value_bytes + 2;
        if (bytes > IPC_FETCH_HEAD_MAX)
            return "its headers are too long";
    }
    return text != NULL && strlen(text) > IPC_FETCH_HEAD_MAX ? "its status text is too long" : NULL;
}

static int send_response(struct fetch *fetch, const struct cm_response *response)
{
    struct worker *worker = fetch->run->worker;
    struct ipc_response head = { .id = fetch->id,
                                 .status = response->status,
                                 .header_count = (uint32_t)response->header_count,
                                 .has_body = response->body != NULL,
                                 .whole = response->body != NULL };
    struct cm_buf headers;
    int r;

    if (fetch->run->carried != NULL)
        return fetch->run->executor->remote->ops->respond(fetch->run, fetch->id, response);
    r = ipc_pack_headers(response->headers, response->header_count, &headers);
    head.headers_bytes = (uint32_t)headers.len;
    if (r == 0)
        r = worker_response(worker, &head,
                            response->status_text == NULL ? "" : response->status_text, fetch->url,
                            cm_buf_bytes(&headers));
    cm_buf_done(&headers);
    if (r == 0 && response->body != NULL &&
        !run_send_body(fetch->run, head.id, true, response->body, response->body_bytes))
        return CM_E_NOMEM; /* half of it was sent: the run has ended */
    return r;
}

static int refuse(struct fetch *fetch, char *sentence)
{
    struct cm_run *run = fetch->run;
    int r = CM_E_NOMEM;

    if (sentence != NULL && run->carried != NULL)
        r = run->executor->remote->ops->reject(run, fetch->id, sentence, strlen(sentence));
    else if (sentence != NULL)
        r = worker_fetch_failed(run->worker, fetch->id, sentence);
    free(sentence);
    return r;
}

static int refuse_too_large(struct fetch *fetch, size_t bytes)
{
    CM_AUTO_FREE char *what = NULL;

    if (asprintf(&what, "The response to %s", fetch->url) < 0) {
        what = NULL;
        return CM_E_NOMEM;
    }
    return refuse(fetch,
                  cm_message_new(CM_MSG_TOO_LARGE, what, cm_number_grouped(bytes).text,
                                 cm_number_grouped(fetch->run->executor->limits.message_bytes).text,
                                 NULL));
}

int cm_run_respond(struct cm_run *run, uint32_t fetch_id, const struct cm_response *response)
{
    struct fetch *fetch;
    const char *wrong;
    int r;

    if (run == NULL || response == NULL)
        return CM_E_INVAL;
    fetch = find_open(run, fetch_id);
    if (fetch == NULL)
        return CM_E_STATE;
    wrong = wrong_response(response);
    if (wrong != NULL)
        r = refuse(fetch, cm_message_new(CM_MSG_FETCH_RESPONSE_BAD, fetch->url, wrong, NULL));
    else if (response->body_bytes > run->executor->limits.message_bytes)
        r = refuse_too_large(fetch, response->body_bytes);
    else
        r = send_response(fetch, response);
    if (r == 0)
        fetch_close(fetch);
    return r;
}

int cm_run_refuse(struct cm_run *run, uint32_t fetch_id, const char *message, size_t message_bytes)
{
    struct fetch *fetch;
    int r;

    if (run == NULL || message == NULL)
        return CM_E_INVAL;
    fetch = find_open(run, fetch_id);
    if (fetch == NULL)
        return CM_E_STATE;
    if (message_bytes > run->executor->limits.message_bytes)
        r = refuse_too_large(fetch, message_bytes);
    else
        r = refuse(fetch, run_repaired(message, message_bytes));
    if (r == 0)
        fetch_close(fetch);
    return r;
}
