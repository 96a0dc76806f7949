/* Random bytes of the system's. What a library keeps of its own is shared by the forks
 * of a zygote and by the programs of a worker, until it is seeded by this. */
#ifndef CM_WORKER_RANDOM_H
#define CM_WORKER_RANDOM_H

#include <stddef.h>

void random_fill(void *to, size_t bytes);

#endif
