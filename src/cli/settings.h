/* The settings of executor and daemon as the user gave them. */
#ifndef CM_CLI_SETTINGS_H
#define CM_CLI_SETTINGS_H

#include "cli/options.h"
#include "daemon/settings.h"

/* Environment first, then options. *ret_settings is the caller's; a bad value is
 * CM_E_INVAL with the line that names it. */
int cli_settings_load(const struct cli_options *options, struct cm_settings **ret_settings,
                      struct cm_error *err);

/* The same for the daemon's, into `settings`, which are the defaults. */
int cli_daemon_settings_load(const struct cli_options *options, struct daemon_settings *settings,
                             struct cm_error *err);

/* Where the sentence in `err` begins with a setting that a flag has set, the flag comes in
 * front of it. Returns r. */
int cli_settings_blame(const struct cli_options *options, int r, struct cm_error *err);

/* The bound on one file or message that follows from MESSAGE_LIMIT_BYTES. */
size_t cli_message_bytes(struct cm_settings *settings);

#endif
