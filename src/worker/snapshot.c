/* Runs in the zygote, then in a worker beside a program; /proc/self/maps is the
 * system's. What a program can make of it is that its own process goes wrong: each
 * worker has its own notes, and serves one isolation key. */
#include "worker/snapshot.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    KEEPS_MAX = 4,
    REGIONS_MAX = 256,
    WINDOWS_MAX = 2048,
    NOTES_MAX = 2048,       /* more are not worth putting back */
    OWN_MAX = 2048,         /* pages that differ from the zygote's copy before a program */
    STACK_MAX = 128 << 10,  /* of the functions around snapshot_save() */
    ENGINE_BYTES = 8 << 20, /* larger regions are the engine's, which rests in the zygote */
    GAP_PAGES = 32          /* empty pages behind full ones that are likely to be used next */
};

/* In an entry of region.copies. */
#define NOTED UINT32_C(0x80000000)

/* What was mapped for writing, in one piece. */
struct region {
    uintptr_t start;
    uintptr_t end;
    int protection;
    bool of_file;      /* a page that was never touched has content */
    bool of_malloc;    /* the break, which the zygote goes on to use */
    uint32_t *copies;  /* of each page: 0: it was empty; else the number of its copy, from 1 */
    size_t first_page; /* with a copy */
    size_t end_page;   /* behind the last one; 0: there is none */
};

/* Pages next to each other: those with a copy and the empty ones among and behind
 * them, which are watched; or those between, which are given back whole. */
struct window {
    uintptr_t start;
    uintptr_t end;
    int protection;
    bool watched;
    size_t copied; /* pages up to the last one with a copy */
};

struct note {
    uintptr_t page;
    const uint8_t *copy; /* NULL: it was empty */
};

static struct state {
    bool watching; /* else it has not begun, or the process is spent */
    size_t page_bytes;
    struct region regions[REGIONS_MAX];
    size_t region_count;
    struct window windows[WINDOWS_MAX];
    size_t window_count;
    const uint8_t *copies; /* of the zygote's pages */
    size_t copy_count;
    uint8_t *own; /* copies of the pages that this process has changed since */
    size_t own_count;
    struct note notes[NOTES_MAX];
    size_t note_count;
    long faults; /* when the last program ended */
    void *brk;
    uintptr_t stack_start;
    uintptr_t stack_end;
    uint8_t stack[STACK_MAX];
    jmp_buf point;
} * state;

static void *keeps[KEEPS_MAX];
static size_t keep_count;

static size_t round_up(size_t bytes)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

static void *map_zeroed(size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return start == MAP_FAILED ? NULL : start;
}

/* With a gap around it, so that it is a line of its own in /proc/self/maps. */
void *snapshot_keep(size_t bytes)
{
    size_t gap = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *start;

    if (keep_count == KEEPS_MAX)
        return NULL;
    start = map_zeroed(round_up(bytes) + 2 * gap);
    if (start == NULL)
        return NULL;
    mprotect(start, gap, PROT_NONE);
    mprotect(start + gap + round_up(bytes), gap, PROT_NONE);
    keeps[keep_count++] = start + gap;
    return start + gap;
}

/* ---- taking it, in the zygote ---- */

static bool is_kept(uintptr_t start)
{
    for (size_t i = 0; i < keep_count; i++)
        if ((uintptr_t)keeps[i] == start)
            return true;
    return false;
}

/* A line of /proc/self/maps. CM_E_LIMIT. */
static int add_region(const char *line)
{
    unsigned long start, end, inode;
    char may[5];
    int path_at = 0;

    if (sscanf(line, "%lx-%lx %4s %*s %*s %lu %n", &start, &end, may, &inode, &path_at) < 4 ||
        may[1] != 'w' || may[3] != 'p' || is_kept(start))
        return 0;
    if (strncmp(line + path_at, "[stack]", strlen("[stack]")) == 0) {
        state->stack_end = end;
        return 0;
    }
    if (state->region_count == REGIONS_MAX)
        return CM_E_LIMIT;
    state->regions[state->region_count++] = (struct region){
        .start = start,
        .end = end,
        .protection = PROT_READ | PROT_WRITE | (may[2] == 'x' ? PROT_EXEC : 0),
        .of_file = inode != 0,
        .of_malloc = strncmp(line + path_at, "[heap]", strlen("[heap]")) == 0,
    };
    return 0;
}

static int list_regions(struct cm_error *err)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    int r = 0;

    if (maps == NULL)
        return cm_fail(err, CM_E_SYSTEM, errno, "/proc/self/maps cannot be read");
    while (r == 0 && fgets(line, sizeof(line), maps) != NULL)
        r = add_region(line);
    fclose(maps);
    if (r == 0 && state->stack_end == 0)
        r = CM_E_SYSTEM;
    return r < 0 ? cm_fail(err, (enum cm_err)r, 0, "/proc/self/maps is not as expected") : 0;
}

static struct region *region_of(uintptr_t address)
{
    size_t low = 0;
    size_t high = state->region_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (address >= state->regions[middle].end)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == state->region_count || address < state->regions[low].start)
        return NULL;
    return &state->regions[low];
}

/* The engine's own, the most by far. */
static bool is_large(const struct region *region)
{
    return !region->of_file && !region->of_malloc && region->end - region->start > ENGINE_BYTES;
}

/* Code stays where it is: a system may refuse to run what lies in a file of memory. */
static bool is_shared(const struct region *region)
{
    return is_large(region) && (region->protection & PROT_EXEC) == 0;
}

static size_t pages_of(const struct region *region)
{
    return (region->end - region->start) / state->page_bytes;
}

static void set_copy(struct region *region, size_t page, uint32_t number)
{
    region->copies[page] = number;
    if (region->end_page == 0 || page < region->first_page)
        region->first_page = page;
    if (page >= region->end_page)
        region->end_page = page + 1;
}

enum { STEP = 8 };

/* So many pages of a large region: most of one was never touched. */
static bool is_untouched(const struct region *region, const unsigned char *present)
{
    static const unsigned char none[STEP];

    return is_large(region) && memcmp(present, none, STEP) == 0;
}

/* What is missing of a large region is not asked for: that it was there is on the list,
 * and to look would touch all of a table as large as what it speaks of. */
static bool is_there(const struct region *region, size_t page, bool present)
{
    return present || region->of_file || (!is_large(region) && region->copies[page] != 0);
}

/* Calls what(region, number of the page) for each page that is there, or was. */
static int each_present(struct region *region, int (*what)(struct region *, size_t))
{
    unsigned char present[4096];
    int r = 0;

    for (size_t first = 0; r == 0 && first < pages_of(region); first += sizeof(present)) {
        size_t count = pages_of(region) - first;

        if (count > sizeof(present))
            count = sizeof(present);
        if (mincore((void *)(region->start + first * state->page_bytes), count * state->page_bytes,
                    present) < 0)
            return CM_E_SYSTEM;
        for (size_t i = 0; r == 0 && i < count; i++)
            if (i % STEP == 0 && is_untouched(region, present + i))
                i += STEP - 1;
            else if (is_there(region, first + i, (present[i] & 1) != 0))
                r = what(region, first + i);
    }
    return r;
}

static int each_present_page(bool of_large_too, int (*what)(struct region *, size_t))
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < state->region_count; i++)
        if (of_large_too || !is_large(&state->regions[i]))
            r = each_present(&state->regions[i], what);
    return r;
}

static int mark_page(struct region *region, size_t page)
{
    set_copy(region, page, 1);
    return 0;
}

static int add_window(const struct region *region, size_t first, size_t end, bool watched)
{
    if (first == end)
        return 0;
    if (state->window_count == WINDOWS_MAX)
        return CM_E_LIMIT;
    state->windows[state->window_count++] = (struct window){
        .start = region->start + first * state->page_bytes,
        .end = region->start + end * state->page_bytes,
        .protection = region->protection,
        .watched = watched,
    };
    return 0;
}

/* Where the window that begins at `page` ends. Malloc's goes to the end of the break. */
static size_t window_end(const struct region *region, size_t page)
{
    size_t pages = pages_of(region);
    size_t empty = 0;

    while (page < pages && (empty < GAP_PAGES || region->of_malloc))
        empty = region->copies[page++] == 0 ? empty + 1 : 0;
    return page;
}

static int divide(const struct region *region)
{
    size_t page = region->first_page;
    size_t done = 0;
    int r = 0;

    while (r == 0 && page < region->end_page) {
        if (region->copies[page] == 0) {
            page++;
            continue;
        }
        r = add_window(region, done, page, false);
        done = window_end(region, page);
        if (r == 0)
            r = add_window(region, page, done, true);
        page = done;
    }
    return r == 0 ? add_window(region, done, pages_of(region), false) : r;
}

static int divide_all(void)
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < state->region_count; i++)
        r = divide(&state->regions[i]);
    return r;
}

/* Of its first page and those that follow. */
static uint32_t *copies_of(const struct window *window)
{
    struct region *region = region_of(window->start);

    return region->copies + (window->start - region->start) / state->page_bytes;
}

/* The tables are mapped after the list was read, and so are not on it. */
static int make_tables(void)
{
    size_t pages = 0;
    uint32_t *table;

    for (size_t i = 0; i < state->region_count; i++)
        pages += pages_of(&state->regions[i]);
    table = map_zeroed(pages * sizeof(*table));
    state->own = map_zeroed(OWN_MAX * state->page_bytes);
    if (table == NULL || state->own == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < state->region_count; i++) {
        state->regions[i].copies = table;
        table += pages_of(&state->regions[i]);
    }
    return 0;
}

/* The copies of a window stand as its pages do, with room for the empty ones among them. */
static void number_copies(struct window *window)
{
    uint32_t *copies = copies_of(window);
    size_t pages = window->watched ? (window->end - window->start) / state->page_bytes : 0;

    for (size_t i = 0; i < pages; i++) {
        if (copies[i] == 0)
            continue;
        copies[i] = (uint32_t)(state->copy_count + i + 1);
        window->copied = i + 1;
    }
    state->copy_count += window->copied;
}

static int write_copies(int fd, const struct window *window)
{
    const uint32_t *copies = copies_of(window);
    size_t first = 0;

    for (size_t i = 0; i <= window->copied; i++) {
        size_t bytes = (i - first) * state->page_bytes;

        if (i < window->copied && copies[i] != 0)
            continue;
        if (bytes > 0 && pwrite(fd, (void *)(window->start + first * state->page_bytes), bytes,
                                (off_t)((copies[first] - 1) * state->page_bytes)) != (ssize_t)bytes)
            return CM_E_SYSTEM;
        first = i + 1;
    }
    return 0;
}

/* The window itself becomes a private view of its copies: one memory for both. */
static int share_copies(int fd, const struct window *window)
{
    off_t at = (off_t)((copies_of(window)[0] - 1) * state->page_bytes);

    if (!is_shared(region_of(window->start)))
        return 0;
    return mmap((void *)window->start, window->copied * state->page_bytes, window->protection,
                MAP_PRIVATE | MAP_FIXED, fd, at) == MAP_FAILED
               ? CM_E_SYSTEM
               : 0;
}

static int each_window_copied(int fd, int (*what)(int fd, const struct window *))
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < state->window_count; i++)
        if (state->windows[i].copied > 0)
            r = what(fd, &state->windows[i]);
    return r;
}

/* Nobody can write to the file any more, and every view of it is private: a worker that
 * is not what it was cannot reach another by it. There is no view that could be written
 * to, so the seal against new ones is as good as the one against all, which the system
 * refuses now and then: when it has hold of a page of the file itself. */
static int seal_copies(int fd)
{
    const int seals = F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    void *copies;

    if (fcntl(fd, F_ADD_SEALS, seals) < 0)
        return CM_E_SYSTEM;
    copies = mmap(NULL, state->copy_count * state->page_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (copies == MAP_FAILED)
        return CM_E_SYSTEM;
    state->copies = copies;
    return each_window_copied(fd, share_copies);
}

/* A host that bounds the files of its processes does not mean this one. */
static void lift_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* The empty pages among them are there from the beginning, or whether somebody has
 * looked at one could be seen by all. */
static int make_copies(void)
{
    CM_AUTO_FD int fd = memfd_create("snapshot", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int r = fd < 0 ? CM_E_SYSTEM : make_tables();

    if (r == 0)
        r = each_present_page(true, mark_page);
    if (r == 0)
        r = divide_all();
    if (r < 0)
        return r;
    for (size_t i = 0; i < state->window_count; i++)
        number_copies(&state->windows[i]);
    lift_file_limit();
    errno = posix_fallocate(fd, 0, (off_t)(state->copy_count * state->page_bytes));
    if (errno != 0)
        return CM_E_SYSTEM;
    r = each_window_copied(fd, write_copies);
    return r == 0 ? seal_copies(fd) : r;
}

int snapshot_take(struct cm_error *err)
{
    int r;

    state = snapshot_keep(sizeof(*state));
    if (state == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for what is kept of it");
    state->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    r = list_regions(err);
    if (r == 0)
        r = make_copies();
    return r < 0 ? cm_fail(err, (enum cm_err)r, r == CM_E_SYSTEM ? errno : 0,
                           "the memory cannot be copied")
                 : 0;
}

/* ---- noting what is written, in a worker ---- */

static const uint8_t *copy_of(const struct region *region, size_t page)
{
    uint32_t number = region->copies[page] & ~NOTED;

    if (number == 0)
        return NULL;
    if (number <= state->copy_count)
        return state->copies + (number - 1) * state->page_bytes;
    return state->own + (number - 1 - state->copy_count) * state->page_bytes;
}

static uintptr_t page_start(const void *address)
{
    return (uintptr_t)address & ~(state->page_bytes - 1);
}

/* Not the function of that name, which makes the process spent. */
static int protect(uintptr_t start, uintptr_t end, int protection)
{
    return (int)syscall(SYS_mprotect, start, end - start, protection);
}

/* The pages where the system keeps what it knows of the thread, to which it writes
 * whenever it likes: a processor's number, for one. They stay writable. */
static uintptr_t thread_start(void)
{
    return page_start(__builtin_thread_pointer());
}

static uintptr_t thread_end(void)
{
    return page_start((uint8_t *)__builtin_thread_pointer() + state->page_bytes) +
           state->page_bytes;
}

static int protect_window(const struct window *window, int protection)
{
    uintptr_t hole_start = thread_start();
    uintptr_t hole_end = thread_end();
    int r;

    if (hole_end <= window->start || hole_start >= window->end)
        return protect(window->start, window->end, protection);
    r = hole_start > window->start ? protect(window->start, hole_start, protection) : 0;
    return r == 0 && hole_end < window->end ? protect(hole_end, window->end, protection) : r;
}

static int protect_windows(bool writable)
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < state->window_count; i++) {
        const struct window *window = &state->windows[i];
        int protection = writable ? window->protection : window->protection & ~PROT_WRITE;

        if (window->watched)
            r = protect_window(window, protection);
    }
    return r;
}

void snapshot_spend(void)
{
    if (state == NULL || !state->watching)
        return;
    state->watching = false;
    if (protect_windows(true) < 0)
        abort(); /* no memory: what cannot be written would be hit next */
}

static bool note_page(struct region *region, uintptr_t start)
{
    size_t page = (start - region->start) / state->page_bytes;

    if ((region->copies[page] & NOTED) != 0)
        return false;
    if (state->note_count == NOTES_MAX) {
        snapshot_spend();
        return true;
    }
    if (protect(start, start + state->page_bytes, region->protection) < 0)
        return false;
    state->notes[state->note_count++] = (struct note){ start, copy_of(region, page) };
    region->copies[page] |= NOTED;
    return true;
}

bool snapshot_note(const void *address)
{
    struct region *region;

    if (state == NULL || !state->watching)
        return false;
    region = region_of((uintptr_t)address);
    return region != NULL && note_page(region, page_start(address));
}

int snapshot_discard(void *start, size_t bytes)
{
    struct region *region = state == NULL ? NULL : region_of((uintptr_t)start);

    snapshot_spend();
    if (region == NULL || !is_shared(region))
        return (int)syscall(SYS_madvise, start, bytes, MADV_DONTNEED);
    return (void *)syscall(SYS_mmap, start, bytes, region->protection,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED
               ? -1
               : 0;
}

void snapshot_touch(void *start, size_t bytes)
{
    if (state == NULL)
        return;
    for (uintptr_t page = page_start(start); page < (uintptr_t)start + bytes;
         page += state->page_bytes)
        snapshot_note((void *)page);
}

static bool is_watched(uintptr_t page)
{
    for (size_t i = 0; i < state->window_count; i++)
        if (page >= state->windows[i].start && page < state->windows[i].end)
            return state->windows[i].watched;
    return false;
}

/* A copy of the page as it is, in this process alone; NULL: there is no room. */
static const uint8_t *copy_own(const uint8_t *page)
{
    uint8_t *copy;

    if (state->own == NULL || state->own_count == OWN_MAX)
        return NULL;
    copy = state->own + state->own_count++ * state->page_bytes;
    return memcpy(copy, page, state->page_bytes);
}

/* A page that the zygote or this worker has written after it was copied. */
static int copy_changed(struct region *region, size_t page)
{
    const uint8_t *now = (const uint8_t *)(region->start + page * state->page_bytes);
    const uint8_t *copy = copy_of(region, page);

    if (copy != NULL && memcmp(copy, now, state->page_bytes) == 0)
        return 0;
    if (copy_own(now) == NULL)
        return CM_E_LIMIT;
    set_copy(region, page, (uint32_t)(state->copy_count + state->own_count));
    if (!is_watched((uintptr_t)now))
        note_page(region, (uintptr_t)now); /* else it would be given up */
    return 0;
}

/* The zygote has had more of malloc than it had left itself room for. */
static bool break_has_moved(void)
{
    const struct region *region = region_of((uintptr_t)syscall(SYS_brk, 0) - 1);

    return region == NULL || !region->of_malloc;
}

static int watch(void)
{
    state->watching = true;
    snapshot_touch((void *)thread_start(), thread_end() - thread_start());
    return protect_windows(false);
}

int snapshot_watch(void)
{
    int r = break_has_moved() ? CM_E_LIMIT : each_present_page(false, copy_changed);

    return watch() == 0 && r == 0 ? 0 : CM_E_SYSTEM;
}

/* ---- more of it, in the worker ---- */

/* It was written where nothing is watched. */
static int note_present(struct region *region, size_t page)
{
    if (region->copies[page] != 0)
        return 0;
    return note_page(region, region->start + page * state->page_bytes) && state->watching
               ? 0
               : CM_E_LIMIT;
}

static bool is_changed(const struct note *note)
{
    const uint8_t *now = (const uint8_t *)note->page;

    if (note->copy != NULL)
        return memcmp(now, note->copy, state->page_bytes) != 0;
    return now[0] != 0 || memcmp(now, now + 1, state->page_bytes - 1) != 0; /* not all 0 */
}

static bool is_own(const uint8_t *copy)
{
    return copy >= state->own && copy < state->own + OWN_MAX * state->page_bytes;
}

/* The page is what comes back from now on. */
static void take_note(const struct note *note)
{
    struct region *region = region_of(note->page);
    size_t page = (note->page - region->start) / state->page_bytes;
    const uint8_t *now = (const uint8_t *)note->page;

    region->copies[page] &= ~NOTED;
    if (!is_changed(note))
        return;
    if (is_own(note->copy)) {
        memcpy(state->own + (note->copy - state->own), now, state->page_bytes);
        return;
    }
    copy_own(now);
    set_copy(region, page, (uint32_t)(state->copy_count + state->own_count));
}

static int take_notes(void)
{
    size_t more = 0;

    for (size_t i = 0; i < state->note_count; i++)
        more += is_changed(&state->notes[i]) && !is_own(state->notes[i].copy);
    if (more > OWN_MAX - state->own_count)
        return CM_E_LIMIT;
    for (size_t i = 0; i < state->note_count; i++)
        take_note(&state->notes[i]);
    state->note_count = 0;
    return 0;
}

/* More is not empty now, and all that was noted is watched again. */
static int watch_anew(void)
{
    int r;

    state->window_count = 0;
    r = divide_all();
    return r == 0 ? watch() : r;
}

int snapshot_extend(void)
{
    int r;

    if (!state->watching)
        return CM_E_STATE;
    r = (void *)syscall(SYS_brk, 0) == state->brk ? 0 : CM_E_LIMIT;
    if (r == 0)
        r = each_present_page(true, note_present);
    if (r == 0)
        r = take_notes();
    if (r == 0 && watch_anew() < 0)
        abort(); /* no memory: what cannot be written would be hit next */
    return r;
}

bool snapshot_has_room(size_t bytes)
{
    size_t pages = bytes / state->page_bytes + 1;

    return pages <= NOTES_MAX - state->note_count && pages <= OWN_MAX - state->own_count;
}

bool snapshot_spent(void)
{
    return !state->watching;
}

/* ---- the way back ---- */

jmp_buf *snapshot_point(void)
{
    return &state->point;
}

__attribute__((noinline)) void snapshot_save(void)
{
    state->brk = (void *)syscall(SYS_brk, 0);
    state->stack_start = (uintptr_t)__builtin_dwarf_cfa();
    if (state->stack_end - state->stack_start > STACK_MAX)
        abort(); /* our bug: a function with large variables */
    memcpy(state->stack, (void *)state->stack_start, state->stack_end - state->stack_start);
}

/* Pages that are noted come back; of the others only those between the windows can
 * have been written. They are given up where a page was touched for the first time. */
static void give_up_rest(void)
{
    struct rusage usage;
    long faults;

    getrusage(RUSAGE_SELF, &usage);
    faults = usage.ru_minflt + usage.ru_majflt;
    for (size_t i = 0; i < state->window_count && faults != state->faults; i++) {
        const struct window *window = &state->windows[i];

        if (!window->watched)
            syscall(SYS_madvise, window->start, window->end - window->start, MADV_DONTNEED);
    }
    state->faults = faults;
}

static void put_back(void)
{
    for (size_t i = 0; i < state->note_count; i++) {
        const struct note *note = &state->notes[i];

        if (note->copy != NULL)
            memcpy((void *)note->page, note->copy, state->page_bytes);
        else
            memset((void *)note->page, 0, state->page_bytes);
    }
}

/* The thread's own record of where it runs is the system's, and stays. */
__attribute__((noinline)) void snapshot_return(void)
{
    uint8_t *rseq = (uint8_t *)__builtin_thread_pointer() + __rseq_offset;
    uint8_t current[64];
    size_t bytes = __rseq_size < sizeof(current) ? __rseq_size : sizeof(current);

    give_up_rest();
    syscall(SYS_brk, state->brk);
    memcpy(current, rseq, bytes);
    put_back();
    memcpy(rseq, current, bytes);
    memcpy((void *)state->stack_start, state->stack, state->stack_end - state->stack_start);
    longjmp(state->point, 1);
}
