/*
 * The memory of a worker as it was before a program came, and the way back to it.
 * To make a VM, its realm and the core for each program costs 2 ms; to put back the
 * hundred pages that a program has written costs 30 us, and the next one finds the
 * same fresh isolate, byte for byte.
 *
 * The zygote copies once what it can write, to a file of memory that is sealed then;
 * what the engine has is a private view of it from there on. A worker makes its pages
 * read-only and notes each one when it is first written, so that what has to be put back
 * is known without a look at the rest.
 *
 * A process that has started a thread or changed its mappings is spent: it has no
 * way back, and must end.
 */
#ifndef CM_WORKER_SNAPSHOT_H
#define CM_WORKER_SNAPSHOT_H

#include "codemode/executor.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory that the way back leaves alone: for what is remembered from one
 * program to the next, and for what the system writes to unasked. Before
 * snapshot_take(), and never freed. NULL: there is no memory. */
void *snapshot_keep(size_t bytes);

/* Copies what this process can write. Needs /proc and one thread. Nothing may be
 * mapped between this and the forks. CM_E_SYSTEM, CM_E_NOMEM, CM_E_LIMIT. */
int snapshot_take(struct cm_error *err);

/* In a worker: notes from now on what is written. CM_E_SYSTEM, CM_E_LIMIT. */
int snapshot_watch(void);

/* Where snapshot_return() comes back to: the caller, which must not return before,
 * calls setjmp(*snapshot_point()), and snapshot_save() when that gave 0. */
jmp_buf *snapshot_point(void);
void snapshot_save(void);

/* Takes what this process has written since into the snapshot, for good, and forgets
 * what it has noted. Where something was written the point comes next, with
 * snapshot_save(). CM_E_STATE: the process is spent. CM_E_LIMIT: it is too much, and nothing
 * has changed; CM_E_SYSTEM. */
int snapshot_extend(void);

/* Whether the snapshot can be extended by so much that has not been written yet. */
bool snapshot_has_room(size_t bytes);

/* In a signal handler: whether writing to `address` failed only because it had not
 * been noted. It has now, and the instruction may run again. */
bool snapshot_note(const void *address);

/* Before the system writes there: that raises no signal. */
void snapshot_touch(void *start, size_t bytes);

/* Before something that cannot be undone, like the start of a thread, which must not
 * find pages that are watched: nothing is noted any more. */
void snapshot_spend(void);

/* In the place of madvise(): the pages are empty then, and the process is spent. */
int snapshot_discard(void *start, size_t bytes);

/* Whether there is no way back. */
bool snapshot_spent(void);

/* Goes back. Not in a process that is spent. */
void snapshot_return(void) __attribute__((noreturn));

#endif
