/* Outcomes as values of the wire. Runs in the host's process; what a daemon answers is
 * checked here as to its types. Texts are not copied: a result may be large. */
#include "client/outcome.h"

#include "base/cleanup.h"

#include <string.h>

static const char *const levels[] = {
#define LEVEL_WORD(name, word) [CM_LEVEL_##name] = #word,
    CM_LEVEL_MAP(LEVEL_WORD)
#undef LEVEL_WORD
};

static const struct {
    const char *word;
    enum cm_failure failure;
} failures[] = {
#define FAILURE_ROW(name, word) { #word, CM_FAILURE_##name },
    CM_FAILURE_MAP(FAILURE_ROW)
#undef FAILURE_ROW
};

bool outcome_take_log(const struct capnweb_value *value, struct cm_log *line)
{
    struct capnweb_text level = capnweb_get_text(value, "level");
    struct capnweb_text text = capnweb_get_text(value, "text");

    if (level.data == NULL || text.data == NULL)
        return false;
    *line = (struct cm_log){ CM_LEVEL_LOG, text.data, text.bytes };
    for (size_t i = 0; i < CM_ARRAY_LEN(levels); i++)
        if (capnweb_text_is(level, levels[i]))
            line->level = (enum cm_level)i;
    return true;
}

/* Memory for the elements of a member that is an array; absent is empty. */
static int take_array(const struct capnweb_value *value, const char *key, size_t element_bytes,
                      const struct capnweb_value **ret_array, void *ret_elements)
{
    const struct capnweb_value *array = capnweb_get(value, key);
    void *elements;

    if (array != NULL && array->kind != CAPNWEB_ARRAY)
        return CM_E_PEER;
    elements = calloc(array == NULL ? 1 : array->array.count + 1, element_bytes);
    if (elements == NULL)
        return CM_E_NOMEM;
    memcpy(ret_elements, &elements, sizeof(elements));
    *ret_array = array;
    return 0;
}

static int take_logs(const struct capnweb_value *value, struct brought *brought,
                     struct cm_outcome *outcome)
{
    const struct capnweb_value *lines;
    int r = take_array(value, "logs", sizeof(*brought->logs), &lines, &brought->logs);

    if (r < 0)
        return r;
    outcome->logs = brought->logs;
    outcome->log_count = lines == NULL ? 0 : lines->array.count;
    for (size_t i = 0; i < outcome->log_count; i++)
        if (!outcome_take_log(&lines->array.items[i], &brought->logs[i]))
            return CM_E_PEER;
    return 0;
}

static int take_handles(const struct capnweb_value *value, struct brought *brought,
                        struct cm_outcome *outcome)
{
    const struct capnweb_value *names;
    int r = take_array(value, "handles", sizeof(*brought->handles), &names, &brought->handles);

    if (r < 0)
        return r;
    outcome->execution_id = capnweb_get_text(value, "executionId").data;
    if (outcome->execution_id == NULL)
        return 0;
    outcome->handles = brought->handles;
    outcome->handle_count = names == NULL ? 0 : names->array.count;
    for (size_t i = 0; i < outcome->handle_count; i++) {
        if (names->array.items[i].kind != CAPNWEB_STRING)
            return CM_E_PEER;
        brought->handles[i] = names->array.items[i].text.data;
    }
    return 0;
}

static int take_response(const struct capnweb_value *value, struct brought *brought,
                         struct cm_outcome *outcome)
{
    const struct capnweb_value *response = capnweb_get(value, "response");
    int r;

    if (response == NULL)
        return 0;
    r = exchange_take_response(response, &brought->response, NULL);
    outcome->response = &brought->response.response;
    return r == CM_E_INVAL ? CM_E_PEER : r;
}

static void take_failure(const struct capnweb_value *value, struct cm_outcome *outcome)
{
    struct capnweb_text word = capnweb_get_text(value, "failure");

    outcome->failure = CM_FAILURE_THROWN;
    for (size_t i = 0; i < CM_ARRAY_LEN(failures) && word.data != NULL; i++)
        if (capnweb_text_is(word, failures[i].word))
            outcome->failure = failures[i].failure;
}

static void take_texts(const struct capnweb_value *value, struct cm_outcome *outcome)
{
    struct capnweb_text error = capnweb_get_text(value, "error");
    struct capnweb_text result = capnweb_get_text(value, "result");
    struct capnweb_text stack = capnweb_get_text(value, "stack");

    if (error.data != NULL) {
        take_failure(value, outcome);
        outcome->error = error.data;
        outcome->error_bytes = error.bytes;
        outcome->stack = stack.data;
        outcome->stack_bytes = stack.bytes;
    } else {
        outcome->result = result.data;
        outcome->result_bytes = result.bytes;
    }
}

int outcome_take(const struct capnweb_outcome *answer, struct cm_outcome *outcome,
                 struct brought **ret_brought)
{
    const struct capnweb_value *value = answer->value;
    struct brought *brought = calloc(1, sizeof(*brought));
    int r;

    *outcome = (struct cm_outcome){ .fault = CM_FAULT_NONE };
    if (brought == NULL)
        return CM_E_NOMEM;
    brought->tree = capnweb_tree_ref(answer->tree);
    r = value->kind == CAPNWEB_OBJECT ? take_logs(value, brought, outcome) : CM_E_PEER;
    if (r == 0)
        r = take_handles(value, brought, outcome);
    if (r == 0)
        r = take_response(value, brought, outcome);
    if (r < 0) {
        outcome_release(brought);
        return r;
    }
    take_texts(value, outcome);
    *ret_brought = brought;
    return 0;
}

void outcome_release(void *pointer)
{
    struct brought *brought = pointer;

    if (brought == NULL)
        return;
    free(brought->logs);
    free(brought->handles);
    exchange_response_done(&brought->response);
    capnweb_tree_unref(brought->tree);
    free(brought);
}
