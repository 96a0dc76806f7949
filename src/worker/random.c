/* Runs in a worker. No input. */
#include "worker/random.h"

#include "worker/snapshot.h"

#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>

void random_fill(void *to, size_t bytes)
{
    uint8_t *at = to;

    snapshot_touch(to, bytes);
    while (bytes > 0) {
        ssize_t got = getrandom(at, bytes, 0);

        if (got > 0) {
            at += got;
            bytes -= (size_t)got;
        }
    }
}
