/* See processes.h. */
#include "processes.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

size_t processes_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

void processes_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* The parent of a process that is not a zombie; -1. */
static pid_t parent_of(const char *pid)
{
    char path[64];
    char state = '\0';
    int parent = -1;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%*d (%*[^)]) %c %d", &state, &parent) != 2 || state == 'Z')
        parent = -1;
    fclose(file);
    return parent;
}

size_t processes_children(pid_t parent, pid_t *ret_pids)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    size_t count = 0;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            parent_of(entry->d_name) == parent && count < PROCESSES_MAX)
            ret_pids[count++] = (pid_t)strtol(entry->d_name, NULL, 10);
    closedir(directory);
    return count;
}

size_t processes_below(pid_t parent)
{
    pid_t pids[PROCESSES_MAX];
    size_t children = processes_children(parent, pids);
    size_t count = children;

    for (size_t i = 0; i < children; i++)
        count += processes_below(pids[i]);
    return count;
}

bool processes_runs(pid_t pid, const char *program)
{
    char path[64];
    char exe[PATH_MAX];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    n = readlink(path, exe, sizeof(exe) - 1);
    if (n < 0)
        return false;
    exe[n] = '\0';
    return strcmp(exe, program) == 0;
}
