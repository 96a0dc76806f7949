/*
 * The rows of tables/syscalls.def as a classic BPF program. Runs in the zygote,
 * once: libseccomp would need a millisecond and many fresh pages in each worker.
 * No input is hostile. Invariant: the program has exactly one instruction that
 * compares with JAIL_OWN_PID, so that a worker can put its own pid there.
 */
#include "jail/filter.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

struct row {
    const char *name;
    int call;
    uint32_t action;
    unsigned test_count; /* all of them must hold */
    struct scmp_arg_cmp tests[2];
};

/* clang-format off */
#define ALLOW(sys_errno)    SCMP_ACT_ALLOW
#define REFUSE(sys_errno)   SCMP_ACT_ERRNO(sys_errno)
#define ANY                 .test_count = 0
#define ONLY(n, v)          .test_count = 1, .tests = { { n, SCMP_CMP_EQ, v, 0 } }
#define BOTH(n, v, m, w)    .test_count = 2, .tests = { { n, SCMP_CMP_EQ, v, 0 }, { m, SCMP_CMP_EQ, w, 0 } }
#define AT_MOST(n, v)       .test_count = 1, .tests = { { n, SCMP_CMP_LE, v, 0 } }
#define MASKED(n, mask, v)  .test_count = 1, .tests = { { n, SCMP_CMP_MASKED_EQ, mask, v } }
#define OWN_PID(n)          ONLY(n, JAIL_OWN_PID)
/* clang-format on */

static const struct row rows[] = {
#define CM_SYSCALL(name, answer, sys_errno, test, why) \
    { #name, SCMP_SYS(name), answer(sys_errno), test },
#include "tables/syscalls.def"
#undef CM_SYSCALL
};

static void release(scmp_filter_ctx *ctx)
{
    seccomp_release(*ctx);
}

static int add_rows(scmp_filter_ctx ctx, struct cm_error *err)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        int r = seccomp_rule_add_array(ctx, row->action, row->call, row->test_count, row->tests);

        if (r < 0)
            return cm_fail(err, CM_E_SYSTEM, -r, "the filter's row for %s", row->name);
    }
    return 0;
}

/* A foreign architecture kills the process, not only the thread. A binary tree
 * keeps the longest path short; calls that are allowed whatever their arguments
 * do not even run it (the kernel keeps a bitmap of them). */
static int set_attributes(scmp_filter_ctx ctx, struct cm_error *err)
{
    int r = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

    if (r == 0)
        r = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    return r < 0 ? cm_fail(err, CM_E_SYSTEM, -r, "the filter's attributes") : 0;
}

/* libseccomp writes programs to a descriptor only. */
static int export_program(scmp_filter_ctx ctx, struct jail_filter *filter, struct cm_error *err)
{
    CM_AUTO_FD int fd = memfd_create("filter", MFD_CLOEXEC);
    ssize_t bytes;
    int r;

    if (fd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "memory for the filter");
    r = seccomp_export_bpf(ctx, fd);
    if (r < 0)
        return cm_fail(err, CM_E_SYSTEM, -r, "the filter's program");
    if (lseek(fd, 0, SEEK_END) > (off_t)sizeof(filter->code))
        return cm_fail(err, CM_E_LIMIT, 0, "the filter has more than %d instructions",
                       JAIL_FILTER_MAX);
    bytes = pread(fd, filter->code, sizeof(filter->code), 0);
    if (bytes <= 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "the filter's program");
    filter->len = (unsigned short)((size_t)bytes / sizeof(filter->code[0]));
    return 0;
}

static int find_own_pid(struct jail_filter *filter, struct cm_error *err)
{
    unsigned found = 0;

    for (unsigned short i = 0; i < filter->len; i++) {
        if (filter->code[i].k != JAIL_OWN_PID)
            continue;
        if (filter->code[i].code != (BPF_JMP | BPF_JEQ | BPF_K))
            found++; /* not the comparison that we know: counts as one too many */
        filter->own_pid_at = i;
        found++;
    }
    if (found != 1)
        return cm_fail(err, CM_E_SYSTEM, 0, "the filter has no single place for the pid");
    return 0;
}

static int compile(struct jail_filter *filter, struct cm_error *err)
{
    __attribute__((cleanup(release))) scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);
    int r;

    if (ctx == NULL)
        return cm_fail(err, CM_E_SYSTEM, 0, "libseccomp cannot be used");
    r = set_attributes(ctx, err);
    if (r == 0)
        r = add_rows(ctx, err);
    if (r == 0)
        r = export_program(ctx, filter, err);
    return r == 0 ? find_own_pid(filter, err) : r;
}

int jail_filter_new(struct jail_filter **ret_filter, struct cm_error *err)
{
    CM_AUTO_FREE struct jail_filter *filter = calloc(1, sizeof(*filter));
    int r;

    if (filter == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the filter");
    r = compile(filter, err);
    if (r < 0)
        return r;
    *ret_filter = CM_TAKE(filter);
    return 0;
}

void jail_filter_free(struct jail_filter *filter)
{
    free(filter);
}

void jail_filter_fill(const struct jail_filter *filter, pid_t pid, struct sock_filter *ret_code)
{
    memcpy(ret_code, filter->code, filter->len * sizeof(filter->code[0]));
    ret_code[filter->own_pid_at].k = (uint32_t)pid;
}
