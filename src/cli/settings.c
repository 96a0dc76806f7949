/* The executor's settings as the user gave them: environment, options, and where
 * the worker program lies. Runs in codemode-executor. */
#include "cli/settings.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char worker_name[] = "codemode-worker";

/* In a build tree the worker lies next to this program. An installed one has its
 * place in the library. */
static int find_worker(struct cm_settings *settings, struct cm_error *err)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
    char *name;

    if (len < 0 || (size_t)len >= sizeof(path))
        return 0;
    path[len] = '\0';
    name = strrchr(path, '/') + 1;
    if (sizeof(path) - (size_t)(name - path) < sizeof(worker_name))
        return 0;
    memcpy(name, worker_name, sizeof(worker_name));
    return access(path, X_OK) == 0 ? cm_settings_set(settings, "WORKER_PATH", path, err) : 0;
}

/* A variable that is set to nothing is not set. */
static int take_environment(struct cm_settings *settings, struct cm_error *err)
{
    const struct cm_setting_info *setting;

    for (size_t i = 0; (setting = cm_setting_info(i)) != NULL; i++) {
        const char *value = getenv(cli_setting_variable(setting));
        int r;

        if (value == NULL || value[0] == '\0')
            continue;
        r = cm_settings_set(settings, setting->name, value, err);
        if (r < 0)
            return r;
    }
    return 0;
}

static int take_options(struct cm_settings *settings, const struct cli_options *options,
                        struct cm_error *err)
{
    for (size_t i = 0; i < options->given_count; i++) {
        const struct cli_given *given = &options->given[i];
        int r = 0;

        if (given->option == CLI_OPT_SETTING)
            r = cm_settings_set(settings, given->setting->name, given->value, err);
        else if (given->option == CLI_OPT_MEMORY)
            r = cm_settings_set(settings, "MEMORY_LIMIT_MB", given->value, err);
        if (r < 0)
            return r;
    }
    return 0;
}

int cli_settings_load(const struct cli_options *options, struct cm_settings **ret_settings,
                      struct cm_error *err)
{
    struct cm_settings *settings = cm_settings_new();
    int r;

    if (settings == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the settings");
    r = find_worker(settings, err);
    if (r == 0)
        r = take_environment(settings, err);
    if (r == 0)
        r = take_options(settings, options, err);
    if (r < 0) {
        cm_settings_free(settings);
        return r;
    }
    *ret_settings = settings;
    return 0;
}

size_t cli_message_bytes(struct cm_settings *settings)
{
    const char *text = cm_settings_get(settings, "MESSAGE_LIMIT_BYTES");
    uint64_t bytes;

    if (text == NULL || !cm_parse_u64(text, &bytes))
        return 0;
    return (size_t)bytes;
}
