/* What /proc says of this process and of those below it. */
#ifndef CM_BENCH_PROC_H
#define CM_BENCH_PROC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The processes below `root`, children's children included, as they are at one
 * moment. A process that ends meanwhile may be missing. */
struct proc_tree {
    pid_t *pids;
    pid_t *parents; /* parents[i] is that of pids[i] */
    size_t count;
};

/* -1 with errno when /proc cannot be read or there is no memory. */
int proc_tree_init(struct proc_tree *tree, pid_t root);
void proc_tree_done(struct proc_tree *tree);

/* 1 when no process of the tree has pids[index] as its parent. */
int proc_tree_is_leaf(const struct proc_tree *tree, size_t index);

/* Bytes that belong to this process alone. -1 with errno: gone, or not ours to
 * read. */
int proc_private_bytes(pid_t pid, uint64_t *ret_bytes);

/* Resident bytes and open descriptors of this process; 0 when /proc cannot be
 * read. */
uint64_t proc_own_rss_bytes(void);
size_t proc_own_descriptors(void);

#endif
