/*
 * Frames between the supervisor and its workers (one stream socket each) and
 * between the supervisor and the zygote (one sequenced-packet socket, one frame
 * a packet). Numbers are in host byte order: both ends run on one machine and
 * prove that they are of one version with IPC_VERSION.
 *
 * The worker is hostile: the supervisor takes a frame from it only through
 * ipc_frame_peek(), which checks type, state and length, in that order, before
 * anything is reserved; and reads a body only through ipc_read_*(), which check
 * the rest.
 */
#ifndef CM_IPC_FRAME_H
#define CM_IPC_FRAME_H

#include "base/buf.h"
#include "codemode/executor.h"

#include <stdbool.h>
#include <stdint.h>

#define IPC_VERSION 5

/* The states of a worker as the supervisor sees it. */
enum ipc_state {
    IPC_S_STARTING,  /* forked; it has not said that it is ready */
    IPC_S_READY,     /* waits for a program */
    IPC_S_RUNNING,   /* RUN was sent, DONE has not come */
    IPC_S_RETAINED,  /* RETAINED has come: it serves invocations until it is killed */
    IPC_S_COMPILING, /* compiles modules and never has a program */
    IPC_S_ENDING     /* killed or broken: what it still says is not a rule's business */
};

#define IPC_IN(state) (1u << IPC_S_##state)

enum ipc_type {
#define IPC_FRAME(name, number, states, fixed, messages, consoles, why) IPC_##name = (number),
#include "tables/frames.def"
#undef IPC_FRAME
    /* supervisor to worker */
    IPC_RUN = 32,
    IPC_ANSWER = 33,
    IPC_RESPONSE = 34,
    IPC_BODY = 35,
    IPC_FETCH_FAILED = 36,
    IPC_INVOKE = 37,
    IPC_COMPILE = 38,
    IPC_KEEP = 39,
    /* supervisor to zygote */
    IPC_CONFIG = 64,
    IPC_FORK = 65,
    /* zygote to supervisor */
    IPC_HELLO = 96,
    IPC_FORKED = 97, /* carries the worker's socket and its pidfd */
    IPC_REFUSED = 98,
    IPC_EXITED = 99
};

struct ipc_head {
    uint32_t body_bytes;
    uint16_t type;
    uint16_t zero;
};

/* ---- worker to supervisor ---- */

/* Then provider, tool and arguments, each with its NUL. */
struct ipc_call {
    uint32_t id;
    uint16_t provider_bytes; /* without the NUL, like all lengths here */
    uint16_t tool_bytes;
};

enum { IPC_PROVIDER_MAX = 256, IPC_TOOL_MAX = 1024, IPC_STACK_MAX = 65536 };

/* Then the text and its NUL. */
struct ipc_log {
    uint32_t level; /* enum cm_level */
    uint32_t zero;
};

enum ipc_stop { IPC_STOP_LINES = 1, IPC_STOP_BYTES = 2 };

struct ipc_log_stop {
    uint32_t reason; /* enum ipc_stop */
    uint32_t zero;
};

struct ipc_wait {
    uint32_t timers; /* 1: asleep with a timer pending, so the wall is charged */
    uint32_t zero;
};

/* Then error, stack and result, each with its NUL; all are empty when absent. */
struct ipc_done {
    uint32_t failure; /* enum cm_failure */
    uint32_t error_bytes;
    uint32_t stack_bytes;
    uint16_t has_result; /* 0 or 1 */
    uint16_t spent;      /* 1: this process takes no other program */
    uint64_t result_bytes;
};

/* Then meta, code and map: two texts, each with its NUL, and map_count numbers of
 * 4 bytes. Where the text does not compile `code` is the reason. */
struct ipc_compiled {
    uint32_t id;
    uint32_t failed; /* 0 or 1 */
    uint32_t line;   /* of the place where it failed; 0: unknown */
    uint32_t column;
    uint32_t typescript; /* 1: it failed, and would not as TypeScript */
    uint32_t meta_bytes;
    uint32_t code_bytes;
    uint32_t map_count; /* a multiple of 3 */
};

/*
 * Headers are `header_count` times name and value, each with its NUL: a token,
 * and text of U+0001 to U+00FF without line ends. In the state RETAINED, CALL,
 * LOG, LOG_STOP, FETCH and DONE belong to the invocation of the last CONTEXT.
 */
enum {
    IPC_METHOD_MAX = 256,
    IPC_FETCH_HEAD_MAX = 262144,
    IPC_HANDLES_MAX = 1000,
    IPC_HANDLES_BYTES = 32768
};

enum ipc_redirect { IPC_REDIRECT_FOLLOW, IPC_REDIRECT_ERROR, IPC_REDIRECT_MANUAL };

/* Then URL and method, each with its NUL, the headers, and the body. */
struct ipc_fetch {
    uint32_t id; /* of the sequence that CALL uses as well */
    uint32_t url_bytes;
    uint32_t method_bytes;
    uint32_t header_count;
    uint32_t headers_bytes; /* with the NULs */
    uint16_t redirect;      /* enum ipc_redirect */
    uint16_t has_body;      /* 0 or 1 */
    uint64_t body_bytes;
};

struct ipc_fetch_abort {
    uint32_t id;
    uint32_t zero;
};

/* A supervisor sends no more than this of a body that comes in pieces before it
 * hears that it was taken. A worker takes what the program asks for, and more than
 * that only of bodies that would otherwise keep others from coming: see
 * natives_fetch.c. */
enum { IPC_BODY_WINDOW = 1 << 18 };

struct ipc_fetch_took {
    uint32_t id;
    uint32_t bytes;
};

/* Then handle_count names, each with its NUL. */
struct ipc_retained {
    uint32_t handle_count;
    uint32_t handles_bytes;
};

struct ipc_context {
    uint32_t invocation; /* 0: none */
    uint32_t zero;
};

/* Of REPLY: then status text with its NUL, the headers, and the body.
 * Of RESPONSE: then status text and URL, each with its NUL, and the headers; the
 * body follows in BODY frames if has_body is set, as it comes. One that has come
 * already is `whole`: it is in one BODY frame, which is on its way. */
struct ipc_response {
    uint32_t id; /* of RESPONSE: the fetch. Of REPLY: the invocation */
    uint32_t status;
    uint32_t status_text_bytes;
    uint32_t url_bytes; /* of REPLY: 0 */
    uint32_t header_count;
    uint32_t headers_bytes;
    uint32_t has_body;   /* 0 or 1 */
    uint32_t whole;      /* 0 or 1; of REPLY: 0 */
    uint64_t body_bytes; /* of RESPONSE: 0 */
};

/* ---- supervisor to worker ---- */

enum {
    IPC_RUN_DISPATCH = 1, /* the host takes tool calls */
    IPC_RUN_RETAIN = 2    /* a value that takes requests is kept */
};

enum ipc_outbound {
    IPC_OUTBOUND_OPEN,    /* FETCH will be answered */
    IPC_OUTBOUND_CLOSED,  /* fetch rejects: the network is closed */
    IPC_OUTBOUND_NO_HOST, /* fetch rejects: the host was to do it and has no function for it */
};

/* Then provider_count names, each with its NUL, then the code and its NUL, then
 * module_count entries, of which the last is the program itself. */
struct ipc_run {
    uint32_t flags;
    uint32_t calls_in_flight;
    uint32_t calls_a_run;
    uint32_t console_lines;
    uint32_t outbound; /* enum ipc_outbound */
    uint32_t fetches_in_flight;
    uint64_t console_bytes;
    uint64_t message_limit_bytes;
    uint32_t provider_count;
    uint32_t providers_bytes; /* with the NULs */
    uint64_t code_bytes;
    uint32_t module_count; /* 0: the code is evaluated as it stands */
    uint32_t zero;
};

enum ipc_kind {
    IPC_KIND_PROGRAM,
    IPC_KIND_ESM,
    IPC_KIND_CJS,
    IPC_KIND_JSON,
    IPC_KIND_TEXT,
    IPC_KIND_DATA
};

/* Then the name and its NUL, and the body: of what has been compiled a struct
 * ipc_compiled with what follows it, of the others the source and a NUL. */
struct ipc_module {
    uint16_t kind; /* enum ipc_kind */
    uint16_t kept; /* in RUN: number of the kept module that has the body, from 1; 0: it follows */
    uint32_t name_bytes;
    uint64_t body_bytes;
};

/* Compiled modules for the programs to come. Then module_count entries. What several
 * of these bring adds up to no more than the bounds. */
struct ipc_keep {
    uint32_t module_count;
    uint32_t zero;
};

enum { IPC_KEEP_MAX = 256, IPC_KEEP_BYTES = 2 << 20 }; /* bodies, names and heads together */

/* Then the text and its NUL. */
struct ipc_compile {
    uint32_t id;
    uint32_t kind;       /* enum ipc_kind: one that is compiled */
    uint32_t typescript; /* 1: types are to be erased */
    uint32_t zero;
    uint64_t limit_bytes; /* what the answer may have at most */
};

enum ipc_answer_kind { IPC_ANSWER_JSON = 0, IPC_ANSWER_REJECT = 1 };

/* Then the text and its NUL. */
struct ipc_answer {
    uint32_t id;
    uint32_t kind; /* enum ipc_answer_kind */
};

/* Then bytes of the body. */
struct ipc_body {
    uint32_t id;
    uint32_t last; /* 0 or 1 */
};

/* Then the message and its NUL. Ends a fetch at any point. */
struct ipc_fetch_failed {
    uint32_t id;
    uint32_t zero;
};

/* Then handle, URL and method, each with its NUL, the headers, and the body. */
struct ipc_invoke {
    uint32_t invocation; /* above 0; grows */
    uint32_t handle_bytes;
    struct ipc_fetch request; /* without an id */
};

/* ---- supervisor and zygote ---- */

enum { IPC_SPAWN_PID_NS = 1, IPC_SPAWN_USER_NS = 2 };

struct ipc_config {
    uint32_t ipc_version;
    uint32_t spawned_in; /* IPC_SPAWN_*: namespaces that the zygote was started in */
    int32_t spawn_errno; /* why a namespace is not among them */
    uint32_t zero;
    uint64_t memory_limit_bytes;
};

enum ipc_layer {
#define CM_LAYER(name, text, why) IPC_LAYER_##name,
#include "tables/layers.def"
#undef CM_LAYER
    IPC_LAYER_COUNT
};

struct ipc_hello {
    uint32_t ipc_version;
    uint32_t failed; /* not 0: the zygote cannot serve; `detail` says why, and it ends */
    char version[32];
    char engine[64];
    char detail[256];
    struct {
        uint32_t in_force;
        int32_t sys_errno;
    } layers[IPC_LAYER_COUNT];
};

struct ipc_fork {
    uint64_t worker_id;    /* the supervisor's, never reused */
    uint64_t memory_bytes; /* that it may add; 0: as configured. Not in FORKED */
};

struct ipc_refused {
    uint64_t worker_id;
    int32_t sys_errno;
    uint32_t zero;
};

struct ipc_exited {
    uint64_t worker_id;
    int32_t status;      /* as wait(2) gives it */
    uint32_t max_rss_kb; /* as getrusage(2) gives it */
};

/* ---- the supervisor's reader ---- */

struct ipc_limits {
    uint64_t message_bytes;
    uint64_t console_bytes;
};

struct ipc_frame {
    uint16_t type;
    const uint8_t *body;
    size_t bytes;
};

/* 1: *ret_frame is set and valid until `in` changes; consume
 * sizeof(struct ipc_head) + bytes afterwards. 0: more bytes are needed.
 * CM_E_PEER: the worker broke a rule; *ret_rule names it. */
int ipc_frame_peek(const struct cm_buf *in, enum ipc_state state, const struct ipc_limits *limits,
                   struct ipc_frame *ret_frame, const char **ret_rule);

/* The most that one frame may take with its head: the bound of the buffer that
 * is given to ipc_frame_peek(). */
size_t ipc_frame_max(const struct ipc_limits *limits);

/* The most that the body of COMPILED may take. */
uint64_t ipc_compiled_max(const struct ipc_limits *limits);

/* Each reads the body of its frame, whose texts are then UTF-8 with a final NUL
 * and, but for JSON, without another. CM_E_PEER when it is not so. Nothing is
 * copied: the texts live as long as the frame. */
struct ipc_done_body {
    enum cm_failure failure;
    bool spent;
    const char *error;
    size_t error_bytes;
    const char *stack; /* NULL when there is none */
    size_t stack_bytes;
    const char *result; /* NULL when there is none */
    size_t result_bytes;
};

struct ipc_fetch_body {
    uint32_t id;
    enum ipc_redirect redirect;
    const char *url;
    size_t url_bytes;
    const char *method;
    const char *headers; /* as on the wire, for ipc_next_header() */
    size_t header_count;
    const uint8_t *body; /* NULL when there is none */
    size_t body_bytes;
};

struct ipc_reply_body {
    uint32_t invocation;
    unsigned status;
    const char *status_text;
    const char *headers;
    size_t header_count;
    const uint8_t *body;
    size_t body_bytes;
};

struct ipc_handles {
    const char *names; /* count times a text with its NUL */
    size_t bytes;
    size_t count;
};

int ipc_read_fetch(const struct ipc_frame *frame, struct ipc_fetch_body *ret_fetch);
int ipc_read_fetch_abort(const struct ipc_frame *frame, uint32_t *ret_id);
int ipc_read_fetch_took(const struct ipc_frame *frame, struct ipc_fetch_took *ret_took);
int ipc_read_retained(const struct ipc_frame *frame, struct ipc_handles *ret_handles);
int ipc_read_context(const struct ipc_frame *frame, uint32_t *ret_invocation);
int ipc_read_reply(const struct ipc_frame *frame, struct ipc_reply_body *ret_reply);
int ipc_read_call(const struct ipc_frame *frame, struct cm_call *ret_call);
int ipc_read_log(const struct ipc_frame *frame, struct cm_log *ret_log);
int ipc_read_log_stop(const struct ipc_frame *frame, enum ipc_stop *ret_reason);
int ipc_read_wait(const struct ipc_frame *frame, bool *ret_timers);
int ipc_read_done(const struct ipc_frame *frame, struct ipc_done_body *ret_done);

/* The texts of a compiled module. Also for the worker's side, where `body` is what a
 * RUN brought. */
struct ipc_compiled_body {
    struct ipc_compiled head;
    const char *meta;
    const char *code;
    const uint8_t *map; /* not aligned */
};

int ipc_read_compiled(const uint8_t *body, size_t bytes, struct ipc_compiled_body *ret_compiled);
/* The header at *at, which moves on to the next. */
struct cm_header ipc_next_header(const char **at);

/* Headers of a host's, which have been checked, as they stand in a frame. `to` is
 * initialised here. CM_E_NOMEM; CM_E_LIMIT: they are too long. */
int ipc_pack_headers(const struct cm_header *headers, size_t count, struct cm_buf *to);

/* What is wrong with a header of a host's, as a sentence without its end; NULL:
 * nothing. */
const char *ipc_wrong_header(const struct cm_header *header);

/* What may stand in a header; a method is a token too. */
bool ipc_is_token(const char *text, size_t bytes);
bool ipc_is_header_value(const char *text, size_t bytes);

/* The name of a frame type for messages: "CALL", "frame 77". */
const char *ipc_type_name(unsigned type);

#endif
