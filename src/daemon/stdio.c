/* One connection over standard input and output. Runs in the daemon; the other end
 * is the program that started it. A message is a line: the JSON of a message has no
 * line end in it. */
#include "daemon/stdio.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "daemon/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 16 };

struct stdio {
    struct daemon *daemon;
    struct connection *connection; /* NULL: it is over */
    struct watch input;
    struct watch output; /* open while standard output takes nothing */
    lws_sorted_usec_list_t flush;
    lws_sorted_usec_list_t end;
    const char *reason;
    bool newline_due;
};

/* ---- the end ---- */

static void end(lws_sorted_usec_list_t *timer)
{
    struct stdio *stdio = lws_container_of(timer, struct stdio, end);

    if (stdio->connection != NULL)
        connection_lost(CM_TAKE(stdio->connection), stdio->reason);
    watch_close(&stdio->input);
    watch_close(&stdio->output);
    lws_sul_cancel(&stdio->flush);
    daemon_drain(stdio->daemon, stdio->reason);
}

/* From the loop: what calls here may be in the middle of a message. */
static void end_soon(struct stdio *stdio, const char *reason)
{
    if (stdio->reason != NULL)
        return;
    stdio->reason = reason;
    lws_sul_schedule(stdio->daemon->lws, 0, &stdio->end, end, 1);
}

/* ---- output ---- */

/* False: nothing more can be written now. */
static bool put(struct stdio *stdio, const char *bytes, size_t count, size_t *ret_written)
{
    ssize_t n = write(STDOUT_FILENO, bytes, count);

    if (n < 0 && errno != EAGAIN && errno != EINTR)
        end_soon(stdio, "standard output broke");
    *ret_written = n < 0 ? 0 : (size_t)n;
    return n > 0;
}

static bool put_next(struct stdio *stdio)
{
    struct connection_piece piece;
    size_t written;

    if (stdio->newline_due) {
        stdio->newline_due = !put(stdio, "\n", 1, &written);
        return !stdio->newline_due;
    }
    if (!connection_output(stdio->connection, SIZE_MAX, &piece) ||
        !put(stdio, piece.bytes, piece.count, &written))
        return false;
    stdio->newline_due = piece.last && written == piece.count;
    connection_sent(stdio->connection, written);
    return true;
}

static bool has_output(const struct stdio *stdio)
{
    return stdio->newline_due || !cm_list_empty(&stdio->connection->output);
}

static void flush(lws_sorted_usec_list_t *timer)
{
    struct stdio *stdio = lws_container_of(timer, struct stdio, flush);
    struct cm_error err = CM_ERROR_INIT;

    if (stdio->connection == NULL)
        return;
    while (put_next(stdio))
        ;
    if (!has_output(stdio)) {
        watch_close(&stdio->output);
        if (connection_is_finished(stdio->connection))
            end_soon(stdio, "the session was over");
        return;
    }
    if (stdio->output.wsi == NULL &&
        watch_open(&stdio->output, stdio->daemon->vhost, STDOUT_FILENO, &err) < 0)
        end_soon(stdio, "standard output cannot be waited for");
    else
        watch_output(&stdio->output);
}

/* libwebsockets forgets a wish for output that is made while it tells of some. */
static void flush_soon(struct stdio *stdio)
{
    lws_sul_schedule(stdio->daemon->lws, 0, &stdio->flush, flush, 1);
}

static void on_output_ready(struct watch *watch)
{
    flush_soon(watch->user);
}

/* ---- input ---- */

static void take_lines(struct stdio *stdio, const char *bytes, size_t count)
{
    while (count > 0) {
        const char *newline = memchr(bytes, '\n', count);
        size_t len = newline == NULL ? count : (size_t)(newline - bytes);

        connection_receive(stdio->connection, bytes, len, 0, newline != NULL);
        len += newline == NULL ? 0 : 1;
        bytes += len;
        count -= len;
    }
}

static void on_input(struct watch *watch)
{
    struct stdio *stdio = watch->user;
    char bytes[READ_BYTES];
    ssize_t n;

    if (stdio->reason != NULL)
        return;
    n = read(STDIN_FILENO, bytes, sizeof(bytes));
    if (n > 0)
        take_lines(stdio, bytes, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        end_soon(stdio, "standard input ended");
}

static void on_input_end(struct watch *watch)
{
    end_soon(watch->user, "standard input ended");
}

/* ---- transport ---- */

static void want_output(struct connection *connection)
{
    flush_soon(connection->carrier);
}

static void set_paused(struct connection *connection, bool paused)
{
    struct stdio *stdio = connection->carrier;

    if (stdio->input.wsi != NULL)
        watch_pause(&stdio->input, paused);
}

static void kill_stdio(struct connection *connection)
{
    end_soon(connection->carrier, "standard output was not read");
}

static const struct transport transport = { "stdio", want_output, set_paused, kill_stdio };

int stdio_open(struct daemon *daemon, struct stdio **ret_stdio, struct cm_error *err)
{
    struct stdio *stdio = calloc(1, sizeof(*stdio));
    int r;

    if (stdio == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the connection");
    stdio->daemon = daemon;
    stdio->input = (struct watch){ .on_ready = on_input, .on_hangup = on_input_end, .user = stdio };
    stdio->output = (struct watch){ .on_ready = on_output_ready, .user = stdio };
    r = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
    if (r == 0)
        r = watch_open(&stdio->input, daemon->vhost, STDIN_FILENO, err);
    else
        r = cm_fail(err, CM_E_SYSTEM, errno, "standard output");
    if (r == 0 && connection_open(daemon, &transport, stdio, true, &stdio->connection) < 0)
        r = cm_fail(err, CM_E_NOMEM, 0, "no memory for the connection");
    if (r < 0) {
        stdio_free(stdio);
        return r;
    }
    *ret_stdio = stdio;
    return 0;
}

void stdio_free(struct stdio *stdio)
{
    if (stdio == NULL)
        return;
    lws_sul_cancel(&stdio->flush);
    lws_sul_cancel(&stdio->end);
    if (stdio->connection != NULL)
        connection_lost(stdio->connection, "the daemon ended");
    watch_close(&stdio->input);
    watch_close(&stdio->output);
    free(stdio);
}
