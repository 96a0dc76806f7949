/* Compiled programs and modules: a cache by content, and the compiler that fills
 * it, which is a worker of its own. */
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
    struct cm_list link; /* modules->waiting, ->sent or, when no run holds it, ->idle */
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

enum { UNIT_BUCKETS = 4096 };

struct modules {
    struct unit **buckets; /* NULL until the first unit */
    struct cm_list waiting;
    struct cm_list sent; /* in the order in which they were sent and are answered */
    struct cm_list idle; /* least recently used first */
    uint64_t bytes;      /* of the bodies of all that are READY */
    uint64_t idle_bytes;
    uint64_t last_number;
    uint32_t last_id;
    struct worker *compiler; /* NULL: none is there or coming */
    uint64_t since_ns;       /* when the first of `sent` began, and the compiler's CPU clock then */
    uint64_t since_cpu_ns;
};

void modules_init(struct modules *modules);

/* Frees everything; no run holds a unit any more. */
void modules_done(struct modules *modules);

/* The unit of a text, which the caller holds until modules_release(); the text is
 * copied where it has to be compiled first. CM_E_NOMEM. */
int modules_hold(struct cm_executor *executor, enum ipc_kind kind, bool typescript,
                 const char *source, size_t source_bytes, struct unit **ret_unit);
void modules_release(struct cm_executor *executor, struct unit *unit);

/* Gives the compiler what waits, and starts one where there is none. Part of
 * pool_balance(). */
void modules_balance(struct cm_executor *executor);

/* Of the compiler: it is ready; it answers (the rule that it broke, or NULL); its
 * time is up; it is dead or dying. */
void modules_on_ready(struct cm_executor *executor);
const char *modules_on_compiled(struct cm_executor *executor, const struct ipc_frame *frame);
void modules_on_timer(struct cm_executor *executor);
void modules_on_gone(struct cm_executor *executor);

#endif
