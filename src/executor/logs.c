/* Log lines. Runs in the host's process; the texts come from a worker and are
 * UTF-8. How many there may be is checked before they come here. */
#include "executor/logs.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_LINES = 8 };

static int make_room(struct logs *logs)
{
    size_t cap = logs->cap == 0 ? FIRST_LINES : logs->cap * 2;
    struct cm_log *lines = realloc(logs->lines, cap * sizeof(*lines));

    if (lines == NULL)
        return CM_E_NOMEM;
    logs->lines = lines;
    logs->cap = cap;
    return 0;
}

int logs_add(struct logs *logs, const struct cm_log *line)
{
    char *text;

    if (logs->count == logs->cap && make_room(logs) < 0)
        return CM_E_NOMEM;
    text = malloc(line->text_bytes + 1);
    if (text == NULL)
        return CM_E_NOMEM;
    memcpy(text, line->text, line->text_bytes);
    text[line->text_bytes] = '\0';
    logs->lines[logs->count++] = (struct cm_log){ line->level, text, line->text_bytes };
    logs->bytes += line->text_bytes;
    return 0;
}

void logs_done(struct logs *logs)
{
    for (size_t i = 0; i < logs->count; i++)
        free((void *)(uintptr_t)logs->lines[i].text); /* cm_log lends it to the host as const */
    free(logs->lines);
    *logs = (struct logs){ 0 };
}
