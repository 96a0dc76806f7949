/* See processes.h. */
#include "processes.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
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
