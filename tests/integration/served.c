/* See served.h. */
#include "served.h"

#include "base/cleanup.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { LOG_MAX = 8192 };

static void set(const char *name, const char *value)
{
    if (setenv(name, value, 1) < 0)
        _exit(127);
}

/* In the child. It ends with the test, whatever becomes of that. */
static void serve(const char *program, const char *worker, const char *const *settings,
                  uint16_t port, int log_fd)
{
    char text[16];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(text, sizeof(text), "%u", port);
    set("HOST", "127.0.0.1");
    set("PORT", text);
    set("ADMIN_PORT", "0");
    set("CODEMODE_WORKER_PATH", worker);
    for (; settings != NULL && settings[0] != NULL; settings += 2)
        set(settings[0], settings[1]);
    dup2(log_fd, STDOUT_FILENO);
    execl(program, program, "serve", (char *)NULL);
    _exit(127);
}

/* Its log up to the line that says "ready". */
static void read_log(int fd, char *log)
{
    size_t used = 0;

    while (strstr(log, "\"msg\":\"ready\"") == NULL) {
        ssize_t n = read(fd, log + used, LOG_MAX - 1 - used);

        if (n <= 0)
            fail_msg("the daemon does not listen: %s", log);
        used += (size_t)n;
        log[used] = '\0';
    }
}

void served_start(struct served *served, const char *program, const char *worker,
                  const char *const *settings, uint16_t port)
{
    char log[LOG_MAX] = "";
    const char *at;
    int fds[2];

    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    served->pid = fork();
    assert_true(served->pid >= 0);
    if (served->pid == 0)
        serve(program, worker, settings, port, fds[1]);
    close(fds[1]);
    served->log_fd = fds[0];
    read_log(fds[0], log);
    at = strstr(log, "\"listener\":\"callers\"");
    at = at == NULL ? NULL : strstr(at, "\"port\":");
    assert_non_null(at);
    snprintf(served->url, sizeof(served->url), "ws://127.0.0.1:%u",
             (unsigned)strtoul(at + strlen("\"port\":"), NULL, 10));
}

/* What it goes on to log is read, so that it can end. */
static int end(struct served *served, int signal)
{
    char log[LOG_MAX];
    int status = 0;

    kill(served->pid, signal);
    while (read(served->log_fd, log, sizeof(log)) > 0)
        continue;
    assert_int_equal(waitpid(served->pid, &status, 0), served->pid);
    served->pid = 0;
    cm_close_fd(&served->log_fd);
    return status;
}

void served_stop(struct served *served)
{
    if (served->pid != 0)
        assert_int_equal(end(served, SIGTERM), 0);
}

void served_kill(struct served *served)
{
    end(served, SIGKILL);
}

uint16_t served_port(const struct served *served)
{
    return (uint16_t)strtoul(strrchr(served->url, ':') + 1, NULL, 10);
}
