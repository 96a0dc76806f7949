/* What runtime/surface/compression.js calls in C. Runs in a worker, in the middle
 * of the program; the data is the program's. */
#include "base/cleanup.h"
#include "codemode/executor.h"
#include "worker/natives.h"
#include "worker/natives_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Exported by the library, missing in its headers. */
extern void JSReportExtraMemoryCost(JSContextRef ctx, size_t bytes);

enum {
    ROOM_BYTES = 32768,
    STEP_BYTES = 128 * 1024,   /* what is populated at a time */
    PIECE_BYTES = 1024 * 1024, /* goes on: each piece costs the streams' JavaScript */
    /* What zlib holds for one, which the collector has to know of. */
    DEFLATE_BYTES = 268 * 1024,
    INFLATE_BYTES = 40 * 1024
};

/* Its z_stream, which takes much memory, is there from the first data to the end of
 * the stream: the collector may be long in coming. */
struct zipper {
    z_stream z;
    struct cm_buf out; /* what has come out and has not been given */
    int window_bits;
    bool deflates;
    bool open;
    bool ended; /* the last byte has gone through it, or it has failed */
};

/* What has come out stays. */
static void end(struct zipper *zipper)
{
    if (zipper->open && zipper->deflates)
        deflateEnd(&zipper->z);
    else if (zipper->open)
        inflateEnd(&zipper->z);
    zipper->open = false;
    zipper->ended = true;
}

static void free_zipper(JSObjectRef object)
{
    struct zipper *zipper = JSObjectGetPrivate(object);

    end(zipper);
    cm_buf_done(&zipper->out);
    free(zipper);
}

static JSClassRef zipper_class(void)
{
    static JSClassRef class;

    if (class == NULL)
        class = natives_class(free_zipper);
    return class;
}

/* zlib's name for a format */
static int window_bits(const char *format)
{
    if (strcmp(format, "gzip") == 0)
        return MAX_WBITS + 16;
    return strcmp(format, "deflate-raw") == 0 ? -MAX_WBITS : MAX_WBITS;
}

/* zipper(format, deflates) */
static JSValueRef native_zipper(const struct args *args)
{
    struct zipper *zipper = calloc(1, sizeof(*zipper));
    char format[16];

    if (zipper == NULL)
        return natives_out_of_memory(args);
    cm_buf_init(&zipper->out, SIZE_MAX);
    natives_name(args, 0, format, sizeof(format));
    zipper->window_bits = window_bits(format);
    zipper->deflates = JSValueToBoolean(args->ctx, args->values[1]);
    return natives_hold(args, zipper_class(), zipper);
}

static int start(JSContextRef ctx, struct zipper *zipper)
{
    int r = zipper->deflates
                ? deflateInit2(&zipper->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, zipper->window_bits,
                               MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY)
                : inflateInit2(&zipper->z, zipper->window_bits);

    if (r != Z_OK)
        return CM_E_NOMEM;
    zipper->open = true;
    JSReportExtraMemoryCost(ctx, zipper->deflates ? DEFLATE_BYTES : INFLATE_BYTES);
    return 0;
}

/* One step. Z_OK: there may be more to come. */
static int step(struct zipper *zipper, bool finish)
{
    struct cm_buf *out = &zipper->out;
    z_stream *z = &zipper->z;
    size_t room;
    int r;

    if (cm_buf_reserve(out, ROOM_BYTES) < 0)
        return Z_MEM_ERROR;
    room = cm_buf_room(out) < STEP_BYTES ? cm_buf_room(out) : STEP_BYTES;
    if (out->len >= ROOM_BYTES)
        cm_buf_populate(out, room);
    z->next_out = cm_buf_tail(out);
    z->avail_out = (uInt)room;
    r = zipper->deflates ? deflate(z, finish ? Z_FINISH : Z_NO_FLUSH) : inflate(z, Z_NO_FLUSH);
    out->len += room - z->avail_out;
    if (r == Z_OK && z->avail_out > 0 && z->avail_in == 0)
        return Z_BUF_ERROR; /* nothing is left in it */
    return r;
}

/* Takes the input. 0; CM_E_INVAL: it is malformed or goes on after its end, or ends
 * too early. */
static int run(struct zipper *zipper, bool finish)
{
    int r = Z_OK;

    while (r == Z_OK)
        r = step(zipper, finish);
    if (r == Z_MEM_ERROR)
        return CM_E_NOMEM;
    if (r != Z_STREAM_END && r != Z_BUF_ERROR)
        return CM_E_INVAL;
    if (zipper->z.avail_in > 0 || (finish && r != Z_STREAM_END))
        return CM_E_INVAL;
    if (r == Z_STREAM_END)
        end(zipper);
    return 0;
}

/* run(zipper, bytes, last, finish): takes that many bytes of the window, the last of a
 * chunk. What has come out once that is a piece, or all of it with the last; else null;
 * undefined when they do not do. */
static JSValueRef native_run(const struct args *args)
{
    struct zipper *zipper = natives_held(args, 0, zipper_class());
    size_t bytes = natives_size(args, 1, WINDOW_BYTES);
    int r = 0;

    if (zipper == NULL || (zipper->ended && bytes > 0))
        return JSValueMakeUndefined(args->ctx);
    if (!zipper->open && !zipper->ended)
        r = start(args->ctx, zipper);
    zipper->z.next_in = bytes_window;
    zipper->z.avail_in = (uInt)bytes;
    if (r == 0 && zipper->open)
        r = run(zipper, JSValueToBoolean(args->ctx, args->values[3]));
    if (r == 0 && zipper->out.len < PIECE_BYTES && !JSValueToBoolean(args->ctx, args->values[2]))
        return JSValueMakeNull(args->ctx);
    if (r == 0)
        return natives_give(args, &zipper->out, false);
    end(zipper);
    cm_buf_done(&zipper->out);
    return r == CM_E_NOMEM ? natives_out_of_memory(args) : JSValueMakeUndefined(args->ctx);
}

#define ZLIB(X)              \
    X(zipper, native_zipper) \
    X(run, native_run)
ZLIB(NATIVE_CALLBACK)

static const struct native_row zlib_rows[] = { ZLIB(NATIVE_ROW) };
const struct native_family natives_zlib = { "zlib", zlib_rows, CM_ARRAY_LEN(zlib_rows), 0 };
