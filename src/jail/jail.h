/*
 * The jail: what a worker may not do, and how that is put in force. Everything
 * here runs in codemode-worker, before the first byte of a program is read.
 *
 * Two steps. The zygote calls jail_zygote_enter() once, after the engine has
 * been loaded and while it has one thread: namespaces, an empty root, no
 * privileges. Each worker calls jail_worker_enter() right after it was forked:
 * death with its parent, resource limits, descriptors, capabilities, seccomp.
 * The filter is compiled once, in the zygote (jail_filter_new()).
 */
#ifndef CM_JAIL_JAIL_H
#define CM_JAIL_JAIL_H

#include "codemode/executor.h"
#include "ipc/frame.h"

#include <stdint.h>
#include <sys/types.h>

/* What became of each layer, as HELLO reports it. */
struct jail_report {
    struct {
        bool in_force;
        int sys_errno; /* why not; 0 where it is not needed */
    } layers[IPC_LAYER_COUNT];
};

struct jail_filter;

/*
 * jail_filter_new - compile the rows of src/tables/syscalls.def
 *
 * Owns:   *ret_filter is the caller's until jail_filter_free().
 * Errors: CM_E_SYSTEM, CM_E_NOMEM: there is no worker without the filter.
 */
int jail_filter_new(struct jail_filter **ret_filter, struct cm_error *err);
void jail_filter_free(struct jail_filter *filter);

/*
 * jail_zygote_enter - leave the host's namespaces
 *
 * `spawned_in` and `spawn_errno` are what the supervisor said in CONFIG: the
 * namespaces that the zygote was started in. A layer that the machine does not
 * allow is left out and recorded. Never fails for a missing layer.
 *
 * Landlock is applied always and takes the place of a missing mount namespace:
 * nothing can be opened afterwards, not even below a directory descriptor, while
 * what is open stays usable. A host's root becomes nobody, the process is not
 * dumpable and its parent death signal is armed as it was before.
 *
 * The caller must have one thread. Descriptors stay open.
 */
void jail_zygote_enter(uint32_t spawned_in, int spawn_errno, struct jail_report *report);

/*
 * jail_worker_enter - close the jail around this process, for good
 *
 * `keep_fd` stays open and everything else is closed; it should be no number
 * that a library in this process still writes to. `data_limit_bytes` becomes
 * RLIMIT_DATA, unless a lower one is in force. `parent` is the zygote, as its own
 * getpid() told it: if it is gone already the call fails.
 *
 * Errors: CM_E_SYSTEM: the process must exit at once.
 */
int jail_worker_enter(const struct jail_filter *filter, int keep_fd, uint64_t data_limit_bytes,
                      pid_t parent, struct cm_error *err);

/* The layers that only a worker can put in force, tried once in a child of the
 * zygote that enters the jail with `filter` and exits; recorded in `report`.
 * CM_E_SYSTEM when seccomp cannot be used: then nothing may run. */
int jail_try(const struct jail_filter *filter, struct jail_report *report, struct cm_error *err);

#endif
