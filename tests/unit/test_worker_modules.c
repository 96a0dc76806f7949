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
static struct kept_modules kept;

static int start(void **state)
{
    (void)state;
    kept.count = 0;
    kept.text_bytes = 0;
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

static void add_any(enum ipc_kind kind, uint16_t number, const char *name, const void *body,
                    size_t bytes)
{
    const struct ipc_module head = { (uint16_t)kind, number, (uint32_t)strlen(name), bytes };

    assert_int_equal(cm_buf_append(&frame, &head, sizeof(head)), 0);
    assert_int_equal(cm_buf_append(&frame, name, strlen(name) + 1), 0);
    assert_int_equal(cm_buf_append(&frame, body, bytes), 0);
}

static void add_entry(enum ipc_kind kind, const char *name, const void *body, size_t bytes)
{
    add_any(kind, 0, name, body, bytes);
}

/* One whose second line is shifted by 4 from column 5 on, and by 1 from 20. */
static void add_compiled(enum ipc_kind kind, const char *name)
{
    static const uint32_t map[] = { 2, 5, 4, 2, 20, 1 };
    const struct ipc_compiled head = { .meta_bytes = 2, .code_bytes = 4, .map_count = 6 };
    uint8_t body[sizeof(head) + 3 + 5 + sizeof(map)];

    memcpy(body, &head, sizeof(head));
    memcpy(body + sizeof(head), "{}\0code", 8);
    memcpy(body + sizeof(head) + 8, map, sizeof(map));
    add_entry(kind, name, body, sizeof(body));
}

static void add_program(void)
{
    add_compiled(IPC_KIND_PROGRAM, "program.js");
}

static int keep(size_t bytes, size_t count)
{
    int r = modules_keep(&kept, cm_buf_bytes(&frame), bytes, count);

    cm_buf_consume(&frame, frame.len);
    return r;
}

static int take(size_t bytes, size_t count)
{
    return modules_take(&modules, &kept, &frame, cm_buf_bytes(&frame), bytes, count);
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

static void a_kept_module_is_found_by_its_number_and_equal_by_its_name(void **state)
{
    (void)state;
    add_compiled(IPC_KIND_ESM, "a.js");
    add_compiled(IPC_KIND_CJS, "b.cjs");
    assert_int_equal(keep(frame.len, 2), 0);
    add_compiled(IPC_KIND_ESM, "c.js");
    assert_int_equal(keep(frame.len, 1), 0);
    add_any(IPC_KIND_ESM, 3, "c.js", "", 0);
    add_any(IPC_KIND_CJS, 2, "other.cjs", "", 0);
    add_program();
    assert_int_equal(take(frame.len, 3), 0);
    assert_string_equal(modules.rows[0].compiled.code, "code");
    assert_int_equal(modules.rows[0].kept, 3);
    assert_string_equal(modules.rows[1].compiled.code, "code");
    assert_string_equal(modules.rows[1].name, "other.cjs");
    assert_int_equal(modules.rows[1].kept, 0);
    assert_int_equal(modules.rows[2].kept, 0);
}

static void a_number_that_no_kept_module_of_the_kind_has_is_refused(void **state)
{
    static const struct {
        enum ipc_kind kind;
        uint16_t number;
    } rows[] = { { IPC_KIND_ESM, 2 }, { IPC_KIND_ESM, UINT16_MAX }, { IPC_KIND_CJS, 1 } };

    (void)state;
    add_compiled(IPC_KIND_ESM, "a.js");
    assert_int_equal(keep(frame.len, 1), 0);
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        add_any(rows[i].kind, rows[i].number, "a.js", "", 0);
        assert_int_equal(take(frame.len, 1), CM_E_PEER);
        cm_buf_consume(&frame, frame.len);
    }
}

static void more_modules_than_have_room_are_not_kept(void **state)
{
    (void)state;
    add_compiled(IPC_KIND_ESM, "a.js");
    kept.count = IPC_KEEP_MAX;
    assert_int_equal(keep(frame.len, 1), CM_E_LIMIT);
    kept.count = 0;
    add_compiled(IPC_KIND_ESM, "a.js");
    kept.text_bytes = IPC_KEEP_BYTES - frame.len + 1;
    assert_int_equal(keep(frame.len, 1), CM_E_LIMIT);
    assert_int_equal(kept.count, 0);
}

static void modules_to_keep_that_are_cut_off_are_refused(void **state)
{
    size_t bytes;

    (void)state;
    add_compiled(IPC_KIND_ESM, "a.js");
    bytes = frame.len;
    for (size_t n = 0; n < bytes; n++)
        assert_int_equal(modules_keep(&kept, cm_buf_bytes(&frame), n, 1), CM_E_PEER);
    assert_int_equal(kept.count, 0);
    assert_int_equal(kept.text_bytes, 0);
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
        cmocka_unit_test_setup_teardown(a_kept_module_is_found_by_its_number_and_equal_by_its_name,
                                        start, stop),
        cmocka_unit_test_setup_teardown(a_number_that_no_kept_module_of_the_kind_has_is_refused,
                                        start, stop),
        cmocka_unit_test_setup_teardown(more_modules_than_have_room_are_not_kept, start, stop),
        cmocka_unit_test_setup_teardown(modules_to_keep_that_are_cut_off_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(columns_lead_back_to_the_text, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
