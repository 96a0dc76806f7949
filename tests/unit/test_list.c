/* The intrusive list: order, membership, and removing while walking. */
#include "base/list.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 5 };

struct member {
    int number;
    struct cm_list link;
};

static struct member members[COUNT];
static struct cm_list list;

static int make(void **state)
{
    (void)state;
    cm_list_init(&list);
    for (int i = 0; i < COUNT; i++) {
        members[i].number = i;
        cm_list_init(&members[i].link);
    }
    return 0;
}

static void append_all(void)
{
    for (int i = 0; i < COUNT; i++)
        cm_list_append(&list, &members[i].link);
}

/* `digits` are the numbers of the members, as one decimal number: 1234 is the
 * list 1, 2, 3, 4. Walked in both directions. */
static void assert_order(int digits)
{
    int back = 0;
    int forth = 0;
    int unit = 1;

    CM_LIST_EACH(&list, link, after)
    {
        forth = forth * 10 + CM_CONTAINER_OF(link, struct member, link)->number;
    }
    for (struct cm_list *link = list.prev; link != &list; link = link->prev) {
        back += unit * CM_CONTAINER_OF(link, struct member, link)->number;
        unit *= 10;
    }
    assert_int_equal(forth, digits);
    assert_int_equal(back, digits);
}

static void a_new_list_is_empty_and_has_no_first(void **state)
{
    (void)state;
    assert_true(cm_list_empty(&list));
    assert_null(CM_LIST_FIRST(&list, struct member, link));
    CM_LIST_EACH(&list, link, after)
    {
        fail();
    }
}

static void members_stand_in_the_order_of_their_appending(void **state)
{
    (void)state;
    append_all();
    assert_false(cm_list_empty(&list));
    assert_ptr_equal(CM_LIST_FIRST(&list, struct member, link), &members[0]);
    assert_order(1234);
}

static void a_prepended_member_is_the_first(void **state)
{
    (void)state;
    cm_list_prepend(&list, &members[3].link);
    cm_list_prepend(&list, &members[2].link);
    cm_list_append(&list, &members[4].link);
    assert_ptr_equal(CM_LIST_FIRST(&list, struct member, link), &members[2]);
    assert_order(234);
}

static void unlinking_closes_the_gap_and_twice_does_nothing(void **state)
{
    (void)state;
    append_all();
    cm_list_unlink(&members[2].link);
    assert_order(134);
    cm_list_unlink(&members[2].link);
    assert_order(134);
    assert_true(cm_list_empty(&members[2].link));
    cm_list_unlink(&members[0].link);
    cm_list_unlink(&members[4].link);
    assert_order(13);
}

static void moving_takes_a_member_from_its_list_to_the_end_of_another(void **state)
{
    struct cm_list other;

    (void)state;
    append_all();
    cm_list_init(&other);
    cm_list_move(&other, &members[1].link);
    assert_order(234);
    assert_ptr_equal(CM_LIST_FIRST(&other, struct member, link), &members[1]);
    cm_list_move(&list, &members[2].link);
    assert_order(342);
    cm_list_move(&list, &members[1].link);
    assert_order(3421);
    assert_true(cm_list_empty(&other));
}

static void the_member_at_hand_may_be_unlinked_or_moved_while_walking(void **state)
{
    struct cm_list other;
    int visits = 0;

    (void)state;
    append_all();
    cm_list_init(&other);
    CM_LIST_EACH(&list, link, after)
    {
        visits++;
        if (CM_CONTAINER_OF(link, struct member, link)->number % 2 == 0)
            cm_list_move(&other, link);
    }
    assert_int_equal(visits, COUNT);
    assert_order(13);
    CM_LIST_EACH(&other, link, after)
    {
        cm_list_unlink(link);
    }
    assert_true(cm_list_empty(&other));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_new_list_is_empty_and_has_no_first, make),
        cmocka_unit_test_setup(members_stand_in_the_order_of_their_appending, make),
        cmocka_unit_test_setup(a_prepended_member_is_the_first, make),
        cmocka_unit_test_setup(unlinking_closes_the_gap_and_twice_does_nothing, make),
        cmocka_unit_test_setup(moving_takes_a_member_from_its_list_to_the_end_of_another, make),
        cmocka_unit_test_setup(the_member_at_hand_may_be_unlinked_or_moved_while_walking, make),
    };

    return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
