/* Streams: pipes in both directions, writables, blobs; who waits for whom, and what
 * becomes of a stream whose other end goes away. */
#include "one_script.h"

#include <string.h>

/* The stream that the peer gave to hold(). */
static struct capnweb_pipe *given(void)
{
    const struct capnweb_value *stream = capnweb_call_arg(script.held, 0);

    assert_int_equal(stream->kind, CAPNWEB_READABLE);
    return stream->pipe;
}

static void answer_held(void)
{
    struct capnweb_call *call = script.held;

    script.held = NULL;
    capnweb_answer(call, capnweb_null());
}

static void read_one(void)
{
    assert_int_equal(capnweb_pipe_read(given(), script_outcome, &script), 0);
}

static void give_stream(void)
{
    feed("[\"pipe\"]");
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[[\"readable\",1]]]]");
    feed("[\"pull\",2]");
}

static void a_write_is_answered_when_its_chunk_is_taken(void **state)
{
    (void)state;
    give_stream();
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[\"a\"]]]");
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[[[1]]]]]");
    quiet();
    assert_int_equal(capnweb_pipe_waiting(given()), 2);
    read_one();
    assert_string_equal(script.described, "string:61");
    expect("[\"resolve\",3,[\"undefined\"]]");
    read_one();
    expect("[\"resolve\",4,[\"undefined\"]]");
    feed("[\"stream\",[\"pipeline\",1,[\"close\"],[]]]");
    expect("[\"resolve\",5,[\"undefined\"]]");
    read_one();
    assert_true(script.over);
    feed("[\"release\",1,1]");
    answer_held();
    expect("[\"resolve\",2,null]");
    feed("[\"release\",2,1]");
}

static void a_read_waits_for_its_chunk_and_there_is_one_at_a_time(void **state)
{
    (void)state;
    give_stream();
    read_one();
    assert_int_equal(script.outcomes, 0);
    assert_int_equal(capnweb_pipe_read(given(), script_outcome, &script), -5);
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[7]]]");
    assert_int_equal(script.outcomes, 1);
    expect("[\"resolve\",3,[\"undefined\"]]");
}

static void a_stream_that_fails_gives_its_chunks_first(void **state)
{
    (void)state;
    give_stream();
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[1]]]");
    feed("[\"stream\",[\"pipeline\",1,[\"abort\"],[[\"error\",\"RangeError\",\"no\"]]]]");
    expect("[\"resolve\",4,[\"undefined\"]]");
    read_one();
    assert_false(script.rejected);
    expect("[\"resolve\",3,[\"undefined\"]]");
    read_one();
    assert_true(script.rejected);
    assert_string_equal(script.described, "error:RangeError:6e6f:{}");
}

static void a_writer_that_goes_without_closing_fails_the_reader(void **state)
{
    (void)state;
    give_stream();
    read_one();
    feed("[\"release\",1,1]");
    assert_int_equal(script.outcomes, 1);
    assert_true(script.rejected);
}

static void writes_are_rejected_once_the_reader_has_given_up(void **state)
{
    (void)state;
    give_stream();
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[1]]]");
    capnweb_pipe_cancel(given());
    expect(
        "[\"reject\",3,[\"error\",\"TypeError\",\"the reader of this stream has given it up\"]]");
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[2]]]");
    expect("[\"reject\",4,[\"error\",\"TypeError\",\"the stream is closed\"]]");
}

static void a_stream_that_nobody_reads_is_given_up_with_the_call(void **state)
{
    (void)state;
    give_stream();
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[1]]]");
    answer_held();
    expect(
        "[\"reject\",3,[\"error\",\"TypeError\",\"the reader of this stream has given it up\"]]");
    expect("[\"resolve\",2,null]");
}

static void a_pipe_is_named_once(void **state)
{
    (void)state;
    give_stream();
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[[\"readable\",1]]]]");
    script_aborted(&script, "names no pipe");
}

static void more_than_may_wait_in_streams_ends_the_session(void **state)
{
    struct capnweb_settings settings;
    struct script other;

    (void)state;
    capnweb_settings_init(&settings);
    settings.max_stream = 4096;
    script_start(&other, &settings);
    script_feed(&other, "[\"pipe\"]");
    for (int i = 0; i < 10 && !other.ended; i++)
        script_feed(&other, "[\"stream\",[\"pipeline\",1,[\"write\"],[1]]]");
    assert_true(other.ended);
    assert_int_equal(other.how, CAPNWEB_END_FAULT);
    script_end(&other);
}

static void a_stream_of_ours_is_written_to_a_pipe_of_the_peer(void **state)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(script.session);
    struct capnweb_value arg = capnweb_readable(pipe);

    (void)state;
    assert_int_equal(capnweb_invoke(script.peer, "r", &arg, 1, script_outcome, &script, NULL), 0);
    expect("[\"pipe\"]");
    expect("[\"push\",[\"pipeline\",0,[\"r\"],[[\"readable\",1]]]]");
    expect("[\"pull\",2]");
    assert_int_equal(capnweb_pipe_write(pipe, capnweb_cstring("x")), 0);
    expect("[\"stream\",[\"pipeline\",1,[\"write\"],[\"x\"]]]");
    capnweb_pipe_close(pipe);
    assert_int_equal(capnweb_pipe_write(pipe, capnweb_null()), -5);
    expect("[\"stream\",[\"pipeline\",1,[\"close\"],[]]]");
    quiet();
    feed("[\"resolve\",3,[\"undefined\"]]");
    quiet();
    feed("[\"resolve\",4,[\"undefined\"]]");
    expect("[\"release\",1,1]");
    capnweb_pipe_unref(pipe);
    feed("[\"resolve\",2,1]");
    expect("[\"release\",2,1]");
    quiet();
}

static void a_writer_waits_while_many_of_its_chunks_are_unanswered(void **state)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(script.session);
    struct capnweb_value arg = capnweb_readable(pipe);

    (void)state;
    assert_int_equal(capnweb_invoke(script.peer, "r", &arg, 1, script_outcome, &script, NULL), 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(capnweb_pipe_write(pipe, capnweb_number(i)), 0);
    assert_int_equal(capnweb_pipe_waiting(pipe), 4);
    feed("[\"resolve\",3,[\"undefined\"]]");
    assert_int_equal(capnweb_pipe_waiting(pipe), 3);
    capnweb_pipe_unref(pipe);
}

static void a_peer_that_rejects_a_chunk_gets_no_more(void **state)
{
    struct capnweb_pipe *pipe = capnweb_pipe_new(script.session);
    struct capnweb_value arg = capnweb_readable(pipe);

    (void)state;
    assert_int_equal(capnweb_invoke(script.peer, "r", &arg, 1, script_outcome, &script, NULL), 0);
    assert_int_equal(capnweb_pipe_write(pipe, capnweb_null()), 0);
    expect("[\"pipe\"]");
    expect("[\"push\",[\"pipeline\",0,[\"r\"],[[\"readable\",1]]]]");
    expect("[\"pull\",2]");
    expect("[\"stream\",[\"pipeline\",1,[\"write\"],[null]]]");
    feed("[\"reject\",3,[\"error\",\"Error\",\"no\"]]");
    expect("[\"release\",1,1]");
    assert_int_equal(capnweb_pipe_write(pipe, capnweb_null()), -5);
    capnweb_pipe_unref(pipe);
}

static void a_stream_of_the_peer_can_be_sent_back_to_it(void **state)
{
    (void)state;
    feed("[\"pipe\"]");
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[[\"readable\",1]]]]");
    feed("[\"pull\",2]");
    expect("[\"pipe\"]");
    expect("[\"resolve\",2,[\"readable\",1]]");
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[5]]]");
    expect("[\"stream\",[\"pipeline\",1,[\"write\"],[5]]]");
    expect("[\"resolve\",3,[\"undefined\"]]");
    feed("[\"resolve\",2,[\"undefined\"]]");
}

static void a_writable_of_the_peer_is_written_with_stream_messages(void **state)
{
    const struct capnweb_value chunk = capnweb_cstring("one");
    const struct capnweb_value *writable;

    (void)state;
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[[\"writable\",-1]]]]");
    writable = capnweb_call_arg(script.held, 0);
    assert_int_equal(writable->kind, CAPNWEB_WRITABLE);
    assert_int_equal(
        capnweb_invoke(writable->stub, "write", &chunk, 1, script_outcome, &script, NULL), 0);
    expect("[\"stream\",[\"pipeline\",-1,[\"write\"],[\"one\"]]]");
    feed("[\"resolve\",1,[\"undefined\"]]");
    assert_int_equal(script.outcomes, 1);
    quiet();
    answer_held();
    expect("[\"release\",-1,1]");
}

static void a_blob_arrives_when_all_its_bytes_have(void **state)
{
    (void)state;
    feed("[\"pipe\"]");
    feed("[\"push\",[\"pipeline\",0,[\"hold\"],[[\"blob\",\"text/plain\",[\"readable\",1]]]]]");
    assert_null(script.held);
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[[\"bytes\",\"aGVs\"]]]]");
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[[\"bytes\",\"bG8\"]]]]");
    feed("[\"stream\",[\"pipeline\",1,[\"close\"],[]]]");
    assert_non_null(script.held);
    const struct capnweb_value *blob = capnweb_call_arg(script.held, 0);
    assert_int_equal(blob->kind, CAPNWEB_BLOB);
    assert_int_equal(blob->blob->bytes, 5);
    assert_memory_equal(blob->blob->data, "hello", 5);
    assert_true(capnweb_text_is(blob->blob->type, "text/plain"));
}

static void a_blob_of_something_else_than_bytes_is_a_rejection(void **state)
{
    (void)state;
    feed("[\"pipe\"]");
    feed("[\"push\",[\"pipeline\",0,[\"echo\"],[[\"blob\",\"\",[\"readable\",1]]]]]");
    feed("[\"pull\",2]");
    feed("[\"stream\",[\"pipeline\",1,[\"write\"],[5]]]");
    expect("[\"resolve\",3,[\"undefined\"]]");
    expect("[\"reject\",2,[\"error\",\"TypeError\",\"the stream of a blob holds bytes only\"]]");
}

static void a_read_that_waits_fails_with_the_session(void **state)
{
    (void)state;
    give_stream();
    read_one();
    capnweb_lost(script.session, "cut");
    assert_int_equal(script.outcomes, 1);
    assert_true(script.rejected);
}

#define EACH(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(a_write_is_answered_when_its_chunk_is_taken),
        EACH(a_read_waits_for_its_chunk_and_there_is_one_at_a_time),
        EACH(a_stream_that_fails_gives_its_chunks_first),
        EACH(a_writer_that_goes_without_closing_fails_the_reader),
        EACH(writes_are_rejected_once_the_reader_has_given_up),
        EACH(a_stream_that_nobody_reads_is_given_up_with_the_call),
        EACH(a_pipe_is_named_once),
        EACH(more_than_may_wait_in_streams_ends_the_session),
        EACH(a_stream_of_ours_is_written_to_a_pipe_of_the_peer),
        EACH(a_writer_waits_while_many_of_its_chunks_are_unanswered),
        EACH(a_peer_that_rejects_a_chunk_gets_no_more),
        EACH(a_stream_of_the_peer_can_be_sent_back_to_it),
        EACH(a_writable_of_the_peer_is_written_with_stream_messages),
        EACH(a_blob_arrives_when_all_its_bytes_have),
        EACH(a_blob_of_something_else_than_bytes_is_a_rejection),
        EACH(a_read_that_waits_fails_with_the_session),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
