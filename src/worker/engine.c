/* Runs in the zygote, before any program; and in bench/engine.c, which is to measure the
 * same engine. No input. */
#include "worker/engine.h"

#include <JavaScriptCore/JavaScript.h>
#include <jsc/jsc.h>
#include <stdio.h>

/* Exported by the library, missing in its headers. */
extern void JSDisableGCTimer(void);
extern void pas_scavenger_suspend(void) __attribute__((weak));
extern void *fast_malloc(size_t bytes) __asm__("_ZN3WTF10fastMallocEm") __attribute__((weak));
extern void fast_free(void *block) __asm__("_ZN3WTF8fastFreeEPv") __attribute__((weak));

/* Of these the zygote takes 8 MB to prepare the isolate. */
enum { FIRST_COLLECTION_BYTES = 20 << 20 };

void engine_init(uint64_t memory_limit_bytes)
{
    /* A thread of the allocator would be lost in a fork, and the zygote has to
     * have one thread; pages go back to the system when the worker ends. */
    if (pas_scavenger_suspend != NULL)
        pas_scavenger_suspend();
    jsc_options_set_boolean("useWasm", FALSE);
    jsc_options_set_boolean("useConcurrentJIT", FALSE);
    /* How much the collector believes there is: it gets busy before the bound. */
    jsc_options_set_size("forceRAMSize", memory_limit_bytes);
    /* No collection, and so no thread for one, before a program has allocated that much. */
    jsc_options_set_uint("smallHeapSize", FIRST_COLLECTION_BYTES);
    JSDisableGCTimer();
}

void engine_reserve(void)
{
    enum { BLOCKS = 512, BLOCK_BYTES = 48 << 10 };
    void *blocks[BLOCKS];

    if (fast_malloc == NULL || fast_free == NULL)
        return;
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = fast_malloc(BLOCK_BYTES);
    for (int i = 0; i < BLOCKS; i++)
        fast_free(blocks[i]);
}

void engine_name(char *to, size_t cap)
{
    snprintf(to, cap, "JavaScriptCore %u.%u.%u", jsc_get_major_version(), jsc_get_minor_version(),
             jsc_get_micro_version());
}
