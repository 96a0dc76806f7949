/* Owners that give back what they hold when their scope ends, and the macros
 * that hand it over. */
#ifndef CM_BASE_CLEANUP_H
#define CM_BASE_CLEANUP_H

#include <stdlib.h>
#include <unistd.h>

#define CM_ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))
#define CM_CONTAINER_OF(pointer, type, member) \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

static inline void cm_cleanup_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void cm_cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

/* CM_AUTO_FD int fd = -1; CM_AUTO_FREE char *text = NULL; */
#define CM_AUTO_FD   __attribute__((cleanup(cm_cleanup_fd)))
#define CM_AUTO_FREE __attribute__((cleanup(cm_cleanup_free)))

/* The value, and the owner is empty afterwards. */
#define CM_TAKE(pointer)                       \
    __extension__({                            \
        __typeof__(pointer) taken = (pointer); \
        (pointer) = NULL;                      \
        taken;                                 \
    })

static inline int cm_take_fd(int *fd)
{
    int taken = *fd;

    *fd = -1;
    return taken;
}

static inline void cm_close_fd(int *fd)
{
    if (*fd >= 0)
        close(cm_take_fd(fd));
}

#endif
