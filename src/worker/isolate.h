/*
 * An isolate: one JavaScriptCore VM with one realm for one run, whose traces go when the
 * worker goes back to its snapshot. The only door to the engine; isolate.c and natives.c
 * alone include it.
 */
#ifndef CM_WORKER_ISOLATE_H
#define CM_WORKER_ISOLATE_H

#include "codemode/executor.h"
#include "ipc/frame.h"

#include <stddef.h>
#include <stdint.h>

struct ipc_invoke;
struct isolate;
struct worker;

/* What stands before the text on its first line: columns there are that much too
 * high. */
enum { ISOLATE_PREFIX_CHARS = 14 };

/* What stands before the name of a module in the engine's stacks. */
#define ISOLATE_MODULE_URL "codemode:/"

/* A realm with the core and its parts, in a VM of its own or that of another isolate. What
 * happens in it goes to `worker`. NULL when the engine cannot. */
struct isolate *isolate_new(struct worker *worker, const struct isolate *same_vm);

/* Evaluates all of the surface that a program may need, and the linker. CM_E_NOMEM. */
int isolate_prepare(struct isolate *isolate);

/* Runs programs of ours that do what programs do, so that what is loaded from files and
 * compiled when it is first used is there. In the zygote, in an isolate that is thrown
 * away: another one of its VM has what was compiled, and no trace of what was done. */
void isolate_rehearse(struct isolate *isolate);

/* Calls tools and logs until the engine has optimised what that runs through. In the
 * zygote, in the isolate that stays; leaves no trace that a program could see. */
void isolate_exercise(struct isolate *isolate);

/* Runs a trivial program. In a worker that begins, it writes to what most write to. */
void isolate_warm(struct isolate *isolate);

/* Has the kept module of this index read, for programs that import it. */
void isolate_learn(struct isolate *isolate, size_t index);

/* Destroys the realm of a rehearsal, and the VM with its last one. NULL may be freed. */
void isolate_free(struct isolate *isolate);

/* Each of these runs JavaScript until no microtask is left. How the program ended
 * is then in worker->done. */

/* `providers` are provider_count names, each with its NUL. Where worker->modules has
 * entries the last of them is what is run. */
void isolate_run(struct isolate *isolate, const char *providers, uint32_t provider_count,
                 const char *code, size_t code_bytes);
/* Installs the lazy globals that `text` names, which is to be evaluated next: for
 * texts beside the program's own. isolate_run() does it for that one. */
void isolate_scan(struct isolate *isolate, const char *text, size_t bytes);

/* Hands a request to a handler of the value that the program has left. `texts` are
 * what follows the head in the frame. */
void isolate_invoke(struct isolate *isolate, const struct ipc_invoke *head, const char *texts);

/* Frees what nothing refers to any more. */
void isolate_collect(struct isolate *isolate);

/* There is no memory left to go on. */
void isolate_exhausted(struct isolate *isolate);

void isolate_answer(struct isolate *isolate, uint32_t call_id, const char *json);
void isolate_reject(struct isolate *isolate, uint32_t call_id, const char *message);
void isolate_timer(struct isolate *isolate, uint32_t timer_id);

/* Compiles a text: what COMPILED says is in worker->body. Negative as
 * compiler_compile(). No program of the supervisor's may have run in it. */
int isolate_compile(struct isolate *isolate, enum ipc_kind kind, const char *text, bool typescript);

#endif
