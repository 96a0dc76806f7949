/* What to do about what a machine lacks: rows of what to look at and what to
 * say. Runs in codemode-executor check; the files are the kernel's. */
#include "cli/advice.h"

#include "base/cleanup.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* A kernel switch that forbids user namespaces, and with them the others. */
static const struct knob {
    const char *path;
    char forbids;
    const char *line;
} knobs[] = {
    { "/proc/sys/kernel/unprivileged_userns_clone", '0',
      "sysctl -w kernel.unprivileged_userns_clone=1" },
    { "/proc/sys/user/max_user_namespaces", '0', "sysctl -w user.max_user_namespaces=15000" },
    { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1',
      "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" },
};

static const struct library {
    const char *name;
    const char *line;
} libraries[] = {
    { "libjavascriptcoregtk-4.1.so.0", "apt-get install libjavascriptcoregtk-4.1-0" },
    { "libseccomp.so.2", "apt-get install libseccomp2" },
};

static const char namespaces_line[] =
    "namespaces: a container needs a seccomp profile that permits unshare(2) and clone(2) with "
    "CLONE_NEWUSER";
static const char landlock_line[] =
    "Landlock: Linux 5.13 or later, booted with landlock among lsm=...";
static const char seccomp_line[] = "seccomp: a kernel with CONFIG_SECCOMP_FILTER, as Debian's have";
static const char worker_line[] =
    "codemode-worker: build or install it, or name it in CODEMODE_WORKER_PATH";

static void add(struct advice *advice, const char *line)
{
    for (size_t i = 0; i < advice->count; i++)
        if (advice->lines[i] == line)
            return;
    if (advice->count < ADVICE_MAX)
        advice->lines[advice->count++] = line;
}

static bool knob_forbids(const struct knob *knob)
{
    CM_AUTO_FD int fd = open(knob->path, O_RDONLY | O_CLOEXEC);
    char value[2] = "";

    return fd >= 0 && read(fd, value, sizeof(value)) == 2 && value[0] == knob->forbids &&
           value[1] == '\n';
}

static void add_namespaces(struct advice *advice)
{
    size_t before = advice->count;

    for (size_t i = 0; i < CM_ARRAY_LEN(knobs); i++)
        if (knob_forbids(&knobs[i]))
            add(advice, knobs[i].line);
    if (advice->count == before)
        add(advice, namespaces_line);
}

static bool is_missing(const struct cm_report *report, const char *name)
{
    for (size_t i = 0; i < report->layer_count; i++)
        if (strstr(report->layers[i].name, name) != NULL && !report->layers[i].in_force)
            return true;
    return false;
}

void advice_on_layers(const struct cm_report *report, struct advice *advice)
{
    if (is_missing(report, "namespace"))
        add_namespaces(advice);
    /* Landlock stands in for the mount namespace and is not missed beside it. */
    if (is_missing(report, "mount namespace") && is_missing(report, "Landlock"))
        add(advice, landlock_line);
}

/* The loader's own search: the only one that finds what the worker would. */
static bool is_installed(const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);

    if (handle == NULL)
        return false;
    dlclose(handle);
    return true;
}

void advice_on_start(const char *worker_path, struct advice *advice)
{
    if (access(worker_path, X_OK) < 0)
        add(advice, worker_line);
    for (size_t i = 0; i < CM_ARRAY_LEN(libraries); i++)
        if (!is_installed(libraries[i].name))
            add(advice, libraries[i].line);
    if (access("/proc/sys/kernel/seccomp/actions_avail", F_OK) < 0)
        add(advice, seccomp_line);
}
