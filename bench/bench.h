/* What the methods of bench_codemode share. Each prints its own figures. */
#ifndef CM_BENCH_BENCH_H
#define CM_BENCH_BENCH_H

#include "host.h"
#include "samples.h"

struct bench {
    struct host host;
    struct program program;
    struct program baseline; /* empty unless the method compares two programs */
    size_t count;
    size_t width;
};

/* One run on a pool that is ready again; its milliseconds go to `samples` (NULL:
 * to nobody). */
int bench_timed_run(struct bench *bench, const struct program *program, struct samples *samples);

/* One run of the program, which gives two numbers. */
int bench_run_pair(struct bench *bench, double *ret_first, double *ret_second);

/* Milliseconds that a run takes longer than its baseline, the two by turns: `width`
 * runs of the baseline, then one. */
int bench_difference(struct bench *bench);

/* The memory of every process below this one that has no children: the zygote,
 * parent of the workers, is shared by all of them and not counted. */
int bench_private_memory(struct bench *bench, struct samples *megabytes);

int measure_fetch(struct bench *bench);
int measure_invoke(struct bench *bench);
int measure_imports(struct bench *bench);
int measure_imports_of_many(struct bench *bench);
int measure_inlined(struct bench *bench);
int measure_cold(struct bench *bench);
int measure_cold_values(struct bench *bench);
int measure_cold_imports(struct bench *bench);
int measure_cold_typescript(struct bench *bench);

#endif
