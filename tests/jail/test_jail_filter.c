/*
 * The compiled filter is run by a small interpreter for every call number and
 * compared with what the rows of tables/syscalls.def say. The rows are read here
 * by macros of the test's own, so that a mistake in those of the jail shows.
 */
#include "base/cleanup.h"
#include "jail/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include <cmocka.h>

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "the filter has not been tried on this architecture"
#endif

enum { OWN_PID_NOW = 4711, LAST_CALL = 600, X32_BIT = 0x40000000 };

enum test_kind { IS_ANY, IS_ONLY, IS_BOTH, IS_AT_MOST, IS_MASKED };

struct row {
    const char *name;
    int call;
    uint32_t answer; /* SECCOMP_RET_* */
    enum test_kind kind;
    unsigned at;
    uint64_t value;
    uint64_t more; /* BOTH: second argument; MASKED: the mask */
    uint64_t more_value;
};

/* clang-format off */
#define ALLOW(e)            SECCOMP_RET_ALLOW
#define REFUSE(e)           (SECCOMP_RET_ERRNO | (e))
#define ANY                 IS_ANY, 0, 0, 0, 0
#define ONLY(n, v)          IS_ONLY, n, v, 0, 0
#define BOTH(n, v, m, w)    IS_BOTH, n, v, m, w
#define AT_MOST(n, v)       IS_AT_MOST, n, v, 0, 0
#define MASKED(n, mask, v)  IS_MASKED, n, v, mask, 0
#define OWN_PID(n)          IS_ONLY, n, OWN_PID_NOW, 0, 0
/* clang-format on */

static const struct row rows[] = {
#define CM_SYSCALL(name, answer, e, test, why) { #name, SCMP_SYS(name), answer(e), test },
#include "tables/syscalls.def"
#undef CM_SYSCALL
};

static bool holds(const struct row *row, const uint64_t *args)
{
    switch (row->kind) {
    case IS_ANY:
        return true;
    case IS_ONLY:
        return args[row->at] == row->value;
    case IS_BOTH:
        return args[row->at] == row->value && args[row->more] == row->more_value;
    case IS_AT_MOST:
        return args[row->at] <= row->value;
    case IS_MASKED:
        return (args[row->at] & row->more) == row->value;
    }
    return false;
}

static uint32_t expected(int call, const uint64_t *args)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        if (rows[i].call == call && holds(&rows[i], args))
            return rows[i].answer;
    return SECCOMP_RET_KILL_PROCESS;
}

/* One comparison of classic BPF. */
static bool compare(uint16_t op, uint32_t a, uint32_t k)
{
    switch (op) {
    case BPF_JEQ:
        return a == k;
    case BPF_JGT:
        return a > k;
    case BPF_JGE:
        return a >= k;
    case BPF_JSET:
        return (a & k) != 0;
    default:
        fail_msg("comparison 0x%x is not known to the interpreter", op);
        return false;
    }
}

static uint32_t interpret(const struct sock_filter *code, size_t len,
                          const struct seccomp_data *data)
{
    uint32_t a = 0;

    for (size_t pc = 0; pc < len; pc++) {
        const struct sock_filter *at = &code[pc];

        if (at->code == (BPF_LD | BPF_W | BPF_ABS)) {
            assert_true(at->k <= sizeof(*data) - sizeof(a) && at->k % sizeof(a) == 0);
            memcpy(&a, (const char *)data + at->k, sizeof(a));
        } else if (at->code == (BPF_ALU | BPF_AND | BPF_K)) {
            a &= at->k;
        } else if (at->code == (BPF_JMP | BPF_JA)) {
            pc += at->k;
        } else if (at->code == (BPF_RET | BPF_K)) {
            return at->k;
        } else if (BPF_CLASS(at->code) == BPF_JMP && BPF_SRC(at->code) == BPF_K) {
            pc += compare(BPF_OP(at->code), a, at->k) ? at->jt : at->jf;
        } else {
            fail_msg("instruction 0x%x is not known to the interpreter", at->code);
        }
    }
    fail_msg("the program runs past its end");
    return 0;
}

struct fixture {
    struct jail_filter *filter;
    struct sock_filter code[JAIL_FILTER_MAX];
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct cm_error err = CM_ERROR_INIT;

    if (jail_filter_new(&fixture.filter, &err) < 0) {
        print_error("%s\n", err.text);
        return -1;
    }
    jail_filter_fill(fixture.filter, OWN_PID_NOW, fixture.code);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    jail_filter_free(fixture->filter);
    return 0;
}

static uint32_t answer_of(const struct fixture *fixture, uint32_t arch, int call,
                          const uint64_t *args)
{
    struct seccomp_data data = { .nr = call, .arch = arch };

    memcpy(data.args, args, sizeof(data.args));
    return interpret(fixture->code, fixture->filter->len, &data);
}

static void check(const struct fixture *fixture, int call, const uint64_t *args)
{
    uint32_t got = answer_of(fixture, NATIVE_ARCH, call, args);
    uint32_t want = expected(call, args);

    if (got != want)
        fail_msg("call %d (%#lx, %#lx, %#lx, %#lx, %#lx, %#lx): 0x%x instead of 0x%x", call,
                 args[0], args[1], args[2], args[3], args[4], args[5], got, want);
}

/* A value and its neighbours, then the same with a bit of the upper half set. */
static size_t edges(uint64_t value, uint64_t *ret_values)
{
    const uint64_t near[] = { value, value - 1, value + 1 };
    size_t n = 0;

    for (size_t i = 0; i < CM_ARRAY_LEN(near); i++) {
        ret_values[n++] = near[i];
        ret_values[n++] = near[i] ^ (UINT64_C(1) << 32);
        ret_values[n++] = near[i] ^ (UINT64_C(1) << 63);
    }
    return n;
}

/* Arguments for which the row's test holds. */
static void satisfy(const struct row *row, uint64_t *ret_args)
{
    memset(ret_args, 0, 6 * sizeof(*ret_args));
    ret_args[row->at] = row->value;
    if (row->kind == IS_BOTH)
        ret_args[row->more] = row->more_value;
}

static void every_call_number_is_answered_as_its_row_says(void **state)
{
    static const uint64_t none[6];
    static const uint64_t all[6] = { UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                     UINT64_MAX, UINT64_MAX, UINT64_MAX };

    for (int call = 0; call <= LAST_CALL; call++) {
        check(*state, call, none);
        check(*state, call, all);
    }
}

static void a_call_without_a_row_is_killed_whatever_its_arguments(void **state)
{
    for (int call = 0; call <= LAST_CALL; call++) {
        for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
            uint64_t args[6];

            satisfy(&rows[i], args);
            check(*state, call, args);
        }
    }
}

static void a_test_is_exact_at_its_edges_and_in_both_halves_of_an_argument(void **state)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        for (unsigned at = 0; at < 6; at++) {
            uint64_t args[6];
            uint64_t values[9];
            size_t n;

            satisfy(&rows[i], args);
            n = edges(args[at], values);
            for (size_t j = 0; j < n; j++) {
                args[at] = values[j];
                check(*state, rows[i].call, args);
            }
        }
    }
}

static void a_test_notices_each_single_bit(void **state)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        for (unsigned bit = 0; bit < 6 * 64; bit++) {
            uint64_t args[6];

            satisfy(&rows[i], args);
            args[bit / 64] ^= UINT64_C(1) << bit % 64;
            check(*state, rows[i].call, args);
        }
    }
}

static void every_call_of_another_architecture_is_killed(void **state)
{
    static const uint32_t others[] = {
        AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_RISCV64, AUDIT_ARCH_S390X, 0, NATIVE_ARCH ^ 1
    };
    static const uint64_t none[6];

    for (size_t i = 0; i < CM_ARRAY_LEN(others); i++)
        for (int call = 0; call <= LAST_CALL; call++)
            assert_int_equal(answer_of(*state, others[i], call, none), SECCOMP_RET_KILL_PROCESS);
}

static void every_call_of_the_x32_interface_is_killed(void **state)
{
    static const uint64_t none[6];

    for (int call = 0; call <= LAST_CALL; call++)
        assert_int_equal(answer_of(*state, NATIVE_ARCH, call | X32_BIT, none),
                         SECCOMP_RET_KILL_PROCESS);
}

static void call_numbers_past_every_table_are_killed(void **state)
{
    static const int calls[] = { -1, -2, INT32_MIN, INT32_MAX, X32_BIT - 1, 1 << 16 };
    static const uint64_t none[6];

    for (size_t i = 0; i < CM_ARRAY_LEN(calls); i++)
        assert_int_equal(answer_of(*state, NATIVE_ARCH, calls[i], none), SECCOMP_RET_KILL_PROCESS);
}

static void the_placeholder_of_the_pid_is_in_no_filled_program(void **state)
{
    const struct fixture *fixture = *state;

    for (size_t i = 0; i < fixture->filter->len; i++)
        assert_int_not_equal(fixture->code[i].k, JAIL_OWN_PID);
}

static void a_call_with_several_rows_is_only_ever_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        for (size_t j = i + 1; j < CM_ARRAY_LEN(rows); j++)
            if (rows[i].call == rows[j].call)
                assert_true(rows[i].answer == SECCOMP_RET_ALLOW &&
                            rows[j].answer == SECCOMP_RET_ALLOW && rows[i].kind != IS_ANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_number_is_answered_as_its_row_says),
        cmocka_unit_test(a_call_without_a_row_is_killed_whatever_its_arguments),
        cmocka_unit_test(a_test_is_exact_at_its_edges_and_in_both_halves_of_an_argument),
        cmocka_unit_test(a_test_notices_each_single_bit),
        cmocka_unit_test(every_call_of_another_architecture_is_killed),
        cmocka_unit_test(every_call_of_the_x32_interface_is_killed),
        cmocka_unit_test(call_numbers_past_every_table_are_killed),
        cmocka_unit_test(the_placeholder_of_the_pid_is_in_no_filled_program),
        cmocka_unit_test(a_call_with_several_rows_is_only_ever_allowed),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
