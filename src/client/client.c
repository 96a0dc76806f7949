/* The connection of an executor to a daemon. Runs in the host's process; whatever
 * listens at the URL is hostile until it has greeted, and its messages are what the
 * session takes them for afterwards.
 *
 * The session calls back from inside client_read() and from inside the calls that are
 * made on it; it is ended by neither, but by the loop: on_timer(). */
#include "client/client.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/text.h"
#include "client/carried.h"
#include "executor/state.h"

#include <stdio.h>
#include <string.h>

enum {
    GREETING_MS = 10000,
    PROTOCOL = 1,
    READS_A_TURN = 64,
    FRAMES_KEPT = 1 << 20, /* of memory, when all were sent */
    ENVELOPE_BYTES = 1 << 16,
    ALL_IS_WELL = 1000, /* a close code */
};

/* Of what the host has given out and the daemon does not take. */
static const size_t frames_max = (size_t)1 << 30;

/* ---- errors of the daemon ---- */

static const char *const fault_words[] = {
#define FAULT_WORD(name, retryable) [CM_FAULT_##name] = #name,
    CM_FAULT_MAP(FAULT_WORD)
#undef FAULT_WORD
};

enum cm_fault client_fault_of(const struct capnweb_value *reason, int *ret_retryable)
{
    struct capnweb_text code = capnweb_get_text(reason, "code");
    const struct capnweb_value *retryable = capnweb_get(reason, "retryable");

    *ret_retryable =
        retryable != NULL && retryable->kind == CAPNWEB_BOOLEAN && retryable->boolean ? 1 : 0;
    for (size_t i = CM_FAULT_NONE + 1; i < CM_ARRAY_LEN(fault_words) && code.data != NULL; i++)
        if (capnweb_text_is(code, fault_words[i]))
            return (enum cm_fault)i;
    return CM_FAULT_INTERNAL;
}

char *client_message_of(const struct capnweb_value *reason)
{
    if (reason->kind == CAPNWEB_ERROR)
        return strdup(reason->error->message.data);
    return strdup("The executor failed without a message.");
}

char *client_broken(const struct client *client)
{
    return cm_message_new(CM_MSG_CONNECTION_BROKEN, client->url, NULL);
}

/* ---- retained executions ---- */

struct kept {
    struct cm_list link; /* client->kept */
    char id[];
};

static void kept_free(struct kept *kept)
{
    cm_list_unlink(&kept->link);
    free(kept);
}

int client_keep(struct client *client, const char *execution_id)
{
    size_t bytes = strlen(execution_id) + 1;
    struct kept *kept = malloc(sizeof(*kept) + bytes);

    if (kept == NULL)
        return CM_E_NOMEM;
    memcpy(kept->id, execution_id, bytes);
    cm_list_init(&kept->link);
    cm_list_append(&client->kept, &kept->link);
    return 0;
}

void client_forget(struct client *client, const char *execution_id)
{
    CM_LIST_EACH(&client->kept, link, after)
    {
        struct kept *kept = CM_CONTAINER_OF(link, struct kept, link);

        if (strcmp(kept->id, execution_id) == 0)
            kept_free(kept);
    }
}

/* ---- the end of a connection ---- */

/* The loop ends it as soon as it can. */
static void end_soon(struct client *client)
{
    client->ended = true;
    timer_arm(&client->timer, cm_now_ns());
}

static void end_runs(struct client *client)
{
    CM_AUTO_FREE char *sentence = CM_TAKE(client->refusal);

    if (client->refused != CM_FAULT_NONE) {
        carried_end_all(client, client->refused, sentence, cm_fault_retryable(client->refused));
    } else if (client->state == CLIENT_OPEN) {
        sentence = client_broken(client);
        carried_end_all(client, CM_FAULT_CONNECTION_BROKEN, sentence, 1);
    } else {
        sentence = cm_message_new(client->stream.untrusted ? CM_MSG_CONNECTION_UNTRUSTED
                                                           : CM_MSG_CONNECTION_REJECTED,
                                  client->url, NULL);
        carried_end_all(client, CM_FAULT_CONNECTION_REJECTED, sentence, 0);
    }
}

/* Runs end first: what the session rejects at its end is then nobody's. */
static void leave(struct client *client)
{
    client->ended = true; /* nothing more is sent */
    end_runs(client);
    CM_LIST_EACH(&client->kept, link, after)
    {
        kept_free(CM_CONTAINER_OF(link, struct kept, link));
    }
    client->state = CLIENT_IDLE;
    client->refused = CM_FAULT_NONE;
    timer_disarm(&client->timer);
    capnweb_stub_unref(CM_TAKE(client->daemon));
    capnweb_session_free(client->rpc);
    client->rpc = NULL;
    client->ended = false;
    stream_close(&client->stream);
    websocket_done(&client->websocket);
    cm_buf_done(&client->upgrade);
    cm_buf_done(&client->frames);
}

static void on_timer(struct timer *timer, uint64_t now_ns)
{
    (void)now_ns;
    leave(CM_CONTAINER_OF(timer, struct client, timer));
}

/* ---- output ---- */

static int send_from(struct client *client, struct cm_buf *buf)
{
    ssize_t n = stream_write(&client->stream, cm_buf_bytes(buf), buf->len);

    if (n < 0)
        return (int)n;
    cm_buf_consume(buf, (size_t)n);
    if (buf->len == 0 && buf->cap > FRAMES_KEPT)
        cm_buf_done(buf);
    return 0;
}

void client_flush(struct client *client)
{
    int r;

    if (client->ended || !stream_is_connected(&client->stream))
        return;
    r = send_from(client, client->websocket.open ? &client->frames : &client->upgrade);
    if (r < 0)
        end_soon(client);
}

static void put_frame(struct client *client, enum websocket_opcode opcode, const void *payload,
                      size_t bytes)
{
    if (!client->ended && websocket_frame(opcode, payload, bytes, &client->frames) < 0)
        end_soon(client);
}

static void on_send(void *user, char *message, size_t bytes)
{
    put_frame(user, WEBSOCKET_TEXT, message, bytes);
    free(message);
}

static void on_ended(void *user, enum capnweb_end how, struct capnweb_text reason)
{
    (void)how;
    (void)reason;
    end_soon(user);
}

static const struct capnweb_events rpc_events = { .send = on_send, .on_ended = on_ended };

/* ---- the greeting ---- */

/* The daemon's bound on a message holds where it is the lower one. */
static void take_limits(struct client *client, const struct capnweb_value *hello)
{
    const struct capnweb_value *limits = capnweb_get(hello, "limits");
    const struct capnweb_value *bytes = limits == NULL ? NULL : capnweb_get(limits, "messageBytes");
    uint64_t *ours = &client->executor->limits.message_bytes;

    if (bytes != NULL && bytes->kind == CAPNWEB_NUMBER && bytes->number >= 1 &&
        bytes->number < (double)*ours)
        *ours = (uint64_t)bytes->number;
}

static void on_hello(void *user, const struct capnweb_outcome *outcome)
{
    struct client *client = user;
    int retryable;

    if (client->ended)
        return;
    if (!outcome->rejected) {
        client->state = CLIENT_OPEN;
        timer_disarm(&client->timer);
        take_limits(client, outcome->value);
    } else if (!capnweb_ended(client->rpc)) {
        client->refused = client_fault_of(outcome->value, &retryable);
        if (client->refused == CM_FAULT_INTERNAL) /* it said no word that we know */
            client->refused = CM_FAULT_NONE;
        else
            client->refusal = client_message_of(outcome->value);
        end_soon(client);
    }
}

static int greet(struct client *client)
{
    char name[64];
    struct capnweb_member members[] = {
        { capnweb_text("protocol"), capnweb_number(PROTOCOL) },
        { capnweb_text("client"), capnweb_undefined() },
        { capnweb_text("token"), capnweb_undefined() },
    };
    size_t count = CM_ARRAY_LEN(members);
    struct capnweb_value hello;

    snprintf(name, sizeof(name), "libcodemode/%s", cm_version());
    members[1].value = capnweb_cstring(name);
    if (client->token != NULL)
        members[2].value = capnweb_cstring(client->token);
    else
        count--;
    hello = capnweb_object(members, count);
    return capnweb_invoke(client->daemon, "hello", &hello, 1, on_hello, client, NULL);
}

/* ---- input ---- */

/* As far as the socket takes it: nobody waits for it. */
static void say_goodbye(struct client *client, const void *payload, size_t bytes)
{
    put_frame(client, WEBSOCKET_CLOSE, payload, bytes);
    client_flush(client);
}

/* A server that broke the protocol is told how. */
static void close_for(struct client *client, unsigned code)
{
    const uint8_t payload[] = { (uint8_t)(code >> 8), (uint8_t)code };

    if (code != 0)
        say_goodbye(client, payload, sizeof(payload));
}

static void on_event(struct client *client, const struct websocket_event *event)
{
    switch (event->type) {
    case WEBSOCKET_ON_OPEN:
        break; /* what waits in `frames` is sent from now on */
    case WEBSOCKET_ON_TEXT:
        capnweb_receive_owned(client->rpc, event->data, event->bytes);
        break;
    case WEBSOCKET_ON_PING:
        put_frame(client, WEBSOCKET_PONG, event->data, event->bytes);
        break;
    case WEBSOCKET_ON_CLOSE:
        say_goodbye(client, event->data, event->bytes);
        end_soon(client);
        break;
    }
}

static int take_events(struct client *client)
{
    struct websocket_event event;
    int r = 0;

    while (!client->ended && (r = websocket_next(&client->websocket, &event)) > 0)
        on_event(client, &event);
    return r;
}

/* 1: there may be more. */
static int read_some(struct client *client)
{
    ssize_t n = stream_read(&client->stream, client->input, sizeof(client->input));
    int r;

    if (n <= 0)
        return (int)n;
    r = websocket_feed(&client->websocket, client->input, (size_t)n);
    if (r == 0)
        r = take_events(client);
    return r < 0 ? r : 1;
}

static void on_ready(struct stream *stream)
{
    struct client *client = CM_CONTAINER_OF(stream, struct client, stream);
    int r = stream->failed ? CM_E_PEER : 1;

    client->reading = true;
    for (int i = 0; r == 1 && i < READS_A_TURN && !client->ended; i++)
        r = read_some(client);
    client->reading = false;
    if (r < 0) {
        close_for(client, client->websocket.code);
        client->ended = true;
    }
    if (r == 1)
        stream_look_again(stream);
    client_flush(client);
    if (client->ended)
        leave(client);
}

/* ---- its beginning ---- */

static int open_session(struct client *client)
{
    const size_t message_max = 2 * client->executor->settings.message_limit_bytes + ENVELOPE_BYTES;
    struct capnweb_settings settings;
    int r;

    capnweb_settings_init(&settings);
    settings.max_message = message_max;
    r = websocket_init(&client->websocket, message_max);
    if (r == 0)
        r = capnweb_session_new(&settings, &rpc_events, client, NULL, NULL, &client->rpc);
    if (r == 0)
        client->daemon = capnweb_peer_main(client->rpc);
    return r == 0 && client->daemon == NULL ? CM_E_NOMEM : r;
}

/* Of "http://localhost:8080/path?query", "localhost:8080" and "/path?query". */
static int put_upgrade(struct client *client)
{
    const char *authority = strstr(client->target.url, "://") + 3;
    const char *path = strchr(authority, '/');
    size_t bytes = path == NULL ? strlen(authority) : (size_t)(path - authority);
    CM_AUTO_FREE char *host = strndup(authority, bytes);

    if (host == NULL)
        return CM_E_NOMEM;
    return websocket_request(&client->websocket, host, path == NULL ? "/" : path, &client->upgrade);
}

int client_join(struct client *client)
{
    int r;

    if (client->ended && !client->reading)
        leave(client);
    if (client->state != CLIENT_IDLE)
        return 0;
    client->state = CLIENT_JOINING;
    client->executor->limits.message_bytes = client->executor->settings.message_limit_bytes;
    timer_arm(&client->timer, cm_deadline(cm_now_ns(), GREETING_MS * CM_NS_PER_MS));
    r = open_session(client);
    if (r == 0)
        r = put_upgrade(client);
    if (r == 0)
        r = greet(client);
    if (r == 0)
        r = stream_open(&client->stream);
    if (r < 0)
        leave(client);
    return r < 0 ? CM_E_NOMEM : 0;
}

/* ---- the remote of an executor ---- */

static int join_remote(struct remote *remote)
{
    return client_join(CM_CONTAINER_OF(remote, struct client, remote));
}

static void ignore_outcome(void *user, const struct capnweb_outcome *outcome)
{
    (void)user;
    (void)outcome;
}

/* `execution_id` NULL: all of them. What cannot be sent ends with the connection. */
static int release(struct remote *remote, const char *execution_id)
{
    struct client *client = CM_CONTAINER_OF(remote, struct client, remote);
    int r = CM_E_STATE;

    CM_LIST_EACH(&client->kept, link, after)
    {
        struct kept *kept = CM_CONTAINER_OF(link, struct kept, link);
        const struct capnweb_value id = capnweb_cstring(kept->id);

        if (execution_id != NULL && strcmp(kept->id, execution_id) != 0)
            continue;
        r = 0;
        if (capnweb_invoke(client->daemon, "release", &id, 1, ignore_outcome, NULL, NULL) < 0)
            end_soon(client);
        kept_free(kept);
    }
    client_flush(client);
    return r;
}

static void disconnect(struct remote *remote)
{
    struct client *client = CM_CONTAINER_OF(remote, struct client, remote);

    if (client->state == CLIENT_IDLE)
        return;
    if (client->state == CLIENT_OPEN)
        close_for(client, ALL_IS_WELL);
    leave(client);
}

static void client_free(struct remote *remote)
{
    struct client *client = CM_CONTAINER_OF(remote, struct client, remote);

    disconnect(remote);
    stream_done(&client->stream);
    timer_done(&client->timer);
    target_done(&client->target);
    free(client->ca_file);
    free(client->token);
    free(client->url);
    free(client);
}

static const struct remote_ops ops = {
    .connect = join_remote,
    .disconnect = disconnect,
    .start = carried_start,
    .invoke = carried_invoke,
    .answer = carried_answer,
    .respond = carried_respond,
    .reject = carried_reject,
    .stop = carried_stop,
    .release = release,
    .free = client_free,
};

/* "ws://" becomes "http://", and "wss://" "https://". */
static int read_url(struct client *client, struct cm_error *err)
{
    CM_AUTO_FREE char *http = NULL;
    int r = CM_E_INVAL;

    if (strncmp(client->url, "ws://", 5) == 0 || strncmp(client->url, "wss://", 6) == 0) {
        if (asprintf(&http, "http%s", client->url + 2) < 0) {
            http = NULL;
            return cm_fail(err, CM_E_NOMEM, 0, "no memory for a connection");
        }
        r = target_parse(http, NULL, &client->target);
    }
    if (r == 0 && client->target.credentials)
        r = CM_E_INVAL;
    if (r == CM_E_INVAL)
        return cm_fail(err, r, 0,
                       "the URL is '%.200s'; it is like ws://127.0.0.1:8080 or wss://host, "
                       "without a user",
                       client->url);
    return r < 0 ? cm_fail(err, r, 0, "no memory for a connection") : 0;
}

/* NULL is one of NULL. */
static bool copy(char **to, const char *text)
{
    *to = text == NULL ? NULL : strdup(text);
    return text == NULL || *to != NULL;
}

static int client_new(struct cm_executor *executor, const char *url,
                      const struct cm_connect_options *options, struct cm_error *err)
{
    struct client *client = calloc(1, sizeof(*client));
    bool copied;
    int r;

    if (client == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for a connection");
    client->remote.ops = &ops;
    client->executor = executor;
    executor->remote = &client->remote; /* its owner from here on */
    cm_list_init(&client->runs);
    cm_list_init(&client->kept);
    cm_buf_init(&client->upgrade, frames_max);
    cm_buf_init(&client->frames, frames_max);
    copied = copy(&client->url, url) && copy(&client->token, options->token) &&
             copy(&client->ca_file, options->ca_file);
    r = stream_init(&client->stream, &executor->loop, &client->target, on_ready);
    if (r == 0)
        r = timer_init(&client->timer, &executor->loop.timers, on_timer);
    client->stream.ca_file = client->ca_file;
    if (r < 0 || !copied)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for a connection");
    return read_url(client, err);
}

int cm_connect(const char *url, const struct cm_connect_options *options,
               struct cm_executor **ret_executor, struct cm_error *err)
{
    static const struct cm_connect_options defaults = CM_CONNECT_OPTIONS_INIT;
    struct cm_executor *executor;
    int r;

    if (url == NULL || ret_executor == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "url and ret_executor are required");
    if (options == NULL)
        options = &defaults;
    if (options->struct_bytes != sizeof(*options))
        return cm_fail(err, CM_E_INVAL, 0, "the options' struct_bytes does not fit this library");
    r = cm_executor_new(options->settings, &executor, err);
    if (r < 0)
        return r;
    r = client_new(executor, url, options, err);
    if (r < 0) {
        cm_executor_free(executor);
        return r;
    }
    *ret_executor = executor;
    return 0;
}
