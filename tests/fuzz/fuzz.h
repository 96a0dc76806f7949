/* What a fuzz target and those who run it share. */
#ifndef CM_TESTS_FUZZ_H
#define CM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* libFuzzer's name for a target; 0 always. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* In every build, so that a replay of the seeds tests what a fuzzer tests. */
#define MUST(condition)                                                             \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

#endif
