/* The modules of a run as a worker takes them apart. */
#include "base/cleanup.h"
#include "worker/modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct cm_buf frame;
static struct modules modules;

static int start(void **state)
{
    (void)state;
    cm_buf_init(&frame, 4096);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    modules_done(&modules);
    cm_buf_done(&frame);
    return 0;
}

static void add_entry(enum ipc_kind kind, const char *name, const void *body, size_t bytes)
{
    const struct ipc_module head = { kind, (uint32_t)strlen(name), bytes };

    assert_int_equal(cm_buf_append(&frame, &head, sizeof(head)), 0);
    assert_int_equal(cm_buf_append(&frame, name, strlen(name) + 1), 0);
    assert_int_equal(cm_buf_append(&frame, body, bytes), 0);
}

/* A program whose second line is shifted by 4 from column 5 on, and by 1 from 20. */
static void add_program(void)
{
    static const uint32_t map[] = { 2, 5, 4, 2, 20, 1 };
    const struct ipc_compiled head = { .meta_bytes = 2, .code_bytes = 4, .map_count = 6 };
    uint8_t body[sizeof(head) + 3 + 5 + sizeof(map)];

    memcpy(body, &head, sizeof(head));
    memcpy(body + sizeof(head), "{}\0code", 8);
    memcpy(body + sizeof(head) + 8, map, sizeof(map));
    add_entry(IPC_KIND_PROGRAM, "program.js", body, sizeof(body));
}

static int take(size_t bytes, size_t count)
{
    return modules_take(&modules, &frame, cm_buf_bytes(&frame), bytes, count);
}

static void entries_are_taken_with_the_buffer_that_holds_them(void **state)
{
    (void)state;
    add_entry(IPC_KIND_TEXT, "a.txt", "text", 5);
    add_program();
    assert_int_equal(take(frame.len, 2), 0);
    assert_int_equal(frame.len, 0);
    assert_int_equal(modules.count, 2);
    assert_string_equal(modules.rows[0].name, "a.txt");
    assert_string_equal(modules.rows[0].source, "text");
    assert_int_equal(modules.rows[0].source_bytes, 4);
    assert_string_equal(modules.rows[1].compiled.code, "code");
}

static void entries_that_are_cut_off_anywhere_are_refused(void **state)
{
    size_t bytes;

    (void)state;
    add_entry(IPC_KIND_TEXT, "a.txt", "text", 5);
    add_program();
    bytes = frame.len;
    for (size_t n = 0; n < bytes; n++)
        assert_int_equal(take(n, 2), CM_E_PEER);
    assert_int_equal(frame.len, bytes);
}

static void an_entry_without_its_final_nul_is_refused(void **state)
{
    (void)state;
    add_entry(IPC_KIND_DATA, "d", "", 0);
    assert_int_equal(take(frame.len, 1), CM_E_PEER);
}

static void columns_lead_back_to_the_text(void **state)
{
    static const struct {
        unsigned line;
        unsigned column;
        unsigned own;
    } places[] = { { 1, 9, 9 },   { 2, 4, 4 },   { 2, 5, 1 },
                   { 2, 19, 15 }, { 2, 20, 19 }, { 3, 30, 30 } };

    (void)state;
    add_program();
    assert_int_equal(take(frame.len, 1), 0);
    for (size_t i = 0; i < CM_ARRAY_LEN(places); i++)
        assert_int_equal(modules_column(&modules.rows[0], places[i].line, places[i].column),
                         places[i].own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(entries_are_taken_with_the_buffer_that_holds_them, start,
                                        stop),
        cmocka_unit_test_setup_teardown(entries_that_are_cut_off_anywhere_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(an_entry_without_its_final_nul_is_refused, start, stop),
        cmocka_unit_test_setup_teardown(columns_lead_back_to_the_text, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
