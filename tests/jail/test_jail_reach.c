/*
 * What a jailed worker can reach, as the kernel tells it: the test holds a worker
 * still and reads its files under /proc from outside, or lets it look itself.
 * What a machine lacks is passed over with a message, unless CM_MUST_WORK=1.
 */
#include "base/cleanup.h"
#include "inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { DATA_LIMIT = 64 << 20, NOBODY = 65534, DESCRIPTORS_TRIED = 4096 };

/* ---- a zygote whose worker waits, and what it says about itself ---- */

struct view {
    int descriptors; /* that the worker could close, without its socket */
    int over_limit_errno;
    int within_limit_errno;
};

static int map_errno(size_t bytes)
{
    errno = 0;
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                   MAP_FAILED
               ? errno
               : 0;
}

static struct view look_around(int keep_fd)
{
    struct view view = { 0 };

    for (int fd = 0; fd < DESCRIPTORS_TRIED; fd++)
        if (fd != keep_fd && close(fd) == 0)
            view.descriptors++;
    view.over_limit_errno = map_errno(DATA_LIMIT);
    view.within_limit_errno = map_errno(DATA_LIMIT / 2);
    return view;
}

static void hold_worker(const struct inside_zygote *zygote)
{
    pid_t parent = getpid();
    int start[2];
    pid_t pid;

    if (write(zygote->fd, zygote->report, sizeof(*zygote->report)) < 0 || pipe(start) < 0)
        _exit(1);
    pid = fork();
    if (pid == 0) {
        struct view view;
        char byte;

        if (read(start[0], &byte, 1) != 1) /* the pidfd is sent first */
            _exit(1);
        inside_enter(zygote, zygote->fd, DATA_LIMIT, parent);
        view = look_around(zygote->fd);
        if (write(zygote->fd, &view, sizeof(view)) < 0 || read(zygote->fd, &byte, 1) < 0)
            _exit(1);
        _exit(0);
    }
    inside_send_pidfd(zygote->fd, pid);
    close(zygote->fd);
    if (write(start[1], "", 1) != 1 || waitpid(pid, NULL, 0) != pid)
        _exit(1);
}

/* The value of a line of a file under /proc: "Pid:" gives "\t4711". NULL when
 * there is none. Static memory. */
static const char *line_of(const char *path, const char *start)
{
    static char line[512];
    const char *found = NULL;
    FILE *file = fopen(path, "re");

    if (file == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    while (found == NULL && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, start, strlen(start)) == 0)
            found = line + strlen(start);
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return found;
}

struct held {
    struct inside inside;
    struct jail_report report;
    struct view view;
    int pidfd;
    pid_t pid;
};

static pid_t pid_of(int pidfd)
{
    char path[64];
    const char *pid;

    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
    pid = line_of(path, "Pid:");
    assert_non_null(pid);
    return (pid_t)strtol(pid, NULL, 10);
}

static int hold(void **state)
{
    static struct held held;

    inside_start(&held.inside, INSIDE_NAMESPACES, hold_worker);
    assert_int_equal(read(held.inside.fd, &held.report, sizeof(held.report)), sizeof(held.report));
    held.pidfd = inside_receive_pidfd(held.inside.fd);
    held.pid = pid_of(held.pidfd);
    assert_int_equal(read(held.inside.fd, &held.view, sizeof(held.view)), sizeof(held.view));
    *state = &held;
    return 0;
}

static int let_go(void **state)
{
    struct held *held = *state;

    cm_close_fd(&held->pidfd);
    shutdown(held->inside.fd, SHUT_RDWR); /* ends the worker's read, and so the zygote */
    inside_end(&held->inside);
    return 0;
}

/* "/proc/PID/name". Static memory. */
static const char *proc_path(const struct held *held, const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)held->pid, name);
    return path;
}

static void assert_status(const struct held *held, const char *key, const char *value)
{
    const char *found = line_of(proc_path(held, "status"), key);

    assert_non_null(found);
    assert_string_equal(found + strspn(found, "\t "), value);
}

/* Whether to go on with a test that looks at a layer. */
static bool has_layer(const struct held *held, enum ipc_layer layer)
{
    static const char *const names[] = {
#define CM_LAYER(name, text, why) text,
#include "tables/layers.def"
#undef CM_LAYER
    };

    if (held->report.layers[layer].in_force)
        return true;
    if (inside_must_work())
        fail_msg("%s: %s", names[layer], strerror(held->report.layers[layer].sys_errno));
    print_message("passed over: this machine allows no %s here: %s\n", names[layer],
                  strerror(held->report.layers[layer].sys_errno));
    return false;
}

/* A worker's private files are root's: only root can look further. */
static bool may_look(const struct held *held, const char *name)
{
    char target[64];

    if (geteuid() == 0)
        return true;
    assert_true(readlink(proc_path(held, name), target, sizeof(target)) < 0);
    assert_int_equal(errno, EACCES);
    return false;
}

/* ---- seen from outside ---- */

static void every_layer_of_the_zygote_is_in_force(void **state)
{
    static const enum ipc_layer layers[] = {
        IPC_LAYER_NO_NEW_PRIVS, IPC_LAYER_USER_NS,  IPC_LAYER_MOUNT_NS,
        IPC_LAYER_NET_NS,       IPC_LAYER_PID_NS,   IPC_LAYER_IPC_NS,
        IPC_LAYER_UTS_NS,       IPC_LAYER_LANDLOCK, IPC_LAYER_CAPABILITIES,
    };

    for (size_t i = 0; i < CM_ARRAY_LEN(layers); i++)
        has_layer(*state, layers[i]);
}

static void a_worker_has_no_new_privileges_and_a_filter(void **state)
{
    assert_status(*state, "NoNewPrivs:", "1");
    assert_status(*state, "Seccomp:", "2");
}

static void a_worker_has_no_capability(void **state)
{
    static const char *const sets[] = { "CapInh:", "CapPrm:", "CapEff:", "CapAmb:" };

    for (size_t i = 0; i < CM_ARRAY_LEN(sets); i++)
        assert_status(*state, sets[i], "0000000000000000");
}

static void a_worker_in_a_user_namespace_cannot_be_given_a_capability(void **state)
{
    if (has_layer(*state, IPC_LAYER_USER_NS))
        assert_status(*state, "CapBnd:", "0000000000000000");
}

static void a_worker_of_root_is_nobody_and_in_no_group(void **state)
{
    if (geteuid() != 0) {
        char ids[64];

        snprintf(ids, sizeof(ids), "%d\t%d\t%d\t%d", geteuid(), geteuid(), geteuid(), geteuid());
        assert_status(*state, "Uid:", ids); /* the user's own: it may have no other */
        return;
    }
    assert_status(*state, "Uid:", "65534\t65534\t65534\t65534");
    assert_status(*state, "Gid:", "65534\t65534\t65534\t65534");
    assert_status(*state, "Groups:", "");
}

static void a_worker_has_one_descriptor_and_it_is_the_socket(void **state)
{
    const struct held *held = *state;
    unsigned count = 0;
    char target[64] = { 0 };
    struct dirent *entry;
    DIR *dir;

    assert_int_equal(held->view.descriptors, 0);
    if (!may_look(held, "fd/0"))
        return;
    dir = opendir(proc_path(held, "fd"));
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        assert_true(readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1) > 0);
        assert_memory_equal(target, "socket:", 7);
    }
    closedir(dir);
    assert_int_equal(count, 1);
}

static void a_worker_is_in_namespaces_of_its_zygote_and_not_the_hosts(void **state)
{
    static const struct {
        enum ipc_layer layer;
        const char *name;
    } namespaces[] = {
        { IPC_LAYER_USER_NS, "ns/user" }, { IPC_LAYER_MOUNT_NS, "ns/mnt" },
        { IPC_LAYER_NET_NS, "ns/net" },   { IPC_LAYER_PID_NS, "ns/pid" },
        { IPC_LAYER_IPC_NS, "ns/ipc" },   { IPC_LAYER_UTS_NS, "ns/uts" },
    };
    const struct held *held = *state;

    for (size_t i = 0; i < CM_ARRAY_LEN(namespaces); i++) {
        char theirs[64] = { 0 };
        char host[64] = { 0 };
        char path[64];

        if (!has_layer(held, namespaces[i].layer) || !may_look(held, namespaces[i].name))
            continue;
        snprintf(path, sizeof(path), "/proc/self/%s", namespaces[i].name);
        assert_true(readlink(path, host, sizeof(host) - 1) > 0);
        assert_true(readlink(proc_path(held, namespaces[i].name), theirs, sizeof(theirs) - 1) > 0);
        assert_string_not_equal(theirs, host);
    }
}

static void the_root_directory_of_a_worker_is_empty_and_cannot_be_written(void **state)
{
    const struct held *held = *state;
    struct dirent *entry;
    struct statvfs fs;
    int root;
    DIR *dir;

    if (!has_layer(held, IPC_LAYER_MOUNT_NS) || !may_look(held, "root"))
        return;
    root = open(proc_path(held, "root"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(root >= 0);
    assert_int_equal(mkdirat(root, "made", 0700), -1);
    assert_int_equal(errno, EROFS);
    assert_int_equal(fstatvfs(root, &fs), 0);
    assert_true((fs.f_flag & ST_RDONLY) && (fs.f_flag & ST_NOEXEC) && (fs.f_flag & ST_NOSUID));
    dir = fdopendir(root);
    while ((entry = readdir(dir)) != NULL)
        assert_true(strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    closedir(dir);
}

static unsigned lines_of(const char *path)
{
    FILE *file = fopen(path, "re");
    unsigned lines = 0;
    char line[512];

    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL)
        lines++;
    fclose(file);
    return lines;
}

static void the_empty_root_is_all_that_is_mounted_for_a_worker(void **state)
{
    const struct held *held = *state;

    if (has_layer(held, IPC_LAYER_MOUNT_NS) && may_look(held, "root"))
        assert_int_equal(lines_of(proc_path(held, "mountinfo")), 1);
}

static void a_worker_has_no_network_interface_but_a_dead_loopback(void **state)
{
    const struct held *held = *state;

    if (!has_layer(held, IPC_LAYER_NET_NS) || !may_look(held, "ns/net"))
        return;
    assert_int_equal(lines_of(proc_path(held, "net/dev")), 3); /* two of them are heads */
    assert_true(lines_of(proc_path(held, "net/route")) <= 1);  /* a head, but no route */
}

static void a_worker_sees_no_process_of_the_host(void **state)
{
    const struct held *held = *state;
    const char *pids;

    if (!has_layer(held, IPC_LAYER_PID_NS))
        return;
    pids = line_of(proc_path(held, "status"), "NSpid:");
    assert_non_null(pids);
    assert_int_equal(strtol(strrchr(pids, '\t'), NULL, 10), 2); /* the zygote is 1 */
}

static void the_limits_of_a_worker_are_in_force(void **state)
{
    static const char *const none[] = { "Max core file size", "Max file size", "Max locked memory",
                                        "Max msgqueue size" };
    const struct held *held = *state;
    unsigned long soft;
    unsigned long hard;

    for (size_t i = 0; i < CM_ARRAY_LEN(none); i++) {
        assert_int_equal(
            sscanf(line_of(proc_path(held, "limits"), none[i]), "%lu %lu", &soft, &hard), 2);
        assert_int_equal(soft, 0);
        assert_int_equal(hard, 0);
    }
    assert_int_equal(
        sscanf(line_of(proc_path(held, "limits"), "Max open files"), "%lu %lu", &soft, &hard), 2);
    assert_int_equal(hard, 1);
    assert_int_equal(
        sscanf(line_of(proc_path(held, "limits"), "Max data size"), "%lu %lu", &soft, &hard), 2);
    assert_int_equal(soft, DATA_LIMIT);
    assert_int_equal(hard, DATA_LIMIT);
}

static void memory_past_the_data_limit_is_refused_and_below_it_is_not(void **state)
{
    const struct held *held = *state;

    assert_int_equal(held->view.over_limit_errno, ENOMEM);
    assert_int_equal(held->view.within_limit_errno, 0);
}

/* The files of what is not dumpable do not belong to the process's own user. */
static void a_worker_can_be_neither_traced_nor_dumped(void **state)
{
    uid_t own = geteuid() == 0 ? NOBODY : geteuid();
    struct stat info;

    assert_int_equal(stat(proc_path(*state, "environ"), &info), 0);
    assert_int_not_equal(info.st_uid, own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_of_the_zygote_is_in_force),
        cmocka_unit_test(a_worker_has_no_new_privileges_and_a_filter),
        cmocka_unit_test(a_worker_has_no_capability),
        cmocka_unit_test(a_worker_in_a_user_namespace_cannot_be_given_a_capability),
        cmocka_unit_test(a_worker_of_root_is_nobody_and_in_no_group),
        cmocka_unit_test(a_worker_has_one_descriptor_and_it_is_the_socket),
        cmocka_unit_test(a_worker_is_in_namespaces_of_its_zygote_and_not_the_hosts),
        cmocka_unit_test(the_root_directory_of_a_worker_is_empty_and_cannot_be_written),
        cmocka_unit_test(the_empty_root_is_all_that_is_mounted_for_a_worker),
        cmocka_unit_test(a_worker_has_no_network_interface_but_a_dead_loopback),
        cmocka_unit_test(a_worker_sees_no_process_of_the_host),
        cmocka_unit_test(the_limits_of_a_worker_are_in_force),
        cmocka_unit_test(memory_past_the_data_limit_is_refused_and_below_it_is_not),
        cmocka_unit_test(a_worker_can_be_neither_traced_nor_dumped),
    };

    return cmocka_run_group_tests(tests, hold, let_go);
}
