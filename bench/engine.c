/* bench_engine - what the engine alone could do: makes a VM and a realm, evaluates
 * the program, lets its microtasks run and destroys both, in WIDTH processes at
 * once. No jail, no host, no values that cross. Takes the arguments of
 * bench_codemode; METHOD is "throughput". */
#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "worker/engine.h"

enum {
    PROGRAM_BYTES_MAX = 4096,
    MEMORY_BYTES = 128 << 20, /* MEMORY_LIMIT_MB as it is when nobody sets it */
};

/* The program as a script that calls it; false: it cannot be read. */
static bool read_program(const char *path, char script[PROGRAM_BYTES_MAX + 8])
{
    FILE *file = fopen(path, "re");
    char text[PROGRAM_BYTES_MAX];
    size_t bytes;

    if (file == NULL)
        return false;
    bytes = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[bytes] = '\0';
    snprintf(script, PROGRAM_BYTES_MAX + 8, "(%s\n)()", text);
    return bytes > 0;
}

static void cycle(JSStringRef program)
{
    JSContextGroupRef group = JSContextGroupCreate();
    JSGlobalContextRef ctx = JSGlobalContextCreateInGroup(group, NULL);

    JSEvaluateScript(ctx, program, NULL, NULL, 1, NULL);
    JSGlobalContextRelease(ctx);
    JSContextGroupRelease(group);
}

/* One of the processes: warms up, says so, waits for the start and works. */
static void work(const char *script, size_t count, int ready_fd, int start_fd)
    __attribute__((noreturn));
static void work(const char *script, size_t count, int ready_fd, int start_fd)
{
    JSStringRef program;
    char byte = 0;

    engine_init(MEMORY_BYTES);
    program = JSStringCreateWithUTF8CString(script);
    for (size_t i = 0; i < count / 10 + 1; i++)
        cycle(program);
    if (write(ready_fd, &byte, 1) != 1 || read(start_fd, &byte, 1) != 0)
        _exit(1);
    for (size_t i = 0; i < count; i++)
        cycle(program);
    _exit(0);
}

/* Programs a second of `width` processes; negative: one of them failed. */
static double measure(const char *script, size_t count, size_t width)
{
    int ready[2];
    int start[2];
    uint64_t began_ns;
    bool failed = pipe(ready) < 0 || pipe(start) < 0;
    char byte;
    int status;

    for (size_t i = 0; i < width && !failed; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            close(start[1]);
            work(script, count / width, ready[1], start[0]);
        }
        failed = pid < 0;
    }
    for (size_t i = 0; i < width && !failed; i++)
        failed = read(ready[0], &byte, 1) != 1;
    began_ns = cm_now_ns();
    close(start[1]);
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed ? -1 : (double)(count / width * width) * 1e9 / (double)(cm_now_ns() - began_ns);
}

int main(int argc, char **argv)
{
    char script[PROGRAM_BYTES_MAX + 8];
    size_t count = argc == 6 ? strtoul(argv[4], NULL, 10) : 0;
    size_t width = argc == 6 ? strtoul(argv[5], NULL, 10) : 0;
    double value;

    if (width == 0 || count < width || strcmp(argv[1], "throughput") != 0 ||
        !read_program(argv[2], script)) {
        fprintf(stderr, "usage: bench_engine throughput FILE - COUNT WIDTH\n");
        return 1;
    }
    setenv("GIGACAGE_ENABLED", "0", 1); /* as the supervisor starts its workers */
    value = measure(script, count, width);
    if (value < 0) {
        fprintf(stderr, "bench_engine: a process failed\n");
        return 1;
    }
    printf("{\"value\":%.6g,\"n\":%zu}\n", value, count);
    return 0;
}
