/* Compiled programs and modules: a cache by content, and the compilers that fill
 * it, which are workers of their own. */
#ifndef CM_EXECUTOR_MODULES_H
#define CM_EXECUTOR_MODULES_H

#include "base/list.h"
#include "ipc/frame.h"

struct worker;

enum unit_state {
    UNIT_WAITING, /* for the compiler */
    UNIT_SENT,
    UNIT_READY
};

/* What one text compiles to. Owner: the cache; kept as long as a run holds it, and
 * afterwards as long as there is room. */
struct unit {
    struct cm_list link; /* modules->waiting, a compiler's sent or, when no run holds it,
                            modules->idle */
    struct unit *next;   /* in its bucket */
    uint8_t key[32];
    uint64_t number; /* never reused, nor by one that has the same text */
    size_t holds;
    bool again; /* it has been asked for more than once */
    enum unit_state state;
    uint32_t id; /* of its job */
    unsigned attempts;
    enum ipc_kind kind;
    bool typescript;
    char *source; /* until it is READY */
    size_t source_bytes;
    uint8_t *body; /* once it is READY: what COMPILED said */
    size_t body_bytes;
    struct ipc_compiled_body compiled; /* in body */
    bool lost;                         /* the compiler did not manage: not to be kept */
};

/* A process that compiles. */
struct compiler {
    struct worker *worker; /* NULL: none is there or coming */
    struct cm_list sent;   /* in the order in which they were sent and are answered */
    uint64_t since_ns;     /* when the first of them began, and the worker's CPU clock then */
    uint64_t since_cpu_ns;
};

enum { UNIT_BUCKETS = 4096, COMPILERS = 2 };

struct modules {
    struct unit **buckets; /* NULL until the first unit */
    struct cm_list waiting;
    struct cm_list idle; /* least recently used first */
    uint64_t bytes;      /* of the bodies of all that are READY */
    uint64_t idle_bytes;
    uint64_t last_number;
    uint32_t last_id;
    struct compiler compilers[COMPILERS]; /* of which the first does what little there is */
};

void modules_init(struct modules *modules);

/* Frees everything; no run holds a unit any more. */
void modules_done(struct modules *modules);

/* The unit of a text, which the caller holds until modules_release(); the text is
 * copied where it has to be compiled first. CM_E_NOMEM. */
int modules_hold(struct cm_executor *executor, enum ipc_kind kind, bool typescript,
                 const char *source, size_t source_bytes, struct unit **ret_unit);
void modules_release(struct cm_executor *executor, struct unit *unit);

/* Gives the compilers what waits, and starts those that are missing. Part of
 * pool_balance(). */
void modules_balance(struct cm_executor *executor);

/* Of a worker that compiles: it is ready; it answers (the rule that it broke, or NULL);
 * its time is up; it is dead or dying. */
void modules_on_ready(struct worker *worker);
const char *modules_on_compiled(struct worker *worker, const struct ipc_frame *frame);
void modules_on_timer(struct worker *worker);
void modules_on_gone(struct worker *worker);

#endif
