/* Tool calls: which names are callable, what crosses, in which order, and what
 * becomes of an answer that comes too late or is none. */
#include "base/cleanup.h"
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NOT_JSON "The host's answer to store.raw is not valid JSON."

static const struct row rows[] = {
    { .name = "a declared tool is called",
      .code = "() => store.listUsers()",
      .result = "\"listUsers\"" },
    { .name = "an undeclared tool is called as well",
      .code = "() => store.notDeclared()",
      .result = "\"notDeclared\"" },
    { .name = "any property name is callable",
      .code = "() => Promise.all([store['a b'](), store[''](), store['\\u20ac'](), store[5](),"
              " store.constructor(), store.hasOwnProperty(), store.__proto__(), store.call()])",
      .result = "[\"a b\",\"\",\"\u20ac\",\"5\",\"constructor\",\"hasOwnProperty\",\"__proto__\","
                "\"call\"]" },
    { .name = "every provider has its own tools",
      .code = "() => Promise.all([store.x(), other.x()])",
      .result = "[\"x\",\"x\"]" },
    { .name = "then is not a tool, so a provider can be returned and awaited",
      .code = "async () => { const s = await store; return [typeof store.then, s === store] }",
      .result = "[\"undefined\",true]" },
    { .name = "symbols are not tools",
      .code =
          "() => [Symbol.iterator, Symbol.toPrimitive, Symbol('x')].map((s) => typeof store[s])",
      .result = "[\"undefined\",\"undefined\",\"undefined\"]" },
    { .name = "a provider converts to a string without a call",
      .code = "() => [String(store), `${other}`, store + '']",
      .result = "[\"[object Provider store]\",\"[object Provider other]\","
                "\"[object Provider store]\"]" },
    { .name = "a provider can be logged",
      .code = "() => { console.log(store) }",
      .logs = "log [object Provider store]|" },
    { .name = "a tool taken off its provider can be called",
      .code = "() => { const { listUsers } = store; return listUsers() }",
      .result = "\"listUsers\"" },
    { .name = "a tool can be given to map()",
      .code = "() => Promise.all([1, 2].map((n) => store.echo(n)))",
      .result = "[[1],[2]]" },
    { .name = "a tool is the same function each time",
      .code = "() => store.a === store.a && store.a !== other.a",
      .result = "true" },
    { .name = "an argument is seen as it was when the call was made",
      .code = "async () => { const o = { n: 1 }; const p = store.echo(o); o.n = 2; return p }",
      .result = "[{\"n\":1}]" },

    /* ---- answers ---- */
    { .name = "an empty answer is undefined",
      .code = "async () => String(await store.raw('{}'))",
      .result = "\"undefined\"" },
    { .name = "a null result is null",
      .code = "async () => await store.raw('{\"result\":null}') === null",
      .result = "true" },
    { .name = "false, zero and the empty text are results",
      .code =
          "async () => [await store.raw('{\"result\":false}'), await store.raw('{\"result\":0}'),"
          " await store.raw('{\"result\":\"\"}')]",
      .result = "[false,0,\"\"]" },
    { .name = "data with a key error is data",
      .code = "() => store.raw('{\"result\":{\"error\":\"not one\"}}')",
      .result = "{\"error\":\"not one\"}" },
    { .name = "an error rejects the call",
      .code = "async () => { try { await store.raw('{\"error\":\"no\"}') } catch (e) { return "
              "e.message } }",
      .result = "\"no\"" },
    { .name = "a dispatch that fails rejects the call with its message",
      .code = "async () => { try { await store.reject('down') } catch (e) {"
              " return [e instanceof Error, e.message] } }",
      .result = "[true,\"down\"]" },
    { .name = "an answer that is not JSON rejects the call",
      .code = "async () => { try { await store.raw('{oops') } catch (e) { return e.message } }",
      .result = "\"" NOT_JSON "\"" },
    { .name = "an empty text as an answer rejects the call",
      .code = "async () => { try { await store.raw('') } catch (e) { return e.message } }",
      .result = "\"" NOT_JSON "\"" },
    { .name = "JSON that is no object rejects the call",
      .code = "async () => { const out = []; for (const text of ['5', 'null', '[1]', '\"x\"'])"
              " await store.raw(text).catch((e) => out.push(e.message)); return out }",
      .result = "[\"" NOT_JSON "\",\"" NOT_JSON "\",\"" NOT_JSON "\",\"" NOT_JSON "\"]" },
    { .name = "the sentence about an answer names its tool",
      .code = "async () => { await store.raw('nonsense') }",
      .error = NOT_JSON },

    /* ---- many at once ---- */
    { .name = "calls in flight at once run at once and settle in any order",
      .code = "async () => { const order = []; const held = ['a', 'b', 'c'].map((n) =>"
              " store.hold().then(() => order.push(n))); await store.flush();"
              " await Promise.all(held); return order }",
      .result = "[\"c\",\"b\",\"a\"]" },
    { .name = "200 calls at once are answered",
      .code = "async () => (await Promise.all(Array.from({ length: 200 }, (_, i) =>"
              " store.echo(i)))).every(([n], i) => n === i)",
      .result = "true" },
    { .name = "a race between a tool and a timer works",
      .code = "async () => Promise.race([store.silent(), new Promise((r) => setTimeout(r, 1, "
              "'timer'))])",
      .result = "\"timer\"",
      .logs = "warn The run ended before 1 tool call was answered: store.silent. Await every tool "
              "call before returning.|" },

    /* ---- too late ---- */
    { .name = "one call without an answer is named in a last line",
      .code = "async () => { store.silent(); return 1 }",
      .result = "1",
      .logs = "warn The run ended before 1 tool call was answered: store.silent. Await every tool "
              "call before returning.|" },
    { .name = "calls without an answer are named in a last line",
      .code = "async () => { console.log('x'); store.silent(); other.hold(); return 1 }",
      .result = "1",
      .logs = "log x|warn The run ended before 2 tool calls were answered: store.silent, "
              "other.hold. Await every tool call before returning.|" },
    { .name = "a run that fails names its open calls too",
      .code = "async () => { store.silent(); throw new Error('x') }",
      .error = "x",
      .logs = "warn The run ended before 1 tool call was answered: store.silent. Await every tool "
              "call before returning.|" },

    /* ---- without a dispatch function ---- */
    { .name = "a call without a dispatch function rejects",
      .code = "async () => { await store.listUsers() }",
      .error = "No dispatch function was given, so store.listUsers cannot be called.",
      .deaf = true },
    { .name = "a call without a dispatch function can be caught",
      .code = "async () => { try { await store.x() } catch (e) { return e.name } }",
      .result = "\"Error\"",
      .deaf = true },

    /* ---- what a provider is not ---- */
    { .name = "a provider cannot be changed",
      .code =
          "() => { for (const change of [() => { store.a = 1 }, () => { delete store.a },"
          " () => Object.defineProperty(store, 'a', { value: 1 })])"
          " try { change(); return 'changed' } catch (e) { if (!(e instanceof TypeError)) throw e }"
          " return typeof store.a }",
      .result = "\"function\"" },
    { .name = "a provider has no keys and no prototype",
      .code = "() => [Object.keys(store), Object.getPrototypeOf(store), 'anything' in store,"
              " 'then' in store]",
      .result = "[[],null,true,false]" },
    { .name = "a name that was not given is not there",
      .code = "() => [typeof store, typeof nobody]",
      .result = "[\"object\",\"undefined\"]" },
};

/* ---- late answers ---- */

static void an_answer_after_the_end_is_refused_and_changes_nothing(void **state)
{
    struct job job = { .code = "async () => { store.silent(); return 1 }" };
    struct job next = { .code = "() => store.echo(2)" };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    assert_int_equal(job.open_count, 1);
    assert_int_equal(job.drop_count, 1);
    assert_int_equal(cm_run_answer(job.run, job.open[0], "{}", 2), CM_E_STATE);
    assert_int_equal(cm_run_reject(job.run, job.open[0], "x", 1), CM_E_STATE);
    host_run(&host, &next);
    expect_result(&next, "[2]");
    job_done(&job);
    job_done(&next);
    host_close(&host);
}

static void answer_twice(struct job *job, const struct cm_call *call)
{
    assert_int_equal(cm_run_answer(job->run, call->id + 1, "{}", 2), CM_E_STATE);
    assert_int_equal(cm_run_answer(job->run, call->id, "{\"result\":1}", 12), 0);
    assert_int_equal(cm_run_answer(job->run, call->id, "{\"result\":2}", 12), CM_E_STATE);
}

static void a_call_is_answered_once(void **state)
{
    struct job job = { .code = "() => store.x()", .in_call = answer_twice };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_result(&job, "1");
    job_done(&job);
    host_close(&host);
}

/* All once the last has come: the program ends with the first answer, and does not wait
 * for the others. */
static void answer_large(struct job *job, const struct cm_call *call)
{
    enum { BYTES = 20000 }; /* all of them fit the socket */
    static char text[BYTES + 1];

    memset(text, ' ', BYTES);
    memcpy(text, "{\"result\":1}", 12);
    job->open[job->open_count++] = call->id;
    if (job->open_count < 8)
        return;
    for (size_t i = 0; i < job->open_count; i++)
        assert_int_equal(cm_run_answer(job->run, job->open[i], text, BYTES), 0);
}

static void answers_that_a_program_does_not_wait_for_are_none_of_the_next(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", "WORKERS_IDLE", "1", NULL };
    static const char code[] = "async () => { const all = []; for (let i = 0; i < 8; i++)"
                               " all.push(store.x(i)); return await all[0] }";
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (int i = 0; i < 20; i++) {
        struct job job = { .code = code, .in_call = answer_large };

        host_run(&host, &job);
        expect_result(&job, "1");
        job_done(&job);
    }
    host_close(&host);
}

static void a_call_tells_provider_tool_and_arguments(struct job *job, const struct cm_call *call)
{
    expect_text("provider", call->provider, "other");
    expect_text("tool", call->tool, "do it");
    expect_text("arguments", call->args, "[1,\"a\",{\"b\":" BINARY("Uint8Array", "AQ==") "}]");
    assert_int_equal(strlen(call->args), call->args_bytes);
    assert_int_equal(cm_run_answer(job->run, call->id, "{}", 2), 0);
}

static void a_host_hears_provider_tool_and_arguments(void **state)
{
    struct job job = { .code = "() => other['do it'](1, 'a', { b: new Uint8Array([1]) })",
                       .in_call = a_call_tells_provider_tool_and_arguments };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_result(&job, NULL);
    assert_int_equal(job.call_count, 1);
    job_done(&job);
    host_close(&host);
}

static void a_killed_run_drops_its_calls_before_its_end(void **state)
{
    struct job job = { .code = "async () => { store.silent(); store.silent(); for (;;); }",
                       .timeout_ms = 100 };
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_run(&host, &job);
    expect_text("failure", cm_failure_name(cm_run_outcome(job.run)->failure), "timeout");
    assert_int_equal(job.drop_count, job.call_count);
    job_done(&job);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_after_the_end_is_refused_and_changes_nothing),
        cmocka_unit_test(a_call_is_answered_once),
        cmocka_unit_test(answers_that_a_program_does_not_wait_for_are_none_of_the_next),
        cmocka_unit_test(a_host_hears_provider_tool_and_arguments),
        cmocka_unit_test(a_killed_run_drops_its_calls_before_its_end),
    };
    static const struct group group = { .name = "tools",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
