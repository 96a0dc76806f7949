/* Runs in the benchmark's own process; no input is hostile. */
#include "samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "codemode/executor.h"

int samples_init(struct samples *samples, size_t cap)
{
    *samples = (struct samples){ calloc(cap, sizeof(double)), 0, cap };
    return samples->values == NULL ? CM_E_NOMEM : 0;
}

void samples_done(struct samples *samples)
{
    free(samples->values);
    *samples = (struct samples){ NULL, 0, 0 };
}

void samples_add(struct samples *samples, double value)
{
    if (samples->count < samples->cap)
        samples->values[samples->count++] = value;
}

double samples_sum(const struct samples *samples)
{
    double sum = 0;

    for (size_t i = 0; i < samples->count; i++)
        sum += samples->values[i];
    return sum;
}

static int compare_doubles(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

double samples_quantile(struct samples *samples, double at)
{
    size_t rank = (size_t)ceil(at * (double)samples->count);

    if (samples->count == 0)
        return 0;
    qsort(samples->values, samples->count, sizeof(double), compare_doubles);
    return samples->values[rank == 0 ? 0 : rank - 1];
}

void samples_print(struct samples *samples, double value)
{
    double p50 = samples_quantile(samples, 0.5);
    double p99 = samples_quantile(samples, 0.99);

    printf("{\"value\":%.6g,\"p50\":%.6g,\"p99\":%.6g,\"n\":%zu}\n", value, p50, p99,
           samples->count);
}

void samples_print_part(struct samples *samples, const char *part)
{
    double p50 = samples_quantile(samples, 0.5);
    double p99 = samples_quantile(samples, 0.99);

    printf("{\"part\":\"%s\",\"value\":%.6g,\"p50\":%.6g,\"p99\":%.6g,\"n\":%zu}\n", part, p50, p50,
           p99, samples->count);
}
