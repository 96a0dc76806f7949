/* The modules of one run. Runs in a worker. The frame is the supervisor's; what a
 * compiler made of hostile texts in it is checked like the supervisor checked it. */
#include "worker/modules.h"

#include "base/cleanup.h"

#include <string.h>

bool modules_compiled(enum ipc_kind kind)
{
    return kind == IPC_KIND_PROGRAM || kind == IPC_KIND_ESM || kind == IPC_KIND_CJS;
}

static int take_kept(const struct kept_modules *kept, size_t number, struct module *module)
{
    const struct module *from;

    if (number > kept->count)
        return CM_E_PEER;
    from = &kept->rows[number - 1];
    if (from->kind != module->kind)
        return CM_E_PEER;
    module->compiled = from->compiled;
    module->kept = strcmp(from->name, module->name) == 0 ? number : 0;
    return 0;
}

/* Takes one entry off the front of [*at, end). */
static int take_module(const struct kept_modules *kept, const uint8_t **at, const uint8_t *end,
                       struct module *ret_module)
{
    struct ipc_module head;
    size_t rest = (size_t)(end - *at);
    const uint8_t *body;

    if (rest < sizeof(head))
        return CM_E_PEER;
    memcpy(&head, *at, sizeof(head));
    rest -= sizeof(head);
    if (rest < head.name_bytes + UINT64_C(1) || rest - head.name_bytes - 1 < head.body_bytes)
        return CM_E_PEER;
    body = *at + sizeof(head) + head.name_bytes + 1;
    *ret_module = (struct module){ .kind = (enum ipc_kind)head.kind,
                                   .name = (const char *)*at + sizeof(head) };
    *at = body + head.body_bytes;
    if (head.kept > 0)
        return take_kept(kept, head.kept, ret_module);
    if (modules_compiled(ret_module->kind))
        return ipc_read_compiled(body, head.body_bytes, &ret_module->compiled);
    if (head.body_bytes == 0) /* without its NUL */
        return CM_E_PEER;
    ret_module->source = (const char *)body;
    ret_module->source_bytes = head.body_bytes - 1;
    return 0;
}

static int take_all(const struct kept_modules *kept, const uint8_t *at, size_t bytes, size_t count,
                    struct module *ret_modules)
{
    const uint8_t *end = at + bytes;
    int r = 0;

    for (size_t i = 0; r == 0 && i < count; i++)
        r = take_module(kept, &at, end, &ret_modules[i]);
    return r;
}

int modules_take(struct modules *modules, const struct kept_modules *kept, struct cm_buf *frame,
                 const uint8_t *at, size_t bytes, size_t count)
{
    struct module *rows = calloc(count, sizeof(*rows));
    int r = rows == NULL ? CM_E_NOMEM : take_all(kept, at, bytes, count, rows);

    if (r < 0) {
        free(rows);
        return r;
    }
    *modules = (struct modules){ *frame, rows, count };
    cm_buf_init(frame, frame->max);
    return 0;
}

int modules_keep(struct kept_modules *kept, const uint8_t *at, size_t bytes, size_t count)
{
    uint8_t *copy = kept->texts + kept->text_bytes;
    int r;

    if (count > IPC_KEEP_MAX - kept->count || bytes > IPC_KEEP_BYTES - kept->text_bytes)
        return CM_E_LIMIT;
    memcpy(copy, at, bytes);
    r = take_all(kept, copy, bytes, count, &kept->rows[kept->count]);
    if (r < 0)
        return r;
    kept->text_bytes += bytes;
    kept->count += count;
    return 0;
}

void modules_done(struct modules *modules)
{
    cm_buf_done(&modules->frame);
    free(modules->rows);
    *modules = (struct modules){ 0 };
}

struct shift {
    uint32_t line;
    uint32_t column; /* from here on to the end of the line */
    int32_t by;
};

static struct shift shift_at(const struct module *module, size_t i)
{
    struct shift shift;

    memcpy(&shift, module->compiled.map + i * sizeof(shift), sizeof(shift));
    return shift;
}

/* The last shift of the line at or before the column, by halving. */
unsigned modules_column(const struct module *module, unsigned line, unsigned column)
{
    size_t low = 0;
    size_t high = module->compiled.head.map_count / 3;
    struct shift shift;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        shift = shift_at(module, middle);
        if (shift.line < line || (shift.line == line && shift.column <= column))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return column;
    shift = shift_at(module, low - 1);
    if (shift.line != line || shift.by >= (int64_t)column)
        return shift.line == line ? 1 : column;
    return (unsigned)((int64_t)column - shift.by);
}
