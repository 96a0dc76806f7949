/* The tool command: a program of the user's that answers tool calls, one JSON
 * line a call on its standard input, one JSON line an answer on its standard
 * output. It lives in a process group of its own, which is ended whole. */
#ifndef CM_CLI_COMMAND_H
#define CM_CLI_COMMAND_H

#include "codemode/executor.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

enum { COMMAND_FDS = 3 };

struct command;

/* Starts `line` in a shell. *ret_command is the caller's until command_free(). */
int command_start(const char *line, size_t message_bytes, struct command **ret_command,
                  struct cm_error *err);

/* Kills what is left of the group and waits for its first process. */
void command_free(struct command *command);

/* Sends a call on; its answer reaches `run` from command_process(). Where none
 * can come any more the call is rejected. */
void command_call(struct command *command, struct cm_run *run, const struct cm_call *call);

/* Nobody waits for this call's answer any more. */
void command_drop(struct command *command, uint32_t call_id);

/* What to wait for: fills COMMAND_FDS entries (fd -1: none), and a deadline. */
void command_poll(const struct command *command, struct pollfd *fds);
uint64_t command_deadline_ns(const struct command *command);

void command_process(struct command *command, const struct pollfd *fds, uint64_t now_ns);

/* Ends it by steps: standard input is closed, SIGTERM and SIGKILL follow after a
 * grace period each. command_kill() skips to the last. */
void command_end(struct command *command, uint64_t now_ns);
void command_kill(struct command *command);

/* It has ended and nothing of its group is left. */
bool command_gone(const struct command *command);

#endif
