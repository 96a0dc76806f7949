/* The settings of an executor: a copy of the rows of src/tables/settings.def. */
#ifndef CM_EXECUTOR_SETTINGS_H
#define CM_EXECUTOR_SETTINGS_H

#include "codemode/executor.h"

/* The values of OUTBOUND_MODE, by their numbers. */
enum outbound_mode { OUTBOUND_PUBLIC = 1, OUTBOUND_OPEN, OUTBOUND_CLOSED };

struct cm_settings {
#define CM_SETTING(field, name, unit, initial, min, max, help) uint64_t field;
#include "tables/settings.def"
#undef CM_SETTING
    char *worker_path;    /* owned */
    char number_text[32]; /* what cm_settings_get() hands out for a number */
};

/* Copies into *to, which is empty or was copied to before. CM_E_NOMEM. */
int settings_copy(struct cm_settings *to, const struct cm_settings *from);
void settings_done(struct cm_settings *settings);

#endif
