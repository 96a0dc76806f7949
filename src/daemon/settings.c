/* The settings of the daemon. Runs in the daemon; names and values come from the
 * one who starts it. A value that is stored has passed its row's check. */
#include "daemon/settings.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"
#include "daemon/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MIN = 16, TOKEN_MAX = 1024, HOST_MAX_CHARS = 255, ORIGINS_MAX_CHARS = 4096 };

#define UNIT_MS    "ms"
#define UNIT_BYTES "bytes"
#define UNIT_COUNT "count"

static const char masked[] = "********";

static bool is_visible(const char *text, size_t min, size_t max)
{
    size_t len = strlen(text);

    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return len >= min && len <= max;
}

static bool is_host(const char *text)
{
    return is_visible(text, 1, HOST_MAX_CHARS);
}

static bool is_token(const char *text)
{
    return is_visible(text, TOKEN_MIN, TOKEN_MAX);
}

static bool is_path(const char *text)
{
    return text[0] != '\0';
}

static bool is_log_level(const char *text)
{
    return log_level_parse(text) >= 0;
}

/* "scheme://host" or "scheme://host:port", nothing behind it. */
static bool is_origin(const char *text, size_t len)
{
    const char *host = memmem(text, len, "://", 3);
    size_t host_len;

    if (host == NULL || host == text)
        return false;
    host_len = len - (size_t)(host + 3 - text);
    return host_len > 0 && memchr(host + 3, '/', host_len) == NULL;
}

static bool is_origins(const char *text)
{
    if (!is_visible(text, 1, ORIGINS_MAX_CHARS))
        return false;
    for (;;) {
        size_t len = strcspn(text, ",");

        if (!is_origin(text, len))
            return false;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

static const struct row {
    struct cm_setting_info info;
    size_t offset;
    const char *initial; /* of a text; NULL: a number */
    bool (*accept)(const char *text);
    const char *accepts;
    bool secret;
} rows[DAEMON_SETTING_COUNT] = {
#define DAEMON_TEXT(field, NAME, initial, accept, accepts, secret, help) \
    [DAEMON_SETTING_##NAME] = { { #NAME, "text", help, 0, 0, 0, NULL },  \
                                offsetof(struct daemon_settings, field), \
                                initial,                                 \
                                accept,                                  \
                                accepts,                                 \
                                secret },
#define DAEMON_NUMBER(field, NAME, unit, initial, min, max, help)                      \
    [DAEMON_SETTING_##NAME] = { { #NAME, UNIT_##unit, help, initial, min, max, NULL }, \
                                offsetof(struct daemon_settings, field),               \
                                NULL,                                                  \
                                NULL,                                                  \
                                NULL,                                                  \
                                false },
#include "tables/daemon.def"
};

const struct cm_setting_info *daemon_setting_info(size_t index)
{
    return index < DAEMON_SETTING_COUNT ? &rows[index].info : NULL;
}

static char **text_of(struct daemon_settings *settings, const struct row *row)
{
    return (char **)(void *)((char *)settings + row->offset);
}

static uint64_t *number_of(struct daemon_settings *settings, const struct row *row)
{
    return (uint64_t *)(void *)((char *)settings + row->offset);
}

static bool may_be_none(const struct row *row)
{
    return row->info.initial < row->info.min;
}

struct cm_number daemon_setting_initial(size_t index)
{
    const struct row *row = &rows[index];
    struct cm_number text;

    if (row->initial == NULL && !may_be_none(row))
        return cm_number_grouped(row->info.initial);
    snprintf(text.text, sizeof(text.text), "%s",
             row->initial == NULL || row->initial[0] == '\0' ? "none" : row->initial);
    return text;
}

/* ---- their life ---- */

static bool set_defaults(struct daemon_settings *settings)
{
    for (size_t i = 0; i < DAEMON_SETTING_COUNT; i++) {
        if (rows[i].initial == NULL) {
            *number_of(settings, &rows[i]) = rows[i].info.initial;
            continue;
        }
        *text_of(settings, &rows[i]) = strdup(rows[i].initial);
        if (*text_of(settings, &rows[i]) == NULL)
            return false;
    }
    settings->executor = cm_settings_new();
    return settings->executor != NULL;
}

struct daemon_settings *daemon_settings_new(void)
{
    struct daemon_settings *settings = calloc(1, sizeof(*settings));

    if (settings == NULL || set_defaults(settings))
        return settings;
    daemon_settings_free(settings);
    return NULL;
}

/* A secret does not stay behind in memory that is given back. */
static void free_text(char *text)
{
    if (text != NULL)
        explicit_bzero(text, strlen(text));
    free(text);
}

void daemon_settings_free(struct daemon_settings *settings)
{
    if (settings == NULL)
        return;
    for (size_t i = 0; i < DAEMON_SETTING_COUNT; i++)
        if (rows[i].initial != NULL)
            free_text(*text_of(settings, &rows[i]));
    cm_settings_free(settings->executor);
    free(settings);
}

/* ---- setting one ---- */

static int set_text(struct daemon_settings *settings, const struct row *row, const char *value,
                    struct cm_error *err)
{
    char *copy;

    if (!row->accept(value))
        return cm_fail(err, CM_E_INVAL, 0, "%s is '%.64s', but takes %s", row->info.name,
                       row->secret ? masked : value, row->accepts);
    copy = strdup(value);
    if (copy == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for %s", row->info.name);
    free_text(*text_of(settings, row));
    *text_of(settings, row) = copy;
    return 0;
}

static int set_number(struct daemon_settings *settings, const struct row *row, const char *value,
                      struct cm_error *err)
{
    const struct cm_setting_info *info = &row->info;
    bool counted = strcmp(info->unit, UNIT_COUNT) == 0;
    uint64_t number;

    if (may_be_none(row) && strcmp(value, "none") == 0) {
        *number_of(settings, row) = info->initial;
        return 0;
    }
    if (!cm_parse_u64(value, &number) || number < info->min || number > info->max)
        return cm_fail(err, CM_E_INVAL, 0,
                       "%s is '%.64s', but takes a whole number%s%s from %s to %s%s", info->name,
                       value, counted ? "" : " of ", counted ? "" : info->unit,
                       cm_number_grouped(info->min).text, cm_number_grouped(info->max).text,
                       may_be_none(row) ? ", or none" : "");
    *number_of(settings, row) = number;
    return 0;
}

static int set_executors(struct daemon_settings *settings, const char *name, const char *value,
                         enum daemon_source source, struct cm_error *err)
{
    const struct cm_setting_info *info;
    int r = cm_settings_set(settings->executor, name, value, err);

    if (r < 0)
        return r;
    for (size_t i = 0; i < DAEMON_EXECUTOR_SETTINGS_MAX; i++) {
        info = cm_setting_info(i);
        if (info == NULL)
            break;
        if (strcmp(info->name, name) == 0)
            settings->executor_sources[i] = source;
    }
    return 0;
}

int daemon_settings_set(struct daemon_settings *settings, const char *name, const char *value,
                        enum daemon_source source, struct cm_error *err)
{
    for (size_t i = 0; i < DAEMON_SETTING_COUNT; i++) {
        int r;

        if (strcmp(rows[i].info.name, name) != 0)
            continue;
        r = rows[i].initial != NULL ? set_text(settings, &rows[i], value, err)
                                    : set_number(settings, &rows[i], value, err);
        if (r == 0)
            settings->sources[i] = source;
        return r;
    }
    return set_executors(settings, name, value, source, err);
}

/* ---- the token's file ---- */

static int refuse_file(const char *path, int sys_errno, struct cm_error *err)
{
    return cm_fail(err, CM_E_INVAL, sys_errno,
                   "AUTH_TOKEN_FILE is '%.64s', but takes the path of a file that holds 16 to "
                   "1,024 visible ASCII characters",
                   path);
}

/* A line end behind the token is not part of it. */
static int read_token(struct daemon_settings *settings, struct cm_error *err)
{
    const char *path = settings->auth_token_file;
    char token[TOKEN_MAX + 3];
    FILE *file = fopen(path, "re");
    size_t len;
    int r;

    if (file == NULL)
        return refuse_file(path, errno, err);
    len = fread(token, 1, sizeof(token) - 1, file);
    fclose(file);
    while (len > 0 && (token[len - 1] == '\n' || token[len - 1] == '\r'))
        len--;
    token[len] = '\0';
    if (is_token(token))
        r = daemon_settings_set(settings, "AUTH_TOKEN", token,
                                settings->sources[DAEMON_SETTING_AUTH_TOKEN_FILE], err);
    else
        r = refuse_file(path, 0, err);
    explicit_bzero(token, sizeof(token));
    return r;
}

int daemon_settings_finish(struct daemon_settings *settings, struct cm_error *err)
{
    if (settings->auth_token_file[0] == '\0')
        return 0;
    if (settings->auth_token[0] != '\0')
        return cm_fail(err, CM_E_INVAL, 0,
                       "AUTH_TOKEN_FILE is '%.64s', but AUTH_TOKEN is set too; one of them is "
                       "accepted",
                       settings->auth_token_file);
    return read_token(settings, err);
}

/* ---- showing them ---- */

static void show_own(struct daemon_settings *settings, const struct row *row,
                     struct daemon_shown *shown)
{
    if (row->initial != NULL) {
        const char *text = *text_of(settings, row);

        shown->value = row->secret ? masked : text;
        if (text[0] == '\0')
            shown->value = "none";
        return;
    }
    shown->value = "none";
    if (*number_of(settings, row) < row->info.min)
        return;
    snprintf(shown->number, sizeof(shown->number), "%" PRIu64, *number_of(settings, row));
    shown->value = shown->number;
}

bool daemon_settings_show(struct daemon_settings *settings, size_t index,
                          struct daemon_shown *shown)
{
    static const char *const words[] = { "default", "environment", "flag" };
    const struct cm_setting_info *info;

    if (index < DAEMON_SETTING_COUNT) {
        shown->name = rows[index].info.name;
        shown->source = words[settings->sources[index]];
        show_own(settings, &rows[index], shown);
        return true;
    }
    index -= DAEMON_SETTING_COUNT;
    info = cm_setting_info(index);
    if (info == NULL || index >= DAEMON_EXECUTOR_SETTINGS_MAX)
        return false;
    shown->name = info->name;
    shown->source = words[settings->executor_sources[index]];
    shown->value = cm_settings_get(settings->executor, info->name);
    return true;
}
