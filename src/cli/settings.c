/* Settings as the user gave them: environment, options, and where
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

/* Where values go: to an executor's settings or to a daemon's. */
struct sink {
    void *settings;
    int (*set)(void *settings, const char *name, const char *value, enum daemon_source source,
               struct cm_error *err);
};

static int set_executors(void *settings, const char *name, const char *value,
                         enum daemon_source source, struct cm_error *err)
{
    (void)source;
    return cm_settings_set(settings, name, value, err);
}

static int set_daemons(void *settings, const char *name, const char *value,
                       enum daemon_source source, struct cm_error *err)
{
    return daemon_settings_set(settings, name, value, source, err);
}

/* In a build tree the worker lies next to this program. An installed one has its
 * place in the library. */
static int find_worker(const struct sink *sink, struct cm_error *err)
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
    if (access(path, X_OK) != 0)
        return 0;
    return sink->set(sink->settings, "WORKER_PATH", path, DAEMON_DEFAULT, err);
}

/* A variable that is set to nothing is not set. */
static int take_environment(const struct sink *sink, enum cli_command command, struct cm_error *err)
{
    const struct cm_setting_info *setting;

    for (size_t i = 0; (setting = cli_setting_info(command, i)) != NULL; i++) {
        const char *value = getenv(cli_setting_variable(setting));
        int r;

        if (value == NULL || value[0] == '\0')
            continue;
        r = sink->set(sink->settings, setting->name, value, DAEMON_ENVIRONMENT, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* The setting that a flag sets; NULL: it sets none. */
static const char *setting_of(const struct cli_given *given)
{
    if (given->option == CLI_OPT_SETTING)
        return given->setting->name;
    return given->option == CLI_OPT_MEMORY ? "MEMORY_LIMIT_MB" : NULL;
}

static int take_options(const struct sink *sink, const struct cli_options *options,
                        struct cm_error *err)
{
    for (size_t i = 0; i < options->given_count; i++) {
        const struct cli_given *given = &options->given[i];
        const char *name = setting_of(given);
        int r = 0;

        if (name != NULL)
            r = sink->set(sink->settings, name, given->value, DAEMON_FLAG, err);
        if (r < 0)
            return cli_flag_refused(cli_given_flag(given).text, r, err);
    }
    return 0;
}

static int load(const struct sink *sink, const struct cli_options *options, struct cm_error *err)
{
    int r = find_worker(sink, err);

    if (r == 0)
        r = take_environment(sink, options->command, err);
    if (r == 0)
        r = take_options(sink, options, err);
    return r;
}

int cli_settings_blame(const struct cli_options *options, int r, struct cm_error *err)
{
    size_t bytes = strcspn(err->text, " ");

    for (size_t i = options->given_count; i > 0; i--) { /* the last one holds */
        const struct cli_given *given = &options->given[i - 1];
        const char *name = setting_of(given);

        if (name != NULL && strlen(name) == bytes && memcmp(name, err->text, bytes) == 0)
            return cli_flag_refused(cli_given_flag(given).text, r, err);
    }
    return r;
}

int cli_settings_load(const struct cli_options *options, struct cm_settings **ret_settings,
                      struct cm_error *err)
{
    struct cm_settings *settings = cm_settings_new();
    const struct sink sink = { settings, set_executors };
    int r;

    if (settings == NULL)
        return cm_fail(err, CM_E_NOMEM, 0, "no memory for the settings");
    r = load(&sink, options, err);
    if (r < 0) {
        cm_settings_free(settings);
        return r;
    }
    *ret_settings = settings;
    return 0;
}

int cli_daemon_settings_load(const struct cli_options *options, struct daemon_settings *settings,
                             struct cm_error *err)
{
    const struct sink sink = { settings, set_daemons };
    int r = load(&sink, options, err);

    if (r < 0)
        return r;
    r = daemon_settings_finish(settings, err);
    return r < 0 ? cli_settings_blame(options, r, err) : 0;
}

size_t cli_message_bytes(struct cm_settings *settings)
{
    const char *text = cm_settings_get(settings, "MESSAGE_LIMIT_BYTES");
    uint64_t bytes;

    if (text == NULL || !cm_parse_u64(text, &bytes))
        return 0;
    return (size_t)bytes;
}
