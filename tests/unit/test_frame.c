/* Which frames of a worker are taken: each row of tables/frames.def in each
 * state, at its limit and past it, and in pieces. */
#include "ipc/frame.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define UNKNOWN  "a frame of unknown type"
#define STATE    "a frame that its state does not permit"
#define TOO_LONG "a frame above its length"

static const struct ipc_limits limits = { 3000, 500 };

static const struct row {
    const char *name;
    uint16_t type;
    unsigned states;
    uint32_t max; /* under `limits` */
} rows[] = {
#define IPC_FRAME(name, number, states, fixed, messages, consoles, why) \
    { #name, number, states, (fixed) + (messages)*3000 + (consoles)*500 },
#include "tables/frames.def"
#undef IPC_FRAME
};

static const enum ipc_state states[] = { IPC_S_STARTING, IPC_S_READY,     IPC_S_RUNNING,
                                         IPC_S_RETAINED, IPC_S_COMPILING, IPC_S_ENDING };

static struct cm_buf in;

static int make(void **state)
{
    (void)state;
    cm_buf_init(&in, ipc_frame_max(&limits));
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    cm_buf_done(&in);
    return 0;
}

/* A head and `there` of the bytes that it announces, alone in the buffer. */
static void receive(struct ipc_head head, size_t there)
{
    cm_buf_consume(&in, in.len);
    assert_int_equal(cm_buf_append(&in, &head, sizeof(head)), 0);
    assert_int_equal(cm_buf_reserve(&in, there), 0);
    memset(cm_buf_tail(&in), 0xA5, there);
    in.len += there;
}

/* What is received is refused for this reason, and nothing else is told. */
static void assert_refused(enum ipc_state state, const char *reason)
{
    struct ipc_frame frame = { 4711, NULL, 4711 };
    const char *rule = NULL;

    assert_int_equal(ipc_frame_peek(&in, state, &limits, &frame, &rule), CM_E_PEER);
    assert_string_equal(rule, reason);
    assert_int_equal(frame.type, 4711);
    assert_int_equal(frame.bytes, 4711);
}

static void assert_waits(enum ipc_state state)
{
    struct ipc_frame frame = { 4711, NULL, 4711 };
    const char *rule = "kept";

    assert_int_equal(ipc_frame_peek(&in, state, &limits, &frame, &rule), 0);
    assert_string_equal(rule, "kept");
    assert_int_equal(frame.type, 4711);
}

static void assert_taken(enum ipc_state state, uint16_t type, size_t bytes)
{
    struct ipc_frame frame = { 0 };
    const char *rule = "kept";

    assert_int_equal(ipc_frame_peek(&in, state, &limits, &frame, &rule), 1);
    assert_string_equal(rule, "kept");
    assert_int_equal(frame.type, type);
    assert_int_equal(frame.bytes, bytes);
    assert_ptr_equal(frame.body, cm_buf_bytes(&in) + sizeof(struct ipc_head));
}

/* Calls `check` for each row in each state that permits it. */
static void in_permitted_states(void (*check)(const struct row *row, enum ipc_state state))
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        for (size_t k = 0; k < CM_ARRAY_LEN(states); k++)
            if ((rows[i].states & (1u << states[k])) != 0)
                check(&rows[i], states[k]);
}

static void each_frame_is_taken_in_its_states_and_refused_in_all_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        receive((struct ipc_head){ 0, rows[i].type, 0 }, 0);
        for (size_t k = 0; k < CM_ARRAY_LEN(states); k++)
            if ((rows[i].states & (1u << states[k])) != 0)
                assert_taken(states[k], rows[i].type, 0);
            else
                assert_refused(states[k], STATE);
    }
}

static void a_worker_that_ends_or_waits_for_a_program_may_send_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        receive((struct ipc_head){ 0, rows[i].type, 0 }, 0);
        assert_refused(IPC_S_ENDING, STATE);
        assert_refused(IPC_S_READY, STATE);
    }
}

static void check_limit(const struct row *row, enum ipc_state state)
{
    receive((struct ipc_head){ row->max, row->type, 0 }, row->max);
    assert_taken(state, row->type, row->max);
    if (row->max > 0) {
        receive((struct ipc_head){ row->max, row->type, 0 }, 0);
        assert_waits(state);
    }
    receive((struct ipc_head){ row->max + 1, row->type, 0 }, 0);
    assert_refused(state, TOO_LONG);
    receive((struct ipc_head){ UINT32_MAX, row->type, 0 }, 0);
    assert_refused(state, TOO_LONG);
}

static void a_frame_one_byte_over_its_limit_is_refused_before_its_body_arrives(void **state)
{
    (void)state;
    in_permitted_states(check_limit);
}

static void check_torn(const struct row *row, enum ipc_state state)
{
    const uint32_t bytes = row->max < 100 ? row->max : 100;
    struct cm_buf whole;

    receive((struct ipc_head){ bytes, row->type, 0 }, bytes);
    cm_buf_init(&whole, in.len);
    assert_int_equal(cm_buf_append(&whole, cm_buf_bytes(&in), in.len), 0);
    cm_buf_consume(&in, in.len);
    for (size_t i = 0; i < whole.len; i++) {
        assert_waits(state);
        assert_int_equal(cm_buf_append(&in, cm_buf_bytes(&whole) + i, 1), 0);
    }
    assert_taken(state, row->type, bytes);
    assert_memory_equal(cm_buf_bytes(&in), cm_buf_bytes(&whole), whole.len);
    cm_buf_done(&whole);
}

static void a_frame_may_be_torn_at_every_byte(void **state)
{
    (void)state;
    in_permitted_states(check_torn);
}

static void what_follows_a_frame_is_left_for_the_next_call(void **state)
{
    const struct ipc_head next = { 4, IPC_DONE, 0 };

    (void)state;
    receive((struct ipc_head){ 8, IPC_WAIT, 0 }, 8);
    assert_int_equal(cm_buf_append(&in, &next, sizeof(next)), 0);
    assert_taken(IPC_S_RUNNING, IPC_WAIT, 8);
    cm_buf_consume(&in, sizeof(struct ipc_head) + 8);
    assert_waits(IPC_S_RUNNING);
    assert_int_equal(cm_buf_append(&in, "body", 4), 0);
    assert_taken(IPC_S_RUNNING, IPC_DONE, 4);
}

static bool is_row(unsigned type)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        if (rows[i].type == type)
            return true;
    return false;
}

static void every_type_that_is_no_row_is_refused_in_every_state(void **state)
{
    (void)state;
    for (unsigned type = 0; type <= UINT16_MAX; type++) {
        if (is_row(type))
            continue;
        receive((struct ipc_head){ 0, (uint16_t)type, 0 }, 0);
        for (size_t k = 0; k < CM_ARRAY_LEN(states); k++)
            assert_refused(states[k], UNKNOWN);
    }
}

static void frames_of_the_supervisor_and_the_zygote_are_none_of_a_worker(void **state)
{
    static const enum ipc_type types[] = { IPC_RUN,   IPC_ANSWER, IPC_CONFIG,  IPC_FORK,
                                           IPC_HELLO, IPC_FORKED, IPC_REFUSED, IPC_EXITED };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(types); i++)
        assert_false(is_row(types[i]));
}

static void check_reserved(const struct row *row, enum ipc_state state)
{
    for (unsigned bit = 0; bit < 16; bit++) {
        receive((struct ipc_head){ 0, row->type, (uint16_t)(1u << bit) }, 0);
        assert_refused(state, UNKNOWN);
    }
}

static void a_head_with_a_reserved_bit_set_is_refused(void **state)
{
    (void)state;
    in_permitted_states(check_reserved);
}

static void the_state_is_checked_before_the_length(void **state)
{
    (void)state;
    receive((struct ipc_head){ UINT32_MAX, IPC_LOG, 0 }, 0);
    assert_refused(IPC_S_READY, STATE);
}

static void the_buffer_bound_is_the_longest_frame_with_its_head(void **state)
{
    const struct ipc_limits none = { 0, 0 };
    const struct ipc_limits largest = { 1073741824, 1073741824 };
    size_t longest = 0;

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        if (rows[i].max > longest)
            longest = rows[i].max;
    assert_int_equal(ipc_frame_max(&limits), sizeof(struct ipc_head) + longest);
    assert_true(ipc_frame_max(&none) < ipc_frame_max(&limits));
    assert_true(ipc_frame_max(&largest) > 1073741824);
    assert_true(ipc_frame_max(&largest) < UINT32_MAX);
}

static void each_type_has_a_name_for_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        assert_string_equal(ipc_type_name(rows[i].type), rows[i].name);
    assert_string_equal(ipc_type_name(0), UNKNOWN);
    assert_string_equal(ipc_type_name(UINT16_MAX + 1u + IPC_CALL), UNKNOWN);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(each_frame_is_taken_in_its_states_and_refused_in_all_others),
        CASE(a_worker_that_ends_or_waits_for_a_program_may_send_nothing),
        CASE(a_frame_one_byte_over_its_limit_is_refused_before_its_body_arrives),
        CASE(a_frame_may_be_torn_at_every_byte),
        CASE(what_follows_a_frame_is_left_for_the_next_call),
        CASE(every_type_that_is_no_row_is_refused_in_every_state),
        CASE(frames_of_the_supervisor_and_the_zygote_are_none_of_a_worker),
        CASE(a_head_with_a_reserved_bit_set_is_refused),
        CASE(the_state_is_checked_before_the_length),
        CASE(the_buffer_bound_is_the_longest_frame_with_its_head),
        CASE(each_type_has_a_name_for_messages),
    };

    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
