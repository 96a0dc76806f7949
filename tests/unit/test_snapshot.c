/* The way back of a process to the memory that it had. Each test has a process of its
 * own, which changes something, goes back and looks, many times in a row. */
#include "worker/snapshot.h"

#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    ROUNDS = 50,
    HANDLER_STACK_BYTES = 16384,
    BLOCK_BYTES = 100000,
    AREA_PAGES = 600,
    LARGE_PAGES = 2100, /* as much as the engine has at least */
    NEAR_PAGE = 3,      /* of an area whose first page is full: watched */
    FAR_PAGE = 500,     /* not watched */
    MANY_PAGES = 4200,  /* more than can be noted */
    MANY_ROUNDS = 1000, /* of three pages each: more than can be copied */
    NO_WATCH = 4,       /* exit status: nothing can be noted */
    SPENT = 99          /* exit status: there was no way back */
};

/* What survives. */
static struct kept {
    int round;
    void *brk;
    void *block;
    int pipe[2];
} * kept;

/* What one test does: before the copy is made, in each round before the way back, and
 * what it finds afterwards, and at first. */
struct scene {
    void (*prepare)(void);
    void (*change)(void);
    bool (*is_as_before)(void);
    void (*change_late)(void); /* between the copy and the watch; may be NULL */
};

static size_t page_bytes;
static int number = 7;
static int changed_late = 1;
static _Thread_local int of_thread = 5;
static uint8_t zeros[3 * BLOCK_BYTES];
static uint8_t *block;
static uint8_t *area;
static volatile int *of_caller;

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (!snapshot_note(info->si_addr))
        signal(signal_number, SIG_DFL);
}

static void install_handler(void *handler_stack)
{
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO };
    stack_t stack = { .ss_sp = handler_stack, .ss_size = HANDLER_STACK_BYTES };

    if (sigaltstack(&stack, NULL) < 0 || sigaction(SIGSEGV, &action, NULL) < 0)
        _exit(2);
}

/* As the zygote and a worker do. */
static void begin(const struct scene *scene)
{
    struct cm_error err = CM_ERROR_INIT;
    void *handler_stack;

    mallopt(M_PERTURB, 0); /* the tests of meson set it */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TOP_PAD, 1 << 20);
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    kept = snapshot_keep(sizeof(*kept));
    handler_stack = snapshot_keep(HANDLER_STACK_BYTES);
    if (scene->prepare != NULL)
        scene->prepare();
    if (kept == NULL || handler_stack == NULL || snapshot_take(&err) < 0)
        _exit(3);
    changed_late = 2;
    if (scene->change_late != NULL)
        scene->change_late();
    install_handler(handler_stack);
    if (snapshot_watch() < 0)
        _exit(NO_WATCH);
}

static void play(const struct scene *scene) __attribute__((noreturn));
static void play(const struct scene *scene)
{
    volatile int local = 11;

    begin(scene);
    of_caller = &local;
    if (setjmp(*snapshot_point()) == 0) {
        snapshot_save();
        kept->brk = sbrk(0);
    }
    of_caller = &local;
    if (!scene->is_as_before() || local != 11)
        _exit(1);
    if (kept->round++ == ROUNDS)
        _exit(0);
    scene->change();
    if (snapshot_spent())
        _exit(scene->is_as_before() ? 5 : SPENT);
    snapshot_return();
}

static int status_of(const struct scene *scene, void (*perform)(const struct scene *))
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        perform(scene);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void ends_like(const struct scene *scene, void (*perform)(const struct scene *),
                      int exit_status)
{
    int status = status_of(scene, perform);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), exit_status);
}

static void ends_with(const struct scene *scene, int exit_status)
{
    ends_like(scene, play, exit_status);
}

static bool all_are(const uint8_t *bytes, size_t count, uint8_t value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

/* ---- what comes back ---- */

static void change_statics(void)
{
    number += kept->round;
    memset(zeros, kept->round, sizeof(zeros));
    changed_late = 3;
    of_thread = 6;
    *of_caller = 12;
}

static bool statics_are_as_before(void)
{
    return number == 7 && changed_late == 2 && of_thread == 5 && all_are(zeros, sizeof(zeros), 0);
}

static void variables_come_back(void **state)
{
    static const struct scene scene = { NULL, change_statics, statics_are_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void fill_block(void)
{
    block = malloc(BLOCK_BYTES);
    if (block != NULL)
        memset(block, 'b', BLOCK_BYTES);
}

static void change_block(void)
{
    memset(block, 'c', BLOCK_BYTES);
    free(block);
    block = malloc(BLOCK_BYTES / 2);
}

static bool block_is_as_before(void)
{
    return all_are(block, BLOCK_BYTES, 'b');
}

static void a_block_comes_back_with_what_malloc_knows_of_it(void **state)
{
    static const struct scene scene = { fill_block, change_block, block_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void grow(void)
{
    enum { GROWN_BYTES = 8 << 20 };
    uint8_t *grown = malloc(GROWN_BYTES);

    if (grown == NULL || !all_are(grown + page_bytes, GROWN_BYTES - page_bytes, 0))
        _exit(6);
    if (kept->block == NULL)
        kept->block = grown;
    if (kept->block != grown)
        _exit(7);
    memset(grown, 'g', GROWN_BYTES);
}

static bool break_is_as_before(void)
{
    return sbrk(0) == kept->brk;
}

static void the_break_goes_back_and_grows_with_zeros(void **state)
{
    static const struct scene scene = { NULL, grow, break_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

/* The first page is full. */
static void map_pages(size_t count)
{
    area =
        mmap(NULL, count * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        _exit(8);
    memset(area, 'a', page_bytes);
}

static void map_area(void)
{
    map_pages(AREA_PAGES);
}

static void change_empty_pages(void)
{
    memset(area + NEAR_PAGE * page_bytes, 'n', page_bytes);
    memset(area + FAR_PAGE * page_bytes, 'f', page_bytes);
}

static bool area_is_as_before(void)
{
    return all_are(area, page_bytes, 'a') &&
           all_are(area + page_bytes, (AREA_PAGES - 1) * page_bytes, 0);
}

static void a_page_that_was_empty_is_again_near_and_far_from_full_ones(void **state)
{
    static const struct scene scene = { map_area, change_empty_pages, area_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

/* The system fills them, and what is written then raises no fault. */
static void populate_and_change(void)
{
    uint8_t *far = area + FAR_PAGE * page_bytes;

    if (madvise(far, 4 * page_bytes, MADV_POPULATE_WRITE) < 0)
        _exit(16);
    memset(far, 'p', 4 * page_bytes);
}

static void a_page_that_was_populated_is_empty_again(void **state)
{
    static const struct scene scene = { map_area, populate_and_change, area_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void write_late(void)
{
    area[FAR_PAGE * page_bytes] = 'l';
}

static void change_late_page(void)
{
    area[FAR_PAGE * page_bytes] = 'L';
    area[(FAR_PAGE + 1) * page_bytes] = 'L';
}

static bool late_page_is_as_before(void)
{
    return area[FAR_PAGE * page_bytes] == 'l' && area[(FAR_PAGE + 1) * page_bytes] == 0;
}

static void a_page_that_was_filled_after_the_copy_comes_back(void **state)
{
    static const struct scene scene = { map_area, change_late_page, late_page_is_as_before,
                                        write_late };

    (void)state;
    ends_with(&scene, 0);
}

/* Like what the engine has: full pages with empty ones among them. */
static void map_large_area(void)
{
    map_pages(LARGE_PAGES);
    memset(area + 2 * NEAR_PAGE * page_bytes, 'b', page_bytes);
}

static void change_large_area(void)
{
    memset(area, 'c', page_bytes);
    memset(area + 2 * NEAR_PAGE * page_bytes, 'c', page_bytes);
    change_empty_pages();
}

static bool large_area_is_as_before(void)
{
    const size_t second = 2 * NEAR_PAGE;

    return all_are(area, page_bytes, 'a') &&
           all_are(area + page_bytes, (second - 1) * page_bytes, 0) &&
           all_are(area + second * page_bytes, page_bytes, 'b') &&
           all_are(area + (second + 1) * page_bytes, (LARGE_PAGES - second - 1) * page_bytes, 0);
}

static void a_large_area_comes_back(void **state)
{
    static const struct scene scene = { map_large_area, change_large_area, large_area_is_as_before,
                                        NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void bound_files_and_map(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
        _exit(21);
    limit.rlim_cur = page_bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
        _exit(22);
    map_large_area();
}

static void a_bound_on_files_is_none_on_copies(void **state)
{
    static const struct scene scene = { bound_files_and_map, change_large_area,
                                        large_area_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void discard_and_look(void)
{
    size_t bytes = (2 * NEAR_PAGE + 1) * page_bytes;

    memset(area, 'd', page_bytes);
    if (snapshot_discard(area, bytes) < 0 || !all_are(area, bytes, 0))
        _exit(17);
    memset(area, 'e', page_bytes);
}

static void what_is_discarded_is_empty_and_not_as_it_was(void **state)
{
    static const struct scene of_engine = { map_large_area, discard_and_look,
                                            large_area_is_as_before, NULL };
    static const struct scene copied = { map_area, discard_and_look, area_is_as_before, NULL };

    (void)state;
    ends_with(&of_engine, SPENT);
    ends_with(&copied, SPENT);
}

/* Over all that it has of the copies. */
static void scribble(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    unsigned long start, end;
    char line[512];
    int views = 0;

    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
        if (strstr(line, "memfd:snapshot") == NULL || sscanf(line, "%lx-%lx", &start, &end) != 2)
            continue;
        views++;
        if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) < 0)
            _exit(18);
        memset((void *)start, 's', end - start);
    }
    _exit(views < 2 ? 19 : 0);
}

static void scribble_in_another_process(void)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        scribble();
    if (waitpid(pid, &status, 0) != pid || status != 0)
        _exit(20);
}

static void a_process_that_writes_to_the_copies_writes_to_its_own(void **state)
{
    static const struct scene scene = { map_large_area, change_large_area, large_area_is_as_before,
                                        scribble_in_another_process };

    (void)state;
    ends_with(&scene, 0);
}

static int copies_fd;

/* In the place of libc's: the file of the copies stays open. */
int memfd_create(const char *name, unsigned flags)
{
    int fd = (int)syscall(SYS_memfd_create, name, flags);

    copies_fd = dup(fd);
    return fd;
}

static bool copies_are_sealed(void)
{
    return pwrite(copies_fd, "", 1, 0) < 0 && errno == EPERM && ftruncate(copies_fd, 0) < 0 &&
           mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, copies_fd, 0) == MAP_FAILED;
}

static void nobody_can_write_to_the_copies(void **state)
{
    static const struct scene scene = { map_large_area, change_large_area, copies_are_sealed,
                                        NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void move_the_break(void)
{
    sbrk(4 << 20);
}

static void a_break_that_moved_after_the_copy_cannot_be_watched(void **state)
{
    static const struct scene scene = { NULL, NULL, NULL, move_the_break };

    (void)state;
    ends_with(&scene, NO_WATCH);
}

static void fill(uint8_t with)
{
    number = with;
    memset(area, with, page_bytes);
    memset(area + NEAR_PAGE * page_bytes, with, page_bytes);
    memset(area + FAR_PAGE * page_bytes, with, page_bytes);
}

static bool is_filled(uint8_t with)
{
    const uint8_t *rest = area + (FAR_PAGE + 1) * page_bytes;

    return number == with && all_are(area, page_bytes, with) &&
           all_are(area + NEAR_PAGE * page_bytes, page_bytes, with) &&
           all_are(area + FAR_PAGE * page_bytes, page_bytes, with) &&
           all_are(rest, (AREA_PAGES - FAR_PAGE - 1) * page_bytes, 0);
}

static void extend_and_play(const struct scene *scene) __attribute__((noreturn));
static void extend_and_play(const struct scene *scene)
{
    begin(scene);
    if (setjmp(*snapshot_point()) == 0)
        snapshot_save();
    fill('e');
    if (snapshot_extend() < 0)
        _exit(6);
    if (setjmp(*snapshot_point()) == 0)
        snapshot_save();
    if (!is_filled('e'))
        _exit(1);
    if (kept->round++ == ROUNDS)
        _exit(0);
    fill((uint8_t)kept->round);
    memset(area + (FAR_PAGE + 1) * page_bytes, 'x', 40 * page_bytes);
    snapshot_return();
}

static void what_a_snapshot_was_extended_by_comes_back(void **state)
{
    static const struct scene scene = { .prepare = map_area };

    (void)state;
    ends_like(&scene, extend_and_play, 0);
}

/* More often than there are pages for copies, were each time others taken. */
static void extend_again_and_again(const struct scene *scene) __attribute__((noreturn));
static void extend_again_and_again(const struct scene *scene)
{
    begin(scene);
    do {
        if (setjmp(*snapshot_point()) == 0) {
            snapshot_save();
            fill(0xff);
            snapshot_return();
        }
        if (kept->round > 0 && !is_filled((uint8_t)kept->round))
            _exit(1);
        kept->round++;
        fill((uint8_t)kept->round);
        if (snapshot_extend() < 0)
            _exit(6);
    } while (kept->round < MANY_ROUNDS);
    _exit(0);
}

static void a_snapshot_may_be_extended_again_and_again(void **state)
{
    static const struct scene scene = { .prepare = map_area };

    (void)state;
    ends_like(&scene, extend_again_and_again, 0);
}

static void fill_many(void)
{
    map_pages(MANY_PAGES);
    memset(area, 'm', MANY_PAGES * page_bytes);
}

static bool many_are_as_before(void)
{
    return all_are(area, MANY_PAGES * page_bytes, 'm');
}

/* Half of what can be noted, four times, in places of their own. */
static void write_much_and_extend(const struct scene *scene) __attribute__((noreturn));
static void write_much_and_extend(const struct scene *scene)
{
    size_t bytes;

    begin(scene);
    bytes = MANY_PAGES / 4 * page_bytes;
    if (setjmp(*snapshot_point()) == 0)
        snapshot_save();
    if (!many_are_as_before())
        _exit(1);
    if (kept->round == 4)
        _exit(0);
    memset(area + (size_t)kept->round++ * bytes, 'm', bytes);
    if (snapshot_has_room(bytes))
        _exit(7);
    if (snapshot_extend() < 0 || !snapshot_has_room(bytes))
        _exit(8);
    snapshot_return();
}

static void an_extension_makes_room_for_notes(void **state)
{
    static const struct scene scene = { .prepare = fill_many };

    (void)state;
    ends_like(&scene, write_much_and_extend, 0);
}

/* In every other round nothing differs when the process goes back. */
static void change_and_undo(void)
{
    memset(area, 'x', page_bytes);
    memset(area + NEAR_PAGE * page_bytes, 'x', page_bytes);
    if (kept->round % 2 == 0)
        return;
    memset(area, 'a', page_bytes);
    memset(area + NEAR_PAGE * page_bytes, 0, page_bytes);
}

static void a_page_that_was_equal_once_is_noted_all_the_same(void **state)
{
    static const struct scene scene = { map_area, change_and_undo, area_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

/* Another page in each round: what is noted adds up, and pages of rounds before stay. */
static void change_another_page(void)
{
    area[(size_t)kept->round * page_bytes] = 'o';
}

static void a_page_that_only_one_round_writes_comes_back(void **state)
{
    static const struct scene scene = { map_area, change_another_page, area_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

/* ---- the system writes ---- */

static void open_pipe(void)
{
    fill_block();
    if (pipe(kept->pipe) < 0)
        _exit(9);
}

static void read_into_block(void)
{
    uint8_t *middle = block + BLOCK_BYTES / 2;

    if (write(kept->pipe[1], "12345678", 8) != 8)
        _exit(10);
    if (kept->round == 1 && (read(kept->pipe[0], middle, 8) != -1 || errno != EFAULT))
        _exit(11); /* else this test would prove nothing */
    snapshot_touch(middle, 8);
    if (read(kept->pipe[0], middle, 8) != 8)
        _exit(12);
}

static void the_system_writes_to_what_was_touched(void **state)
{
    static const struct scene scene = { open_pipe, read_into_block, block_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

static void touch_all(void)
{
    snapshot_touch(block, BLOCK_BYTES);
    snapshot_touch(block + BLOCK_BYTES, 0);
    snapshot_touch(NULL, 1);
    snapshot_touch(kept, sizeof(*kept));
    memset(block, 't', BLOCK_BYTES);
}

static void to_touch_what_is_not_watched_does_nothing(void **state)
{
    static const struct scene scene = { fill_block, touch_all, block_is_as_before, NULL };

    (void)state;
    ends_with(&scene, 0);
}

/* ---- no way back ---- */

static void spend(void)
{
    memset(block, 's', page_bytes);
    snapshot_spend();
    memset(block, 's', BLOCK_BYTES);
    memset(zeros, 1, sizeof(zeros));
    if (snapshot_note(block))
        _exit(13);
    if (write(kept->pipe[1], "12345678", 8) != 8 || read(kept->pipe[0], block, 8) != 8)
        _exit(14); /* all can be written, by the system too */
}

static void a_process_that_is_spent_writes_where_it_likes(void **state)
{
    static const struct scene scene = { open_pipe, spend, block_is_as_before, NULL };

    (void)state;
    ends_with(&scene, SPENT);
}

static void change_many(void)
{
    memset(area, 'M', MANY_PAGES * page_bytes);
}

static void a_process_that_writes_too_many_pages_is_spent(void **state)
{
    static const struct scene scene = { fill_many, change_many, many_are_as_before, NULL };

    (void)state;
    ends_with(&scene, SPENT);
}

/* ---- faults of its own ---- */

static void ends_by_fault(void (*prepare)(void), void (*change)(void))
{
    struct scene scene = { prepare, change, statics_are_as_before, NULL };
    int status = status_of(&scene, play);

    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
}

static void write_nowhere(void)
{
    static volatile int *volatile nowhere;

    *nowhere = 1;
}

static void map_read_only(void)
{
    map_area();
    if (mprotect(area, page_bytes, PROT_READ) < 0)
        _exit(15);
}

static void write_area(void)
{
    *(volatile uint8_t *)area = 1;
}

static void run_block(void)
{
    void (*function)(void);

    memcpy(&function, &block, sizeof(function));
    function();
}

static void a_fault_that_is_none_of_ours_ends_the_process(void **state)
{
    (void)state;
    ends_by_fault(NULL, write_nowhere);
    ends_by_fault(map_read_only, write_area);
    ends_by_fault(fill_block, run_block);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_come_back),
        cmocka_unit_test(a_block_comes_back_with_what_malloc_knows_of_it),
        cmocka_unit_test(the_break_goes_back_and_grows_with_zeros),
        cmocka_unit_test(a_page_that_was_empty_is_again_near_and_far_from_full_ones),
        cmocka_unit_test(a_page_that_was_populated_is_empty_again),
        cmocka_unit_test(a_page_that_was_filled_after_the_copy_comes_back),
        cmocka_unit_test(a_large_area_comes_back),
        cmocka_unit_test(a_bound_on_files_is_none_on_copies),
        cmocka_unit_test(what_is_discarded_is_empty_and_not_as_it_was),
        cmocka_unit_test(a_process_that_writes_to_the_copies_writes_to_its_own),
        cmocka_unit_test(nobody_can_write_to_the_copies),
        cmocka_unit_test(a_break_that_moved_after_the_copy_cannot_be_watched),
        cmocka_unit_test(what_a_snapshot_was_extended_by_comes_back),
        cmocka_unit_test(a_snapshot_may_be_extended_again_and_again),
        cmocka_unit_test(an_extension_makes_room_for_notes),
        cmocka_unit_test(a_page_that_was_equal_once_is_noted_all_the_same),
        cmocka_unit_test(a_page_that_only_one_round_writes_comes_back),
        cmocka_unit_test(the_system_writes_to_what_was_touched),
        cmocka_unit_test(to_touch_what_is_not_watched_does_nothing),
        cmocka_unit_test(a_process_that_is_spent_writes_where_it_likes),
        cmocka_unit_test(a_process_that_writes_too_many_pages_is_spent),
        cmocka_unit_test(a_fault_that_is_none_of_ours_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
