/* Programs that were written to cross from one run to the next. Each file of
 * tests/programs holds two, parted by a line that starts with "// ---- second".
 * Both run on one worker process, one after the other; the second looks for what
 * the first has left behind and returns "clean", or what it found. */
#include "base/cleanup.h"
#include "harness.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MARK "\n// ---- second"

enum { PAIRS_MAX = 200, PROGRAM_MAX = 65536 };

static char names[PAIRS_MAX][NAME_MAX + 1];
static struct CMUnitTest tests[PAIRS_MAX];

static char *read_program(const char *name)
{
    char *text = calloc(1, PROGRAM_MAX);
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", programs_directory(), name);
    file = fopen(path, "re");
    if (text == NULL || file == NULL)
        fail_msg("%s cannot be read", path);
    assert_true(fread(text, 1, PROGRAM_MAX - 1, file) < PROGRAM_MAX - 1);
    fclose(file);
    return text;
}

static void expect_no_line_of_another(const struct job *job)
{
    const struct cm_outcome *outcome = cm_run_outcome(job->run);

    for (size_t i = 0; i < outcome->log_count; i++)
        expect_text("line of the second", outcome->logs[i].text, "mine");
}

/* The first run's calls, answered while the second waits for one of its own that
 * has the same number. */
static void answer_the_first(struct job *second, const struct cm_call *call)
{
    static const char late[] = "{\"result\":\"late\"}";
    struct job *first = second->user;

    for (size_t i = 0; i < first->open_count; i++)
        assert_int_equal(cm_run_answer(first->run, first->open[i], late, strlen(late)), CM_E_STATE);
    assert_int_equal(cm_run_answer(second->run, call->id, "{\"result\":\"mine\"}", 17), 0);
}

/* An executor of its own for each pair, and one worker, which serves both: it is ready
 * when the first has ended, unless that has spent it. */
static void leaves_nothing_behind(void **state)
{
    static const char *const settings[] = {
        "WORKERS_MAX", "1", "WORKERS_IDLE", "1", "PROGRAMS_PER_WORKER", "1000", NULL
    };
    CM_AUTO_FREE char *text = read_program(*state);
    char *mark = strstr(text, MARK);
    struct job first = { .code = text };
    struct job second = { .in_call = answer_the_first, .user = &first };
    struct cm_stats stats;
    struct host host;

    if (mark == NULL)
        fail_msg("%s has no second program", (const char *)*state);
    *mark = '\0';
    second.code = mark + 1;

    host_open(&host, settings);
    host_run(&host, &first);
    expect_result(&first, "\"left\"");
    cm_executor_stats(host.executor, &stats);
    assert_int_equal(stats.workers_ready, 1);
    assert_int_equal(stats.workers_started, 1);
    host_run(&host, &second);
    expect_result(&second, "\"clean\"");
    expect_no_line_of_another(&second);
    job_done(&first);
    job_done(&second);
    host_close(&host);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static size_t list_programs(void)
{
    DIR *directory = opendir(programs_directory());
    struct dirent *entry;
    size_t count = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name);

        if (length > 3 && strcmp(entry->d_name + length - 3, ".js") == 0 && count < PAIRS_MAX)
            snprintf(names[count++], sizeof(names[0]), "%s", entry->d_name);
    }
    if (directory != NULL)
        closedir(directory);
    qsort(names, count, sizeof(names[0]), by_name);
    return count;
}

int main(int argc, char **argv)
{
    struct group group = { .name = "crossing", .tests = tests };

    group_options(argc, argv);
    group.test_count = list_programs();
    if (group.test_count < 40) {
        fprintf(stderr, "%s holds %zu pairs of programs, not 40\n", programs_directory(),
                group.test_count);
        return 1;
    }
    for (size_t i = 0; i < group.test_count; i++)
        tests[i] = (struct CMUnitTest){ .name = names[i],
                                        .test_func = leaves_nothing_behind,
                                        .initial_state = names[i] };
    return group_main(argc, argv, &group);
}
