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

#define IPC_VERSION 2

/* The states of a worker as the supervisor sees it. */
enum ipc_state {
    IPC_S_STARTING,  /* forked; its first isolate is being made */
    IPC_S_READY,     /* waits for a program */
    IPC_S_RUNNING,   /* RUN was sent, DONE has not come */
    IPC_S_PREPARING, /* DONE has come, the next isolate is being made */
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
    IPC_COMPILE = 34,
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

struct ipc_ready {
    uint64_t grown_bytes; /* data memory above what the first READY had */
    uint64_t zero;
};

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
    uint32_t has_result; /* 0 or 1 */
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

/* ---- supervisor to worker ---- */

enum { IPC_RUN_DISPATCH = 1 }; /* the host takes tool calls */

/* Then provider_count names, each with its NUL, then the code and its NUL, then
 * module_count entries, of which the last is the program itself. */
struct ipc_run {
    uint32_t flags;
    uint32_t calls_in_flight;
    uint32_t calls_a_run;
    uint32_t console_lines;
    uint64_t console_bytes;
    uint64_t message_limit_bytes;
    uint32_t provider_count;
    uint32_t providers_bytes; /* with the NULs */
    uint64_t code_bytes;
    uint32_t module_count; /* 0: the code is evaluated as it stands */
    uint32_t zero;
};

enum ipc_kind { IPC_KIND_PROGRAM, IPC_KIND_ESM, IPC_KIND_CJS, IPC_KIND_JSON, IPC_KIND_TEXT, IPC_KIND_DATA };

/* Then the name and its NUL, and the body: of what has been compiled a struct
 * ipc_compiled with what follows it, of the others the source and a NUL. */
struct ipc_module {
    uint32_t kind; /* enum ipc_kind */
    uint32_t name_bytes;
    uint64_t body_bytes;
};

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
    const char *error;
    size_t error_bytes;
    const char *stack; /* NULL when there is none */
    size_t stack_bytes;
    const char *result; /* NULL when there is none */
    size_t result_bytes;
};

int ipc_read_ready(const struct ipc_frame *frame, uint64_t *ret_grown_bytes);
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

/* The name of a frame type for messages: "CALL", "frame 77". */
const char *ipc_type_name(unsigned type);

#endif
