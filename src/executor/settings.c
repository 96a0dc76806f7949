/* Settings by name. Runs in the host's process; names and values come from the
 * embedder's configuration. A value that is stored is within its row's bounds. */
#include "executor/settings.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_MS       "ms"
#define UNIT_MB       "MB"
#define UNIT_BYTES    "bytes"
#define UNIT_COUNT    "count"
#define UNIT_OUTBOUND "word"

static const char *const outbound_words[] = { "public", "open", "null", NULL };

#define WORDS_MS       NULL
#define WORDS_MB       NULL
#define WORDS_BYTES    NULL
#define WORDS_COUNT    NULL
#define WORDS_OUTBOUND outbound_words

static const struct row {
    struct cm_setting_info info;
    size_t offset;
} rows[] = {
#define CM_SETTING(field, name, unit, initial, min, max, help)       \
    { { #name, UNIT_##unit, help, initial, min, max, WORDS_##unit }, \
      offsetof(struct cm_settings, field) },
#include "tables/settings.def"
#undef CM_SETTING
};

static const struct cm_setting_info worker_path_info = {
    "WORKER_PATH", "text", "the codemode-worker program", 0, 0, 0, NULL
};

const struct cm_setting_info *cm_setting_info(size_t index)
{
    if (index < CM_ARRAY_LEN(rows))
        return &rows[index].info;
    return index == CM_ARRAY_LEN(rows) ? &worker_path_info : NULL;
}

static const struct row *row_find(const char *name)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        if (strcmp(rows[i].info.name, name) == 0)
            return &rows[i];
    return NULL;
}

/* A row whose default lies below its bounds may also be unset. */
static bool may_be_none(const struct row *row)
{
    return row->info.initial < row->info.min;
}

static void store(struct cm_settings *settings, const struct row *row, uint64_t value)
{
    memcpy((char *)settings + row->offset, &value, sizeof(value));
}

static uint64_t load(const struct cm_settings *settings, const struct row *row)
{
    uint64_t value;

    memcpy(&value, (const char *)settings + row->offset, sizeof(value));
    return value;
}

struct cm_settings *cm_settings_new(void)
{
    struct cm_settings *settings = calloc(1, sizeof(*settings));

    if (settings == NULL)
        return NULL;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        store(settings, &rows[i], rows[i].info.initial);
    settings->worker_path = strdup(CM_WORKER_PATH);
    if (settings->worker_path == NULL) {
        cm_settings_free(settings);
        return NULL;
    }
    return settings;
}

static int set_worker_path(struct cm_settings *settings, const char *value, struct cm_error *err)
{
    char *path;

    if (value[0] == '\0')
        return cm_fail(err, CM_E_INVAL, 0,
                       "WORKER_PATH is empty, but takes the path of the codemode-worker program");
    path = strdup(value);
    if (path == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for WORKER_PATH");
    free(settings->worker_path);
    settings->worker_path = path;
    return 0;
}

/* The number of a word, from 1; 0: it is none. */
static uint64_t word_find(const char *const *words, const char *value)
{
    for (uint64_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], value) == 0)
            return i + 1;
    return 0;
}

static int set_word(struct cm_settings *settings, const struct row *row, const char *value,
                    struct cm_error *err)
{
    const char *const *words = row->info.words;
    uint64_t number = word_find(words, value);
    char accepted[128] = "";

    if (number > 0) {
        store(settings, row, number);
        return 0;
    }
    for (size_t i = 0, used = 0; words[i] != NULL && used < sizeof(accepted); i++) {
        const char *before = i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ";

        used +=
            (size_t)snprintf(accepted + used, sizeof(accepted) - used, "%s%s", before, words[i]);
    }
    return cm_fail(err, CM_E_INVAL, 0, "%s is '%.64s', but takes %s", row->info.name, value,
                   accepted);
}

static int refuse(const struct row *row, const char *value, struct cm_error *err)
{
    const struct cm_setting_info *info = &row->info;
    const char *unit = strcmp(info->unit, UNIT_COUNT) == 0 ? "" : info->unit;

    return cm_fail(err, CM_E_INVAL, 0,
                   "%s is '%.64s', but takes a whole number%s%s from %s to %s%s", info->name, value,
                   unit[0] == '\0' ? "" : " of ", unit, cm_number_grouped(info->min).text,
                   cm_number_grouped(info->max).text, may_be_none(row) ? ", or none" : "");
}

int cm_settings_set(struct cm_settings *settings, const char *name, const char *value,
                    struct cm_error *err)
{
    const struct row *row;
    uint64_t number;

    if (settings == NULL || name == NULL || value == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "settings, name and value are required");
    if (strcmp(name, worker_path_info.name) == 0)
        return set_worker_path(settings, value, err);
    row = row_find(name);
    if (row == NULL)
        return cm_fail(err, CM_E_INVAL, 0, "no setting is called '%.64s'", name);
    if (row->info.words != NULL)
        return set_word(settings, row, value, err);
    if (may_be_none(row) && strcmp(value, "none") == 0) {
        store(settings, row, row->info.initial);
        return 0;
    }
    if (!cm_parse_u64(value, &number) || number < row->info.min || number > row->info.max)
        return refuse(row, value, err);
    store(settings, row, number);
    return 0;
}

const char *cm_settings_get(struct cm_settings *settings, const char *name)
{
    const struct row *row;

    if (settings == NULL || name == NULL)
        return NULL;
    if (strcmp(name, worker_path_info.name) == 0)
        return settings->worker_path;
    row = row_find(name);
    if (row == NULL)
        return NULL;
    if (load(settings, row) < row->info.min)
        return "none";
    if (row->info.words != NULL)
        return row->info.words[load(settings, row) - 1];
    snprintf(settings->number_text, sizeof(settings->number_text), "%" PRIu64, load(settings, row));
    return settings->number_text;
}

int settings_copy(struct cm_settings *to, const struct cm_settings *from)
{
    char *path = strdup(from->worker_path);

    if (path == NULL)
        return CM_E_NOMEM;
    settings_done(to);
    *to = *from;
    to->worker_path = path;
    return 0;
}

void settings_done(struct cm_settings *settings)
{
    free(CM_TAKE(settings->worker_path));
}

void cm_settings_free(struct cm_settings *settings)
{
    if (settings == NULL)
        return;
    settings_done(settings);
    free(settings);
}
