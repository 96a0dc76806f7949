/* Open tool calls. Runs in the host's process; ids and names come from a worker
 * and have been checked, answers come from the host. Rows stay sorted because
 * ids only grow, so an answer is found in O(log n). */
#include "executor/calls.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_ROWS = 8, NAMES_MAX = 10 };

/* Squeezes answered rows out; O(1) a call over time, as at least half of the
 * rows are free afterwards or the table doubles. */
static int make_room(struct calls *calls)
{
    struct open_call *rows;
    size_t kept = 0;
    size_t cap;

    for (size_t i = 0; i < calls->count; i++)
        if (calls->rows[i].name != NULL)
            calls->rows[kept++] = calls->rows[i];
    calls->count = kept;
    if (kept < calls->cap / 2)
        return 0;
    cap = calls->cap == 0 ? FIRST_ROWS : calls->cap * 2;
    rows = realloc(calls->rows, cap * sizeof(*rows));
    if (rows == NULL)
        return CM_E_NOMEM;
    calls->rows = rows;
    calls->cap = cap;
    return 0;
}

int calls_open(struct calls *calls, const struct cm_call *call)
{
    size_t provider_bytes = strlen(call->provider);
    size_t tool_bytes = strlen(call->tool);
    char *name;

    if (calls->count == calls->cap && make_room(calls) < 0)
        return CM_E_NOMEM;
    name = malloc(provider_bytes + 1 + tool_bytes + 1);
    if (name == NULL)
        return CM_E_NOMEM;
    memcpy(name, call->provider, provider_bytes);
    name[provider_bytes] = '.';
    memcpy(name + provider_bytes + 1, call->tool, tool_bytes + 1);
    calls->rows[calls->count++] = (struct open_call){ call->id, name };
    calls->open++;
    calls->made++;
    calls->last_id = call->id;
    return 0;
}

struct open_call *calls_find(const struct calls *calls, uint32_t id)
{
    size_t low = 0;
    size_t high = calls->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (calls->rows[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == calls->count || calls->rows[low].id != id || calls->rows[low].name == NULL)
        return NULL;
    return &calls->rows[low];
}

void calls_close(struct calls *calls, struct open_call *call)
{
    free(CM_TAKE(call->name));
    calls->open--;
    if (calls->open == 0)
        calls->count = 0;
}

char *calls_names(const struct calls *calls)
{
    char *text = NULL;
    size_t bytes;
    size_t shown = 0;
    FILE *to = open_memstream(&text, &bytes);

    if (to == NULL)
        return NULL;
    for (size_t i = 0; i < calls->count && shown < NAMES_MAX; i++)
        if (calls->rows[i].name != NULL)
            fprintf(to, "%s%s", shown++ == 0 ? "" : ", ", calls->rows[i].name);
    if (calls->open > shown)
        fprintf(to, ", and %zu more", calls->open - shown);
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

void calls_done(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        free(calls->rows[i].name);
    free(calls->rows);
    *calls = (struct calls){ .made = calls->made, .last_id = calls->last_id };
}
