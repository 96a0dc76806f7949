/* A daemon for tests: the built codemode-executor, on ports of its own. */
#ifndef CM_TESTS_INTEGRATION_SERVED_H
#define CM_TESTS_INTEGRATION_SERVED_H

#include <stdint.h>
#include <sys/types.h>

struct served {
    pid_t pid; /* 0: it has ended */
    int log_fd;
    char url[64];
};

/* Starts `program serve` with these settings (name, value, ..., NULL, or NULL) and waits
 * until it listens. `port` 0: any. */
void served_start(struct served *served, const char *program, const char *worker,
                  const char *const *settings, uint16_t port);

/* Drains it and proves that it ended well. Nothing when it was killed before. */
void served_stop(struct served *served);
void served_kill(struct served *served);

/* The port in its URL. */
uint16_t served_port(const struct served *served);

#endif
