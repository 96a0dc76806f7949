/* Runs a fuzz target once over each file given, and over each file of each
 * directory given: every build replays the seeds so, with any compiler. */
#include "fuzz.h"

#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { SEED_MAX = 1 << 20 };

static int complain(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return -1;
}

static int read_file(const char *path, struct cm_buf *into)
{
    FILE *file = fopen(path, "rb");
    uint8_t piece[4096];
    size_t n;
    int r = 0;

    if (file == NULL)
        return complain(path, strerror(errno));
    while (r == 0 && (n = fread(piece, 1, sizeof(piece), file)) > 0)
        r = cm_buf_append(into, piece, n);
    if (r < 0)
        r = complain(path, "a seed has at most 1 MiB");
    else if (ferror(file))
        r = complain(path, "cannot be read");
    fclose(file);
    return r;
}

/* The number of seeds replayed: 1; negative when the file cannot be read. */
static int replay_file(const char *path)
{
    struct cm_buf seed;
    int r;

    cm_buf_init(&seed, SEED_MAX);
    r = read_file(path, &seed);
    if (r == 0) {
        printf("%s\n", path);
        fflush(stdout); /* the last line names the seed that aborts the target */
        LLVMFuzzerTestOneInput(cm_buf_bytes(&seed), seed.len);
    }
    cm_buf_done(&seed);
    return r < 0 ? r : 1;
}

static int replay_directory(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    char name[PATH_MAX];
    int count = 0;
    int r = 1;

    if (directory == NULL)
        return complain(path, strerror(errno));
    while (r > 0 && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        r = replay_file(name);
        count += r > 0;
    }
    closedir(directory);
    return r < 0 ? r : count;
}

int main(int argc, char **argv)
{
    int count = 0;

    for (int i = 1; i < argc; i++) {
        struct stat info;
        int r;

        if (stat(argv[i], &info) < 0)
            r = complain(argv[i], strerror(errno));
        else
            r = S_ISDIR(info.st_mode) ? replay_directory(argv[i]) : replay_file(argv[i]);
        if (r < 0)
            return 1;
        count += r;
    }
    printf("%d seeds replayed\n", count);
    return count > 0 ? 0 : 1;
}
