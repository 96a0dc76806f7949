/* The engine as this project runs it: what is set once a process. */
#ifndef CM_WORKER_ENGINE_H
#define CM_WORKER_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* Sets the engine's options; before the first VM, once a process. The collector is told
 * that the machine has that much memory. */
void engine_init(uint64_t memory_limit_bytes);

/* Has the allocator map what a program of some megabytes needs, which costs address space:
 * it maps 32 MB at a time, of which it has as much left as the system's choice of addresses
 * will have it. */
void engine_reserve(void);

/* "JavaScriptCore 2.50.6" into `to`. */
void engine_name(char *to, size_t cap);

#endif
