/* Runs in the benchmark's own process and reads /proc only; its inputs are the
 * kernel's. Nothing here is kept between calls. */
#include "proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_CHARS = 64, LINE_CHARS = 512 };

/* The fourth field of stat. The second is a name in parentheses that may itself
 * hold any character, so the fields are counted from the last parenthesis. */
static pid_t proc_parent(pid_t pid)
{
    char path[PATH_CHARS], line[LINE_CHARS];
    const char *name_end;
    FILE *file;
    int parent = 0;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return 0; /* it has ended since the directory was read */
    if (fgets(line, sizeof(line), file) != NULL) {
        name_end = strrchr(line, ')');
        if (name_end == NULL || sscanf(name_end + 1, " %*c %d", &parent) != 1)
            parent = 0;
    }
    fclose(file);
    return parent;
}

static int proc_tree_append(struct proc_tree *tree, pid_t pid, pid_t parent)
{
    size_t bytes = (tree->count + 1) * sizeof(pid_t);
    pid_t *pids = realloc(tree->pids, bytes);
    pid_t *parents;

    if (pids == NULL)
        return -1;
    tree->pids = pids;
    parents = realloc(tree->parents, bytes);
    if (parents == NULL)
        return -1;
    tree->parents = parents;
    pids[tree->count] = pid;
    parents[tree->count++] = parent;
    return 0;
}

static int proc_list_all(struct proc_tree *all)
{
    DIR *dir = opendir("/proc");
    const struct dirent *entry;
    int r = 0;
    pid_t pid;

    if (dir == NULL)
        return -1;
    while (r == 0 && (entry = readdir(dir)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        pid = (pid_t)strtol(entry->d_name, NULL, 10);
        r = proc_tree_append(all, pid, proc_parent(pid));
    }
    closedir(dir);
    return r;
}

/* Moves the children of `parent` and all below them; the depth is that of the
 * process tree, three here. */
static int proc_collect(struct proc_tree *tree, const struct proc_tree *all, pid_t parent)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->parents[i] != parent)
            continue;
        if (proc_tree_append(tree, all->pids[i], parent) < 0)
            return -1;
        if (proc_collect(tree, all, all->pids[i]) < 0)
            return -1;
    }
    return 0;
}

int proc_tree_init(struct proc_tree *tree, pid_t root)
{
    struct proc_tree all = { NULL, NULL, 0 };
    int r;

    *tree = (struct proc_tree){ NULL, NULL, 0 };
    r = proc_list_all(&all);
    if (r == 0)
        r = proc_collect(tree, &all, root);
    proc_tree_done(&all);
    if (r < 0)
        proc_tree_done(tree);
    return r;
}

void proc_tree_done(struct proc_tree *tree)
{
    free(tree->pids);
    free(tree->parents);
    *tree = (struct proc_tree){ NULL, NULL, 0 };
}

int proc_tree_is_leaf(const struct proc_tree *tree, size_t index)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->parents[i] == tree->pids[index])
            return 0;
    }
    return 1;
}

int proc_private_bytes(pid_t pid, uint64_t *ret_bytes)
{
    char path[PATH_CHARS], line[LINE_CHARS];
    uint64_t kib, total_kib = 0;
    FILE *file;
    int rows = 0;

    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "Private_%*[a-zA-Z]: %" SCNu64, &kib) != 1)
            continue;
        total_kib += kib;
        rows++;
    }
    fclose(file);
    if (rows == 0) {
        errno = ESRCH; /* a process that has just ended reads as nothing */
        return -1;
    }
    *ret_bytes = total_kib * 1024;
    return 0;
}

uint64_t proc_own_rss_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    uint64_t pages = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*u %" SCNu64, &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

size_t proc_own_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;

    if (dir == NULL)
        return 0;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 3; /* ".", ".." and the directory itself */
}
