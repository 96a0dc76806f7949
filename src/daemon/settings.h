/* The settings of the daemon: the rows of src/tables/daemon.def and those of the
 * executor, each with where its value comes from. */
#ifndef CM_DAEMON_SETTINGS_H
#define CM_DAEMON_SETTINGS_H

#include "base/text.h"
#include "codemode/executor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum daemon_source { DAEMON_DEFAULT, DAEMON_ENVIRONMENT, DAEMON_FLAG };

enum daemon_setting {
#define DAEMON_TEXT(field, NAME, ...)   DAEMON_SETTING_##NAME,
#define DAEMON_NUMBER(field, NAME, ...) DAEMON_SETTING_##NAME,
#include "tables/daemon.def"
    DAEMON_SETTING_COUNT
};

enum { DAEMON_EXECUTOR_SETTINGS_MAX = 64 };

/* Texts are owned and never NULL. */
struct daemon_settings {
#define DAEMON_TEXT(field, NAME, ...) char *field;
#include "tables/daemon.def"
#define DAEMON_NUMBER(field, NAME, ...) uint64_t field;
#include "tables/daemon.def"
    struct cm_settings *executor; /* owned */
    enum daemon_source sources[DAEMON_SETTING_COUNT];
    enum daemon_source executor_sources[DAEMON_EXECUTOR_SETTINGS_MAX];
};

/* The defaults, the caller's until daemon_settings_free(); NULL without memory. */
struct daemon_settings *daemon_settings_new(void);
void daemon_settings_free(struct daemon_settings *settings);

/* Index from 0 until NULL: a row of daemon.def, and its default as text. */
const struct cm_setting_info *daemon_setting_info(size_t index);
struct cm_number daemon_setting_initial(size_t index);

/* Sets a row of either table. CM_E_INVAL with the line that names setting, value
 * and what is accepted (a secret value is not repeated); CM_E_NOMEM. */
int daemon_settings_set(struct daemon_settings *settings, const char *name, const char *value,
                        enum daemon_source source, struct cm_error *err);

/* What concerns several settings: reads AUTH_TOKEN_FILE, and refuses what does
 * not go together. Once, after the last daemon_settings_set(). */
int daemon_settings_finish(struct daemon_settings *settings, struct cm_error *err);

/* A setting as it may be shown: secrets masked, "none" where there is no value. */
struct daemon_shown {
    const char *name;
    const char *value;  /* until the next call with the same settings or `shown` */
    const char *source; /* "default", "environment", "flag" */
    char number[CM_NUMBER_CHARS];
};

/* Index from 0 while true: the rows of both tables, the daemon's first. */
bool daemon_settings_show(struct daemon_settings *settings, size_t index,
                          struct daemon_shown *shown);

#endif
