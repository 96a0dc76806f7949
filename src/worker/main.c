/* codemode-worker: started by the library, never by hand. */
#include "base/text.h"
#include "worker/zygote.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    uint64_t fd;

    if (argc == 3 && strcmp(argv[1], "--control") == 0 && cm_parse_u64(argv[2], &fd) && fd < 1024)
        return zygote_main((int)fd);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("codemode-worker " CM_VERSION);
        return 0;
    }
    fputs("codemode-worker is started by libcodemode; run codemode-executor instead\n", stderr);
    return 1;
}
