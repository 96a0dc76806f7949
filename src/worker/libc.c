/* In the place of functions of libc, for every library of this process but libc itself.
 * A snapshot cannot undo a thread, or that the mappings have changed; libc changes them
 * for threads alone, since malloc is told to do without. */
#include "worker/random.h"
#include "worker/snapshot.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* By its name, also where off_t has two sizes and the header's mmap() is mmap64(). */
void *map_for_library(void *address, size_t bytes, int protection, int flags, int fd,
                      off_t offset) __asm__("mmap");
EXPORT void *map_for_library(void *address, size_t bytes, int protection, int flags, int fd,
                             off_t offset)
{
    snapshot_spend();
    return (void *)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

EXPORT int munmap(void *address, size_t bytes)
{
    snapshot_spend();
    return (int)syscall(SYS_munmap, address, bytes);
}

EXPORT int mprotect(void *address, size_t bytes, int protection)
{
    snapshot_spend();
    return (int)syscall(SYS_mprotect, address, bytes, protection);
}

EXPORT int madvise(void *address, size_t bytes, int advice)
{
    if (advice == MADV_DONTNEED || advice == MADV_FREE)
        return snapshot_discard(address, bytes);
    return (int)syscall(SYS_madvise, address, bytes, advice);
}

/* It gives up pages of blocks that the way back would bring to life again. */
EXPORT int malloc_trim(size_t bytes)
{
    (void)bytes;
    snapshot_spend();
    return 0;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    snapshot_spend();
    create = (__typeof(create))dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, run, argument);
}

/* By which OpenSSL seeds its generators: the system cannot write to a page that has not
 * been noted. */
EXPORT int getentropy(void *to, size_t bytes)
{
    random_fill(to, bytes);
    return 0;
}
