/* Time is monotonic nanoseconds; deadlines saturate. */
#ifndef CM_BASE_CLOCK_H
#define CM_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CM_NS_PER_MS UINT64_C(1000000)
#define CM_NEVER     UINT64_MAX

static inline uint64_t cm_timespec_ns(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_nsec;
}

static inline uint64_t cm_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return cm_timespec_ns(&now);
}

static inline uint64_t cm_deadline(uint64_t now_ns, uint64_t delay_ns)
{
    return delay_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + delay_ns;
}

#endif
