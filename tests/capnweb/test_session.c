/* Sessions against a scripted peer: calls both ways, who releases what and when, and
 * what ends a session. */
#include "one_script.h"

#include <stdio.h>
#include <string.h>

/*
 * Calls of the peer
 */

static void a_call_is_answered_when_it_is_pulled_and_once(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"add\"],[1,2]]]");
    quiet();
    feed("[\"pull\",1]");
    expect("[\"resolve\",1,3]");
    feed("[\"pull\",1]");
    quiet();
    feed("[\"release\",1,1]");
    quiet();
}

static void push_stream_and_pipe_share_one_sequence_of_numbers(void **state)
{
    (void)state;
    feed("[\"pipe\"]");
    feed("[\"stream\",[\"pipeline\",0,[\"add\"],[1,1]]]");
    expect("[\"resolve\",2,2]");
    feed("[\"push\",[\"pipeline\",0,[\"add\"],[2,2]]]");
    feed("[\"pull\",3]");
    expect("[\"resolve\",3,4]");
}

static void a_thrown_error_is_a_rejection_and_the_session_goes_on(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"throw\"],[]]]");
    feed("[\"pull\",1]");
    expect("[\"reject\",1,[\"error\",\"RangeError\",\"thrown\"]]");
    assert_false(script.ended);
}

static void a_call_of_what_is_no_function_names_the_whole_path(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"data\",\"a\",\"b\"],[]]]");
    feed("[\"pull\",1]");
    expect("[\"reject\",1,[\"error\",\"TypeError\",\"'data.a.b' is not a function.\"]]");
    feed("[\"push\",[\"pipeline\",0,[],[]]]");
    feed("[\"pull\",2]");
    expect("[\"reject\",2,[\"error\",\"TypeError\",\"'' is not a function.\"]]");
}

static void a_path_leads_into_a_property_by_name_and_by_number(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"data\",\"a\",\"b\",1]]]");
    feed("[\"pull\",1]");
    expect("[\"resolve\",1,20]");
    feed("[\"push\",[\"pipeline\",0,[\"data\",\"a\",\"b\",\"1\"]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,[\"undefined\"]]");
    feed("[\"push\",[\"pipeline\",0,[\"none\",\"x\"]]]");
    feed("[\"pull\",3]");
    expect("[\"reject\",3,[\"error\",\"TypeError\","
           "\"Cannot read properties of undefined (reading 'x')\"]]");
}

static void a_method_that_is_read_is_a_function(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"add\"]]]");
    feed("[\"pull\",1]");
    expect("[\"resolve\",1,[\"export\",-1]]");
    feed("[\"push\",[\"pipeline\",-1,[],[4,5]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,9]");
}

static void an_answer_can_come_at_any_later_time(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    feed("[\"pull\",1]");
    feed("[\"push\",[\"pipeline\",0,[\"add\"],[1,1]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,2]");
    capnweb_answer(script.held, capnweb_cstring("late"));
    script.held = NULL;
    expect("[\"resolve\",1,\"late\"]");
    assert_int_equal(script.dropped, 0);
}

static void a_call_is_told_when_its_result_is_released(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    feed("[\"pull\",1]");
    feed("[\"release\",1,1]");
    assert_int_equal(script.dropped, 1);
    capnweb_answer(script.held, capnweb_cstring("for nobody"));
    script.held = NULL;
    quiet();
}

static void a_call_is_told_when_the_session_ends(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    capnweb_lost(script.session, "cut");
    assert_int_equal(script.dropped, 1);
    assert_true(script.ended);
    assert_string_equal(script.reason, "cut");
    capnweb_answer(script.held, capnweb_null());
    script.held = NULL;
    quiet();
}

static void an_answer_that_is_not_kept_still_serves_those_who_waited_for_it(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    feed("[\"pull\",1]");
    capnweb_answer_once(script.held, capnweb_cstring("large"));
    script.held = NULL;
    expect("[\"resolve\",1,\"large\"]");
    feed("[\"push\",[\"pipeline\",1,[\"length\"]]]");
    feed("[\"pull\",2]");
    expect("[\"reject\",2,[\"error\",\"Error\",\"The result of this call was sent and is not "
           "kept.\"]]");
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    feed("[\"push\",[\"pipeline\",3,[\"a\"]]]");
    feed("[\"pull\",4]");
    feed("[\"pull\",3]");
    const struct capnweb_member members[] = { { capnweb_text("a"), capnweb_number(7) } };
    capnweb_answer_once(script.held, capnweb_object(members, 1));
    script.held = NULL;
    expect("[\"resolve\",3,{\"a\":7}]");
    expect("[\"resolve\",4,7]");
}

static void a_stream_call_is_answered_once_too(void **state)
{
    (void)state;
    feed("[\"stream\",[\"pipeline\",0,[\"hold\"],[]]]");
    capnweb_answer_once(script.held, capnweb_cstring("large"));
    script.held = NULL;
    expect("[\"resolve\",1,\"large\"]");
    quiet();
}

/*
 * Calls to the peer
 */

static void a_function_argument_is_called_and_everything_is_released(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"call\"],[[\"export\",-1],4]]]");
    feed("[\"pull\",1]");
    expect("[\"push\",[\"pipeline\",-1,[],[4]]]");
    expect("[\"pull\",1]");
    feed("[\"resolve\",1,{\"x\":[[5]]}]");
    expect("[\"release\",1,1]");
    expect("[\"release\",-1,1]");
    expect("[\"resolve\",1,{\"x\":[[5]]}]");
    quiet();
}

static void an_id_that_is_introduced_twice_is_released_with_both(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[1,[\"export\",-1],[\"export\",-1]]]]");
    expect("[\"release\",-1,2]");
    quiet();
}

static void a_function_that_is_kept_is_released_with_the_last_reference(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"keep\"],[[\"export\",-1]]]]");
    quiet();
    capnweb_stub_unref(script.kept);
    script.kept = NULL;
    expect("[\"release\",-1,1]");
}

static void a_rejected_callback_rejects_with_the_same_error(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"call\"],[[\"export\",-1]]]]");
    feed("[\"pull\",1]");
    expect("[\"push\",[\"pipeline\",-1,[],[]]]");
    expect("[\"pull\",1]");
    feed("[\"reject\",1,[\"error\",\"TypeError\",\"no\",null,{\"code\":\"E\"}]]");
    expect("[\"release\",1,1]");
    expect("[\"release\",-1,1]");
    expect("[\"reject\",1,[\"error\",\"TypeError\",\"no\",null,{\"code\":\"E\"}]]");
}

static void a_cancelled_call_is_released_and_its_late_answer_is_ignored(void **state)
{
    struct capnweb_wait *wait;

    (void)state;
    assert_int_equal(capnweb_invoke(script.peer, "slow", NULL, 0, script_outcome, &script, &wait),
                     0);
    expect("[\"push\",[\"pipeline\",0,[\"slow\"],[]]]");
    expect("[\"pull\",1]");
    capnweb_wait_cancel(wait);
    expect("[\"release\",1,1]");
    feed("[\"resolve\",1,{\"s\":[\"export\",-5]}]");
    expect("[\"release\",-5,1]");
    assert_int_equal(script.outcomes, 0);
}

static size_t import_count(void)
{
    struct capnweb_stats stats;

    capnweb_session_stats(script.session, &stats);
    return stats.imports;
}

static void a_question_is_one_message_and_its_answer_needs_none(void **state)
{
    const struct capnweb_value arg = capnweb_cstring("a");
    struct capnweb_wait *wait;

    (void)state;
    assert_int_equal(capnweb_ask(script.peer, &arg, 1, script_outcome, &script, NULL), 0);
    expect("[\"stream\",[\"pipeline\",0,[],[\"a\"]]]");
    feed("[\"resolve\",1,\"b\"]");
    assert_int_equal(script.outcomes, 1);
    assert_string_equal(script.described, "string:62");
    assert_int_equal(capnweb_ask(script.peer, &arg, 1, script_outcome, &script, &wait), 0);
    expect("[\"stream\",[\"pipeline\",0,[],[\"a\"]]]");
    capnweb_wait_cancel(wait);
    feed("[\"resolve\",2,\"late\"]");
    assert_int_equal(script.outcomes, 1);
    assert_int_equal(import_count(), 1);
}

/* The peer keeps a place in our table with each that it leaves open. */
static void cancelled_questions_never_fill_the_table(void **state)
{
    const struct capnweb_value arg = capnweb_undefined();
    struct capnweb_settings settings;
    struct capnweb_wait *wait;

    (void)state;
    capnweb_settings_init(&settings);
    for (size_t i = 0; i < settings.max_entries + 1; i++) {
        assert_int_equal(capnweb_ask(script.peer, &arg, 1, script_outcome, &script, &wait), 0);
        capnweb_wait_cancel(wait);
    }
    assert_true(import_count() <= settings.max_entries / 2);
}

static void a_call_that_waits_fails_with_the_reason_of_the_end(void **state)
{
    (void)state;
    assert_int_equal(capnweb_invoke(script.peer, "slow", NULL, 0, script_outcome, &script, NULL),
                     0);
    feed("[\"abort\",[\"error\",\"RangeError\",\"enough\"]]");
    assert_int_equal(script.outcomes, 1);
    assert_true(script.rejected);
    assert_string_equal(script.described, "error:RangeError:656e6f756768:{}");
    assert_int_equal(script.how, CAPNWEB_END_ABORTED);
    assert_string_equal(script.reason, "enough");
    assert_int_equal(capnweb_invoke(script.peer, "slow", NULL, 0, script_outcome, &script, NULL),
                     -5);
    assert_int_equal(script.outcomes, 1);
}

static void calls_on_a_result_go_out_before_it_is_there(void **state)
{
    const struct capnweb_value make = capnweb_cstring("make");
    const struct capnweb_value none = capnweb_undefined();
    struct capnweb_stub *made;
    struct capnweb_value arg;

    (void)state;
    assert_int_equal(capnweb_pipeline(script.peer, &make, 1, &none, 0, &made), 0);
    assert_int_equal(capnweb_invoke(made, "ping", NULL, 0, script_outcome, &script, NULL), 0);
    arg = capnweb_promise(made);
    assert_int_equal(capnweb_invoke(script.peer, "use", &arg, 1, script_outcome, &script, NULL), 0);
    expect("[\"push\",[\"pipeline\",0,[\"make\"],[]]]");
    expect("[\"push\",[\"pipeline\",1,[\"ping\"],[]]]");
    expect("[\"pull\",2]");
    expect("[\"push\",[\"pipeline\",0,[\"use\"],[[\"pipeline\",1]]]]");
    expect("[\"pull\",3]");
    feed("[\"resolve\",2,\"pong\"]");
    assert_string_equal(script.described, "string:706f6e67");
    expect("[\"release\",2,1]");
    feed("[\"resolve\",3,1]");
    expect("[\"release\",3,1]");
    capnweb_stub_unref(made);
    expect("[\"release\",1,1]");
}

static void an_object_of_ours_can_be_called_without_the_peer(void **state)
{
    static const struct capnweb_class class = { .call = NULL };
    struct capnweb_stub *stub = capnweb_stub_new(script.session, &class, NULL);

    (void)state;
    assert_int_equal(capnweb_invoke(stub, "x", NULL, 0, script_outcome, &script, NULL), 0);
    assert_int_equal(script.outcomes, 1);
    assert_true(script.rejected);
    assert_int_equal(capnweb_await(stub, script_outcome, &script, NULL), 0);
    assert_string_equal(script.described, "stub");
    capnweb_stub_unref(stub);
    quiet();
}

/*
 * Objects
 */

static void an_object_is_disposed_after_both_of_its_holds_are_released(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"make\"],[]]]");
    feed("[\"pull\",1]");
    expect("[\"resolve\",1,[\"export\",-1]]");
    feed("[\"release\",1,1]");
    assert_int_equal(script.disposed, 0);
    feed("[\"push\",[\"pipeline\",-1,[\"ping\"],[]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,\"pong\"]");
    feed("[\"release\",-1,1]");
    assert_int_equal(script.disposed, 1);
}

static void an_object_that_was_never_pulled_goes_with_its_result(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"make\"],[]]]");
    feed("[\"release\",1,1]");
    assert_int_equal(script.disposed, 1);
    quiet();
}

static void an_object_is_exported_under_a_new_id_each_time(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"make\"],[]]]");
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[[[[\"import\",1],[\"import\",1]]]]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,[[[\"export\",-1],[\"export\",-2]]]]");
    feed("[\"release\",1,1]");
    feed("[\"release\",2,1]");
    feed("[\"release\",-1,1]");
    assert_int_equal(script.disposed, 0);
    feed("[\"release\",-2,1]");
    assert_int_equal(script.disposed, 1);
}

static void objects_are_disposed_at_the_end_of_the_session(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"make\"],[]]]");
    feed("[\"pull\",1]");
    capnweb_lost(script.session, "cut");
    assert_int_equal(script.disposed, 1);
}

static void a_stub_of_the_peer_goes_back_by_its_number_but_not_as_a_whole_result(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[{\"f\":[\"export\",-1]}]]]");
    feed("[\"pull\",1]");
    expect("[\"resolve\",1,{\"f\":[\"import\",-1]}]");
    feed("[\"release\",1,1]");
    expect("[\"release\",-1,1]");
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[[\"export\",-2]]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,[\"export\",-1]]");
}

/*
 * Pipelining by the peer
 */

static void calls_on_a_pending_result_wait_and_keep_their_order(void **state)
{
    const struct capnweb_value list[] = { capnweb_number(5), capnweb_number(6) };

    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    feed("[\"push\",[\"pipeline\",1,[0]]]");
    feed("[\"push\",[\"pipeline\",1,[1]]]");
    feed("[\"push\",[\"pipeline\",0,[\"add\"],[[\"pipeline\",2],[\"pipeline\",3]]]]");
    feed("[\"pull\",3]");
    feed("[\"pull\",2]");
    feed("[\"pull\",4]");
    quiet();
    capnweb_answer(script.held, capnweb_array(list, 2));
    script.held = NULL;
    expect("[\"resolve\",2,5]");
    expect("[\"resolve\",3,6]");
    expect("[\"resolve\",4,11]");
}

static void an_error_reaches_those_who_built_on_the_result(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"throw\"],[]]]");
    feed("[\"push\",[\"pipeline\",1,[\"x\"],[]]]");
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[{\"a\":[[[\"pipeline\",1]]]}]]]");
    feed("[\"pull\",2]");
    expect("[\"reject\",2,[\"error\",\"RangeError\",\"thrown\"]]");
    feed("[\"pull\",3]");
    expect("[\"reject\",3,[\"error\",\"RangeError\",\"thrown\"]]");
}

static void a_promise_of_the_peer_is_awaited_and_released(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[{\"p\":[\"promise\",-1]}]]]");
    feed("[\"pull\",1]");
    quiet();
    feed("[\"resolve\",-1,[[1]]]");
    expect("[\"release\",-1,1]");
    expect("[\"resolve\",1,{\"p\":[[1]]}]");
}

static void results_can_be_pushed_without_a_call(void **state)
{
    (void)state;
    feed("[\"push\",{\"big\":[[1,2,3]]}]");
    feed("[\"push\",[\"pipeline\",1,[\"big\",2]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,3]");
}

static void a_chain_of_100000_calls_needs_no_stack(void **state)
{
    struct capnweb_settings settings;
    struct script other;
    char message[80];

    (void)state;
    capnweb_settings_init(&settings);
    settings.max_entries = 200000;
    settings.max_pending = 200000;
    script_start(&other, &settings);
    script_feed(&other, "[\"push\",[\"pipeline\",0,[\"hold\"],[]]]");
    for (int i = 1; i < 100000; i++) {
        snprintf(message, sizeof(message),
                 "[\"push\",[\"pipeline\",0,[\"echo\"],[[\"pipeline\",%d]]]]", i);
        script_feed(&other, message);
    }
    script_feed(&other, "[\"pull\",100000]");
    capnweb_answer(other.held, capnweb_number(8));
    other.held = NULL;
    script_expect(&other, "[\"resolve\",100000,8]");
    script_end(&other);
}

static void a_result_that_refers_to_itself_is_noticed(void **state)
{
    const struct capnweb_value name = capnweb_cstring("f");
    const struct capnweb_value none = capnweb_undefined();
    struct capnweb_value arg;
    struct capnweb_stub *result;

    (void)state;
    assert_int_equal(capnweb_pipeline(script.peer, &name, 1, &none, 0, &result), 0);
    arg = capnweb_stub(result);
    assert_int_equal(capnweb_invoke(script.peer, "g", &arg, 1, script_outcome, &script, NULL), 0);
    expect("[\"push\",[\"pipeline\",0,[\"f\"],[]]]");
    expect("[\"push\",[\"pipeline\",0,[\"g\"],[[\"import\",1]]]]");
    expect("[\"pull\",2]");
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[1]]]");
    feed("[\"resolve\",1,[\"import\",1]]");
    capnweb_stub_unref(result);
    feed("[\"reject\",2,null]");
    assert_true(script.rejected);
}

/*
 * Maps
 */

static void a_map_runs_its_instructions_for_each_element(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"list\"],[3]]]");
    feed("[\"push\",[\"remap\",1,[],[[\"import\",0]],"
         "[[\"pipeline\",-1,[\"add\"],[[\"pipeline\",0],10]],[[[\"pipeline\",0],[\"pipeline\",1]]]]"
         "]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,[[[[0,10]],[[1,11]],[[2,12]]]]]");
}

static void a_map_of_nothing_is_nothing_and_of_one_value_is_one(void **state)
{
    (void)state;
    feed("[\"push\",null]");
    feed("[\"push\",[\"remap\",1,[],[],[7]]]");
    feed("[\"pull\",2]");
    expect("[\"resolve\",2,null]");
    feed("[\"push\",5]");
    feed("[\"push\",[\"remap\",3,[],[],[{\"v\":[\"pipeline\",0]}]]]");
    feed("[\"pull\",4]");
    expect("[\"resolve\",4,{\"v\":5}]");
}

static void what_a_map_captured_is_released_after_it(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"list\"],[1]]]");
    feed("[\"push\",[\"remap\",1,[],[[\"export\",-1]],[[\"pipeline\",-1,[],[[\"pipeline\",0]]]]]]");
    feed("[\"pull\",2]");
    expect("[\"push\",[\"pipeline\",-1,[],[0]]]");
    expect("[\"pull\",1]");
    expect("[\"release\",-1,1]");
    feed("[\"resolve\",1,\"r\"]");
    expect("[\"release\",1,1]");
    expect("[\"resolve\",2,[[\"r\"]]]");
}

static void what_is_wrong_in_a_map_is_the_error_of_its_result(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"list\"],[1]]]");
    feed("[\"push\",[\"remap\",1,[],[],[[\"pipeline\",9]]]]");
    feed("[\"pull\",2]");
    expect("[\"reject\",2,[\"error\",\"TypeError\",\"there is no export with the id 9\"]]");
    feed("[\"push\",[\"remap\",1,[],[],[]]]");
    feed("[\"pull\",3]");
    expect("[\"reject\",3,[\"error\",\"RangeError\",\"the map has no instruction or takes too many "
           "steps\"]]");
    assert_false(script.ended);
}

/*
 * The end
 */

/* clang-format off */
static const struct fault {
    const char *message;
    const char *what;
} faults[] = {
    { "", "not JSON" },
    { "hello", "not JSON" },
    { "[\"push\",1]\n[\"push\",2]", "not one JSON value" },
    { "[\"push\",01]", "not JSON" },
    { "[\"push\",1,]", "not JSON" },
    { "[\"push\",\"\\x\"]", "escape" },
    { "[\"push\",\"\x01\"]", "control character" },
    { "[\"push\",\"\xff\"]", "not UTF-8" },
    { "[\"push\",\"open", "does not end" },
    { "{}", "a type that is none" },
    { "null", "a type that is none" },
    { "[]", "a type that is none" },
    { "[1,2]", "a type that is none" },
    { "[\"bogus\",1]", "a type that is none" },
    { "[\"push\"]", "too few elements" },
    { "[\"pull\",99]", "no export with the id 99" },
    { "[\"pull\",\"x\"]", "not a whole number" },
    { "[\"pull\",1.5]", "not a whole number" },
    { "[\"release\",0,2]", "more is released" },
    { "[\"release\",0,-1]", "has a count" },
    { "[\"release\",0]", "too few elements" },
    { "[\"push\",[\"pipeline\",42,[\"x\"],[]]]", "no export with the id 42" },
    { "[\"push\",[\"pipeline\",0,\"x\",[]]]", "a path is a list" },
    { "[\"push\",[\"pipeline\",0,[{}],[]]]", "elements of a path" },
    { "[\"push\",[\"pipeline\",0,[\"x\"],3]]", "arguments of a call are a list" },
    { "[\"push\",[\"pipeline\",0,[\"x\"],[],1]]", "a reference has" },
    { "[\"push\",[\"export\",1]]", "a negative number" },
    { "[\"push\",[[[\"promise\",-1],[\"promise\",-1]]]]", "in use" },
    { "[\"push\",[\"readable\",0]]", "names no pipe" },
    { "[\"push\",[\"blob\",\"t\",1]]", "a type and a stream" },
    { "[\"push\",[\"remap\",0,[],[[\"pipeline\",0]],[]]]", "a capture of a map" },
    { "[\"push\",[\"nosuch\",1]]", "nosuch" },
    { "[\"push\",[1,2]]", "neither escaped nor a form" },
    { "[\"push\",[\"bytes\",\"!\"]]", "base64" },
};
/* clang-format on */

static void each_fault_of_the_peer_ends_its_session_with_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct script other;

        script_start(&other, NULL);
        script_feed(&other, faults[i].message);
        script_aborted(&other, faults[i].what);
        script_feed(&other, "[\"push\",[\"pipeline\",0,[\"add\"],[1,2]]]");
        script_feed(&other, "[\"pull\",1]");
        script_quiet(&other);
        script_end(&other);
    }
}

static void a_call_that_is_on_its_way_at_the_end_is_not_made(void **state)
{
    (void)state;
    feed("[\"push\",[[[\"pipeline\",0,[\"lose\"],[]],"
         "[\"pipeline\",0,[\"hold\"],[[\"pipeline\",0]]]]]]");
    assert_true(script.ended);
    assert_null(script.held);
    quiet();
}

static void nothing_is_sent_after_an_abort_of_either_side(void **state)
{
    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[[\"export\",-1]]]]");
    feed("[\"pull\",1]");
    feed("[\"abort\",\"text\"]");
    assert_string_equal(script.reason, "text");
    capnweb_answer(script.held, capnweb_null());
    script.held = NULL;
    quiet();
}

static void an_abort_of_ours_says_why(void **state)
{
    (void)state;
    capnweb_abort_text(script.session, "TypeError", "a binary frame");
    expect("[\"abort\",[\"error\",\"TypeError\",\"a binary frame\"]]");
    assert_int_equal(script.how, CAPNWEB_END_OURS);
    capnweb_abort_text(script.session, "TypeError", "again");
    quiet();
}

static void an_abort_without_a_reason_is_one(void **state)
{
    (void)state;
    feed("[\"abort\"]");
    assert_int_equal(script.how, CAPNWEB_END_ABORTED);
    quiet();
}

static void free_the_session(void *user, const struct capnweb_outcome *outcome)
{
    (void)outcome;
    capnweb_session_free(user);
}

static void a_session_can_be_freed_from_inside_a_callback(void **state)
{
    struct capnweb_session *session;
    struct capnweb_stub *peer;

    (void)state;
    assert_int_equal(capnweb_session_new(NULL, NULL, NULL, NULL, NULL, &session), 0);
    peer = capnweb_peer_main(session);
    assert_int_equal(capnweb_invoke(peer, "x", NULL, 0, free_the_session, session, NULL), 0);
    capnweb_stub_unref(peer);
    capnweb_receive(session, "[\"resolve\",1,1]", 15);
}

static void without_a_main_object_calls_are_told_so(void **state)
{
    struct script other;

    (void)state;
    script_start_bare(&other);
    script_feed(&other, "[\"push\",[\"pipeline\",0,[\"add\"],[]]]");
    script_feed(&other, "[\"pull\",1]");
    script_expect(&other, "[\"reject\",1,[\"error\",\"Error\",\"This connection has no main "
                          "object.\"]]");
    script_end(&other);
}

/*
 * Limits
 */

static void a_message_may_have_its_most_utf16_units_and_not_one_more(void **state)
{
    (void)state;
    for (size_t most = 12; most <= 13; most++) {
        struct capnweb_settings settings;
        struct script other;

        capnweb_settings_init(&settings);
        settings.max_message = most;
        script_start(&other, &settings);
        script_feed(&other, "[\"push\",\"\xC3\xA9\xE4\xB8\x96\"]"); /* 13 units, 16 bytes */
        assert_int_equal(other.ended, most == 12);
        script_end(&other);
    }
}

static void a_result_that_is_too_large_is_a_rejection(void **state)
{
    struct capnweb_settings settings;
    struct script other;

    (void)state;
    capnweb_settings_init(&settings);
    settings.max_message = 120;
    script_start(&other, &settings);
    script_feed(&other, "[\"push\",[\"pipeline\",0,[\"list\"],[100]]]");
    script_feed(&other, "[\"pull\",1]");
    script_expect(&other,
                  "[\"reject\",1,[\"error\",\"RangeError\",\"the value is too large or nested "
                  "too deeply to be sent\"]]");
    assert_false(other.ended);
    script_end(&other);
}

/* Each is set to 3; the last message is one too many. */
/* clang-format off */
static const struct {
    size_t field; /* the place in the settings */
    const char *messages[4];
} bounds[] = {
    { offsetof(struct capnweb_settings, max_pending), { "[\"push\",[\"pipeline\",0,[\"echo\"],[[\"promise\",-1]]]]",
                                                        "[\"push\",[\"pipeline\",0,[\"echo\"],[[\"pipeline\",1]]]]",
                                                        "[\"push\",[\"pipeline\",0,[\"echo\"],[1]]]" } },
    { offsetof(struct capnweb_settings, max_entries), { "[\"push\",1]", "[\"push\",2]", "[\"push\",3]" } },
    { offsetof(struct capnweb_settings, max_values),  { "[\"push\",1]", "[\"push\",[[2,3]]]" } },
    { offsetof(struct capnweb_settings, max_depth),   { "[\"push\",[[[[1]]]]]", "[\"push\",[[[[[[1]]]]]]]" } },
};
/* clang-format on */

static void one_more_than_a_limit_allows_ends_the_session(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        struct capnweb_settings settings;
        struct script other;

        capnweb_settings_init(&settings);
        *(size_t *)(void *)((char *)&settings + bounds[i].field) = 3;
        script_start(&other, &settings);
        for (int k = 0; k < 4 && bounds[i].messages[k] != NULL; k++) {
            assert_false(other.ended);
            script_feed(&other, bounds[i].messages[k]);
        }
        assert_true(other.ended);
        assert_int_equal(other.how, CAPNWEB_END_FAULT);
        script_end(&other);
    }
}

static void a_limit_of_nothing_is_refused(void **state)
{
    struct capnweb_session *session;
    struct capnweb_settings settings;

    (void)state;
    capnweb_settings_init(&settings);
    settings.max_depth = 0;
    assert_int_equal(capnweb_session_new(&settings, NULL, NULL, NULL, NULL, &session), -1);
}

static void the_tables_are_empty_again_after_every_release(void **state)
{
    struct capnweb_stats stats;

    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"call\"],[[\"export\",-1],4]]]");
    feed("[\"pull\",1]");
    feed("[\"resolve\",1,1]");
    feed("[\"release\",1,1]");
    capnweb_session_stats(script.session, &stats);
    assert_int_equal(stats.imports, 1);
    assert_int_equal(stats.exports, 1);
    assert_int_equal(stats.pending, 0);
    assert_int_equal(stats.stream_bytes, 0);
}

#define EACH(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(a_call_is_answered_when_it_is_pulled_and_once),
        EACH(push_stream_and_pipe_share_one_sequence_of_numbers),
        EACH(a_thrown_error_is_a_rejection_and_the_session_goes_on),
        EACH(a_call_of_what_is_no_function_names_the_whole_path),
        EACH(a_path_leads_into_a_property_by_name_and_by_number),
        EACH(a_method_that_is_read_is_a_function),
        EACH(an_answer_can_come_at_any_later_time),
        EACH(a_call_is_told_when_its_result_is_released),
        EACH(a_call_is_told_when_the_session_ends),
        EACH(an_answer_that_is_not_kept_still_serves_those_who_waited_for_it),
        EACH(without_a_main_object_calls_are_told_so),
        EACH(a_stream_call_is_answered_once_too),
        EACH(a_function_argument_is_called_and_everything_is_released),
        EACH(an_id_that_is_introduced_twice_is_released_with_both),
        EACH(a_function_that_is_kept_is_released_with_the_last_reference),
        EACH(a_rejected_callback_rejects_with_the_same_error),
        EACH(a_cancelled_call_is_released_and_its_late_answer_is_ignored),
        EACH(a_question_is_one_message_and_its_answer_needs_none),
        EACH(cancelled_questions_never_fill_the_table),
        EACH(a_call_that_waits_fails_with_the_reason_of_the_end),
        EACH(calls_on_a_result_go_out_before_it_is_there),
        EACH(an_object_of_ours_can_be_called_without_the_peer),
        EACH(an_object_is_disposed_after_both_of_its_holds_are_released),
        EACH(an_object_that_was_never_pulled_goes_with_its_result),
        EACH(an_object_is_exported_under_a_new_id_each_time),
        EACH(objects_are_disposed_at_the_end_of_the_session),
        EACH(a_stub_of_the_peer_goes_back_by_its_number_but_not_as_a_whole_result),
        EACH(calls_on_a_pending_result_wait_and_keep_their_order),
        EACH(an_error_reaches_those_who_built_on_the_result),
        EACH(a_promise_of_the_peer_is_awaited_and_released),
        EACH(results_can_be_pushed_without_a_call),
        EACH(a_chain_of_100000_calls_needs_no_stack),
        EACH(a_result_that_refers_to_itself_is_noticed),
        EACH(a_map_runs_its_instructions_for_each_element),
        EACH(a_map_of_nothing_is_nothing_and_of_one_value_is_one),
        EACH(what_a_map_captured_is_released_after_it),
        EACH(what_is_wrong_in_a_map_is_the_error_of_its_result),
        EACH(each_fault_of_the_peer_ends_its_session_with_a_reason),
        EACH(a_call_that_is_on_its_way_at_the_end_is_not_made),
        EACH(nothing_is_sent_after_an_abort_of_either_side),
        EACH(an_abort_of_ours_says_why),
        EACH(an_abort_without_a_reason_is_one),
        EACH(a_session_can_be_freed_from_inside_a_callback),
        EACH(a_message_may_have_its_most_utf16_units_and_not_one_more),
        EACH(a_result_that_is_too_large_is_a_rejection),
        EACH(one_more_than_a_limit_allows_ends_the_session),
        EACH(a_limit_of_nothing_is_refused),
        EACH(the_tables_are_empty_again_after_every_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
