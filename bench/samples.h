/* The values of one measurement. */
#ifndef CM_BENCH_SAMPLES_H
#define CM_BENCH_SAMPLES_H

#include <stddef.h>

struct samples {
    double *values; /* owned */
    size_t count;
    size_t cap; /* a value past it is not kept */
};

/* CM_E_NOMEM; `samples` may be given to samples_done() in any case. */
int samples_init(struct samples *samples, size_t cap);
void samples_done(struct samples *samples);
void samples_add(struct samples *samples, double value);
double samples_sum(const struct samples *samples);

/* The value at the fraction `at` of the sorted samples, nearest rank; 0 when
 * there is none. Sorts. */
double samples_quantile(struct samples *samples, double at);

/* One JSON line: the given value, p50, p99 and the number of samples. */
void samples_print(struct samples *samples, double value);

/* The same as one part of a row, with p50 as its value. */
void samples_print_part(struct samples *samples, const char *part);

#endif
