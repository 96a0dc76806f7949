/* Pipes. A chunk of the peer is the call that brought it, unanswered until a reader
 * has taken it: that is the back-pressure. The bytes of what waits are bounded. */
#include "capnweb/pipe.h"

#include "capnweb/stub.h"
#include "capnweb/wire.h"

#include "base/buf.h"
#include "base/cleanup.h"

#include <stdlib.h>

struct chunk {
    struct cm_list link;
    struct capnweb_call *call; /* of the peer; NULL: it is ours */
    struct capnweb_tree *tree;
    const struct capnweb_value *value;
    size_t bytes;
};

enum { PUMP_WINDOW = 16 };

static void make_due(struct capnweb_pipe *pipe)
{
    if (pipe->on_outcome == NULL)
        return;
    if (!cm_list_empty(&pipe->chunks) || pipe->closed)
        cm_list_move(&pipe->session->due, &pipe->due);
}

static int chunk_add(struct capnweb_pipe *pipe, struct chunk what)
{
    struct capnweb_session *session = pipe->session;
    struct chunk *chunk;

    what.bytes = what.tree->bytes + what.tree->text_bytes;
    if (what.bytes > session->settings.max_stream - session->stream_bytes)
        return CM_E_LIMIT;
    chunk = malloc(sizeof(*chunk));
    if (chunk == NULL)
        return CM_E_NOMEM;
    *chunk = what;
    session->stream_bytes += chunk->bytes;
    cm_list_init(&chunk->link);
    cm_list_append(&pipe->chunks, &chunk->link);
    pipe->waiting++;
    make_due(pipe);
    return 0;
}

/* Ends the chunk: the write is answered, or rejected with `failure`. */
static void chunk_end(struct capnweb_pipe *pipe, struct chunk *chunk,
                      const struct capnweb_tree *failure)
{
    cm_list_unlink(&chunk->link);
    pipe->waiting--;
    pipe->session->stream_bytes -= chunk->bytes;
    if (chunk->call == NULL)
        rpc_tree_unuse(chunk->tree);
    else if (failure != NULL)
        capnweb_reject(chunk->call, failure->root);
    else
        capnweb_answer(chunk->call, capnweb_undefined());
    free(chunk);
}

static void drop_chunks(struct capnweb_pipe *pipe, const struct capnweb_tree *failure)
{
    CM_LIST_EACH(&pipe->chunks, link, after)
    chunk_end(pipe, CM_CONTAINER_OF(link, struct chunk, link), failure);
}

static void pipe_close(struct capnweb_pipe *pipe, struct capnweb_tree *failure)
{
    if (pipe->closed) {
        if (failure != NULL)
            rpc_tree_unuse(failure);
        return;
    }
    pipe->closed = true;
    pipe->failure = failure;
    make_due(pipe);
}

struct capnweb_pipe *capnweb_pipe_new(struct capnweb_session *session)
{
    struct capnweb_pipe *pipe = calloc(1, sizeof(*pipe));

    if (pipe == NULL)
        return NULL;
    pipe->refs = 1;
    pipe->session = session;
    session->refs++;
    cm_list_init(&pipe->all);
    cm_list_init(&pipe->due);
    cm_list_init(&pipe->chunks);
    cm_list_append(&session->pipes, &pipe->all);
    return pipe;
}

struct capnweb_pipe *capnweb_pipe_ref(struct capnweb_pipe *pipe)
{
    pipe->refs++;
    return pipe;
}

/* Gone when neither end is held. Nobody who could read: the writer is told. */
static void pipe_let_go(struct capnweb_pipe *pipe)
{
    struct capnweb_session *session = pipe->session;

    if (pipe->refs > 0)
        return;
    if (pipe->peer_writes) {
        if (pipe->named)
            capnweb_pipe_cancel(pipe);
        return;
    }
    rpc_session_enter(session);
    drop_chunks(pipe, session->reason);
    if (pipe->failure != NULL)
        rpc_tree_unuse(pipe->failure);
    cm_list_unlink(&pipe->all);
    cm_list_unlink(&pipe->due);
    free(pipe);
    rpc_session_leave(session);
    rpc_session_unref(session);
}

void capnweb_pipe_unref(struct capnweb_pipe *pipe)
{
    pipe->refs--;
    pipe_let_go(pipe);
}

static struct capnweb_tree *value_tree(struct capnweb_session *session,
                                       const struct capnweb_value *value, bool plain, int *ret_r)
{
    struct capnweb_tree *tree = rpc_tree_new();
    struct tree_copy copy = {
        .to = tree, .session = session, .limits = &session->settings, .plain = plain
    };

    *ret_r = tree == NULL ? CM_E_NOMEM : rpc_tree_copy(&copy, value, 0, &tree->root);
    if (*ret_r == 0)
        return tree;
    if (tree != NULL)
        rpc_tree_unuse(tree);
    return NULL;
}

int capnweb_pipe_write(struct capnweb_pipe *pipe, struct capnweb_value chunk)
{
    struct capnweb_session *session = pipe->session;
    struct capnweb_tree *tree;
    int r;

    if (pipe->closed || pipe->cancelled || session->reason != NULL)
        return CM_E_STATE;
    rpc_session_enter(session);
    tree = value_tree(session, &chunk, false, &r);
    if (tree != NULL) {
        r = chunk_add(pipe, (struct chunk){ .tree = tree, .value = &tree->root });
        if (r < 0)
            rpc_tree_unuse(tree);
    }
    rpc_session_leave(session);
    return r;
}

void capnweb_pipe_close(struct capnweb_pipe *pipe)
{
    rpc_session_enter(pipe->session);
    pipe_close(pipe, NULL);
    rpc_session_leave(pipe->session);
}

void capnweb_pipe_fail(struct capnweb_pipe *pipe, struct capnweb_value reason)
{
    struct capnweb_session *session = pipe->session;
    struct capnweb_tree *tree;
    int r;

    rpc_session_enter(session);
    tree = value_tree(session, &reason, true, &r);
    pipe_close(pipe, tree != NULL ? tree : rpc_tree_use(session->no_memory));
    rpc_session_leave(session);
}

size_t capnweb_pipe_waiting(const struct capnweb_pipe *pipe)
{
    return pipe->waiting;
}

int capnweb_pipe_read(struct capnweb_pipe *pipe, capnweb_on_outcome *on_outcome, void *user)
{
    if (pipe->on_outcome != NULL || pipe->cancelled)
        return CM_E_STATE;
    rpc_session_enter(pipe->session);
    pipe->refs++; /* the read's, until it is answered */
    pipe->on_outcome = on_outcome;
    pipe->user = user;
    make_due(pipe);
    rpc_session_leave(pipe->session);
    return 0;
}

void capnweb_pipe_cancel(struct capnweb_pipe *pipe)
{
    struct capnweb_session *session = pipe->session;
    struct capnweb_tree *why;

    if (pipe->cancelled)
        return;
    rpc_session_enter(session);
    pipe->cancelled = true;
    why = rpc_session_error(session, "TypeError", "the reader of this stream has given it up");
    drop_chunks(pipe, why);
    pipe_close(pipe, why);
    rpc_session_leave(session);
}

/* Tells the reader what comes next, and then the writer. */
static void serve(struct capnweb_pipe *pipe)
{
    capnweb_on_outcome *on_outcome = CM_TAKE(pipe->on_outcome);
    struct chunk *chunk = CM_LIST_FIRST(&pipe->chunks, struct chunk, link);
    struct capnweb_outcome outcome = { .value = &rpc_undefined };

    if (chunk != NULL) {
        outcome.value = chunk->value;
        outcome.tree = chunk->tree;
        cm_list_unlink(&chunk->link);
    } else if (pipe->failure != NULL) {
        outcome.rejected = true;
        outcome.value = &pipe->failure->root;
        outcome.tree = pipe->failure;
    } else {
        outcome.ended = true;
        outcome.tree = pipe->session->no_memory; /* anything that can be held */
    }
    on_outcome(pipe->user, &outcome);
    if (chunk != NULL)
        chunk_end(pipe, chunk, NULL);
    capnweb_pipe_unref(pipe);
}

bool rpc_pipes_run_due(struct capnweb_session *session)
{
    struct capnweb_pipe *pipe = CM_LIST_FIRST(&session->due, struct capnweb_pipe, due);

    if (pipe == NULL)
        return false;
    cm_list_unlink(&pipe->due);
    if (pipe->on_outcome != NULL)
        serve(pipe);
    return true;
}

void rpc_pipes_fail_all(struct capnweb_session *session, struct capnweb_tree *reason)
{
    CM_LIST_EACH(&session->pipes, link, after)
    {
        struct capnweb_pipe *pipe = CM_CONTAINER_OF(link, struct capnweb_pipe, all);

        pipe_close(pipe, rpc_tree_use(reason));
        if (pipe->refs == 0) /* nobody will take its chunks, which hold it */
            drop_chunks(pipe, reason);
    }
}

/*
 * What the peer writes
 */

static void peer_write(void *object, struct capnweb_call *call)
{
    struct capnweb_pipe *pipe = object;
    const struct chunk chunk = { .call = call,
                                 .tree = call->tree,
                                 .value = capnweb_call_arg(call, 0) };
    int r;

    if (pipe->closed) {
        capnweb_reject_text(call, "TypeError", "the stream is closed");
        return;
    }
    r = chunk_add(pipe, chunk);
    if (r < 0)
        capnweb_reject_text(call, "RangeError", "too much waits in the streams of this session");
    if (r == CM_E_LIMIT)
        rpc_session_fault(pipe->session, "RangeError",
                          "more waits in streams than this session allows");
}

static void peer_close(void *object, struct capnweb_call *call)
{
    pipe_close(object, NULL);
    capnweb_answer(call, capnweb_undefined());
}

static void peer_abort(void *object, struct capnweb_call *call)
{
    capnweb_pipe_fail(object, *capnweb_call_arg(call, 0));
    capnweb_answer(call, capnweb_undefined());
}

static void peer_gone(void *object)
{
    struct capnweb_pipe *pipe = object;
    struct capnweb_session *session = pipe->session;

    if (!pipe->closed)
        pipe_close(pipe, rpc_session_error(session, "Error",
                                           "the stream was released without having been closed"));
    pipe->peer_writes = false;
    pipe_let_go(pipe);
}

static const struct capnweb_method writer_methods[] = {
    { "write", peer_write },
    { "close", peer_close },
    { "abort", peer_abort },
};

static const struct capnweb_class writer_class = {
    .methods = writer_methods,
    .method_count = CM_ARRAY_LEN(writer_methods),
    .dispose = peer_gone,
};

struct capnweb_stub *rpc_pipe_for_peer(struct capnweb_session *session)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(session);
    struct capnweb_stub *stub =
        pipe == NULL ? NULL : capnweb_stub_new(session, &writer_class, pipe);

    if (stub != NULL)
        pipe->peer_writes = true;
    if (pipe != NULL)
        capnweb_pipe_unref(pipe); /* the stub keeps it */
    return stub;
}

struct capnweb_pipe *rpc_pipe_take(struct capnweb_stub *stub)
{
    struct capnweb_pipe *pipe;

    if (stub->state != STUB_LOCAL || stub->local.class != &writer_class ||
        stub->local.method != NULL)
        return NULL;
    pipe = stub->local.object;
    if (pipe->named)
        return NULL;
    pipe->named = true;
    return capnweb_pipe_ref(pipe);
}

/*
 * A pipe that is sent on to the peer
 */

struct pump {
    struct capnweb_pipe *pipe;   /* counted */
    struct capnweb_stub *writer; /* counted */
    size_t unanswered;
    bool ended; /* nothing more will be sent */
};

static void pump_on_chunk(void *user, const struct capnweb_outcome *outcome);

static void pump_done(struct pump *pump)
{
    capnweb_stub_unref(pump->writer);
    capnweb_pipe_unref(pump->pipe);
    free(pump);
}

static void pump_stop(struct pump *pump)
{
    pump->ended = true;
    capnweb_pipe_cancel(pump->pipe);
}

static bool pump_reads(const struct pump *pump)
{
    return pump->pipe->on_outcome == pump_on_chunk;
}

static void pump_go_on(struct pump *pump)
{
    if (!pump->ended && !pump_reads(pump) && pump->unanswered < PUMP_WINDOW &&
        capnweb_pipe_read(pump->pipe, pump_on_chunk, pump) < 0)
        pump_stop(pump);
    if (pump->ended && pump->unanswered == 0 && !pump_reads(pump))
        pump_done(pump);
}

static void pump_on_answer(void *user, const struct capnweb_outcome *outcome)
{
    struct pump *pump = user;

    pump->unanswered--;
    if (outcome->rejected && !pump->ended)
        pump_stop(pump);
    pump_go_on(pump);
}

static void pump_send(struct pump *pump, const char *method, const struct capnweb_value *value,
                      size_t count)
{
    pump->unanswered++;
    if (capnweb_invoke(pump->writer, method, value, count, pump_on_answer, pump, NULL) == 0)
        return;
    pump->unanswered--;
    pump_stop(pump);
}

static void pump_on_chunk(void *user, const struct capnweb_outcome *outcome)
{
    struct pump *pump = user;

    if (!pump->ended && (outcome->ended || outcome->rejected)) {
        pump->ended = true;
        pump_send(pump, outcome->ended ? "close" : "abort", outcome->value, outcome->rejected);
    } else if (!pump->ended) {
        pump_send(pump, "write", outcome->value, 1);
    }
    pump_go_on(pump);
}

int rpc_pipe_pump(struct capnweb_pipe *pipe, struct capnweb_session *session, int64_t *ret_id)
{
    struct pump *pump;

    if (pipe->session != session)
        return CM_E_INVAL;
    if (pipe->on_outcome != NULL || pipe->cancelled)
        return CM_E_STATE;
    pump = calloc(1, sizeof(*pump));
    if (pump == NULL)
        return CM_E_NOMEM;
    pump->writer = rpc_wire_pipe(session);
    if (pump->writer == NULL) {
        free(pump);
        return CM_E_NOMEM;
    }
    pump->pipe = capnweb_pipe_ref(pipe);
    *ret_id = pump->writer->remote.id;
    pump_go_on(pump);
    return 0;
}

/*
 * A pipe whose bytes become a blob
 */

struct collector {
    struct capnweb_pipe *pipe; /* counted */
    struct capnweb_stub *stub; /* counted */
    struct capnweb_tree *tree; /* used: where the type is, and where the blob will be */
    struct capnweb_text type;
    struct cm_buf bytes;
};

static void collector_done(struct collector *collector)
{
    cm_buf_done(&collector->bytes);
    capnweb_stub_unref(collector->stub);
    capnweb_pipe_unref(collector->pipe);
    rpc_tree_unuse(collector->tree);
    free(collector);
}

static void collector_fail(struct collector *collector, const char *type, const char *message)
{
    capnweb_pipe_cancel(collector->pipe);
    rpc_stub_fail_text(collector->stub, type, message);
    collector_done(collector);
}

/* The blob takes the collected bytes as the text of its tree. */
static void collector_finish(struct collector *collector)
{
    struct capnweb_tree *tree = collector->tree;
    struct capnweb_blob *blob = rpc_tree_alloc(tree, sizeof(*blob));

    if (blob == NULL) {
        collector_fail(collector, "Error", "there is no memory left for this blob");
        return;
    }
    *blob = (struct capnweb_blob){ .type = collector->type, .bytes = collector->bytes.len };
    tree->text = (char *)CM_TAKE(collector->bytes.data);
    tree->text_bytes = blob->bytes;
    blob->data = tree->text == NULL ? (const uint8_t *)"" : (const uint8_t *)tree->text;
    tree->root = capnweb_blob(blob);
    rpc_stub_settle(collector->stub, rpc_tree_use(tree), &tree->root);
    collector_done(collector);
}

static void collector_on_chunk(void *user, const struct capnweb_outcome *outcome)
{
    struct collector *collector = user;
    const struct capnweb_value *value = outcome->value;

    if (outcome->ended) {
        collector_finish(collector);
    } else if (outcome->rejected) {
        rpc_stub_fail(collector->stub, rpc_tree_use(outcome->tree), value);
        collector_done(collector);
    } else if (value->kind != CAPNWEB_BYTES) {
        collector_fail(collector, "TypeError", "the stream of a blob holds bytes only");
    } else if (cm_buf_append(&collector->bytes, value->bytes.data, value->bytes.count) < 0) {
        collector_fail(collector, "RangeError", "the blob is too large");
    } else if (capnweb_pipe_read(collector->pipe, collector_on_chunk, collector) < 0) {
        collector_fail(collector, "Error", "the stream of the blob cannot be read");
    }
}

int rpc_pipe_collect(struct capnweb_pipe *pipe, struct capnweb_text type, struct capnweb_stub *stub)
{
    struct collector *collector = calloc(1, sizeof(*collector));
    struct capnweb_tree *tree = rpc_tree_new();
    const char *copy = tree == NULL ? NULL : rpc_tree_text(tree, type.data, type.bytes);

    if (collector == NULL || copy == NULL) {
        free(collector);
        if (tree != NULL)
            rpc_tree_unuse(tree);
        return CM_E_NOMEM;
    }
    cm_buf_init(&collector->bytes, stub->session->settings.max_stream);
    collector->tree = tree;
    collector->type = (struct capnweb_text){ copy, type.bytes };
    collector->pipe = capnweb_pipe_ref(pipe);
    collector->stub = capnweb_stub_ref(stub);
    return capnweb_pipe_read(pipe, collector_on_chunk, collector);
}
