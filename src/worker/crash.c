/* A crash for want of memory. Runs in a worker, in a signal handler on a stack of
 * its own: only async-signal-safe calls.
 *
 * The engine turns most failed allocations into a RangeError and crashes on the
 * rest, by a trap or abort(). What tells such a crash from a defect is whether
 * memory can still be had. A program that fakes it gains nothing: it ends its own
 * run with the sentence about memory instead of the one about a lost worker. */
#include "worker/worker.h"

#include "base/cleanup.h"
#include "worker/snapshot.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HANDLER_STACK_BYTES = 16384 };

/* A handler has no argument of ours; written once, before the first program. */
static struct {
    int fd;
    size_t abort_probe_bytes;
    size_t fault_probe_bytes;
    void *stack;
} crash = { .fd = -1 };

static bool memory_left(size_t bytes)
{
    void *probe = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (probe == MAP_FAILED)
        return false;
    munmap(probe, bytes);
    return true;
}

/* Most faults are first writes to a page of the snapshot. After any other the default
 * action follows: for a fault when the instruction runs again, for abort() when it
 * raises the signal a second time. */
static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    static const struct ipc_head exhausted = { 0, IPC_EXHAUSTED, 0 };
    bool fault = signal_number == SIGSEGV || signal_number == SIGBUS;

    (void)context;
    if (signal_number == SIGSEGV && snapshot_note(info->si_addr))
        return;
    signal(signal_number, SIG_DFL);
    if (!memory_left(fault ? crash.fault_probe_bytes : crash.abort_probe_bytes)) {
        ssize_t written = write(crash.fd, &exhausted, sizeof(exhausted));

        (void)written; /* there is nobody left to tell */
    }
}

int crash_prepare(void)
{
    crash.stack = snapshot_keep(HANDLER_STACK_BYTES);
    return crash.stack == NULL ? CM_E_NOMEM : 0;
}

int crash_init(struct worker *worker)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE };
    struct sigaction action = { .sa_sigaction = on_crash, .sa_flags = SA_ONSTACK | SA_SIGINFO };
    stack_t stack = { .ss_sp = crash.stack, .ss_size = HANDLER_STACK_BYTES };

    crash.fd = worker->fd;
    /* The engine aborts on purpose where an allocation of any size fails, so a
     * quarter of the bound in use is evidence enough there. */
    crash.abort_probe_bytes = worker->memory_limit_bytes / 4 * 3 + ALLOCATOR_SLACK_BYTES;
    crash.fault_probe_bytes = worker->memory_limit_bytes / 4 + ALLOCATOR_SLACK_BYTES;
    if (sigaltstack(&stack, NULL) < 0)
        return CM_E_SYSTEM;
    for (size_t i = 0; i < CM_ARRAY_LEN(signals); i++)
        if (sigaction(signals[i], &action, NULL) < 0)
            return CM_E_SYSTEM;
    return 0;
}
