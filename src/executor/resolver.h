/* Names to addresses, without a thread: c-ares in the executor's loop. Nothing is
 * kept from one look-up to the next. */
#ifndef CM_EXECUTOR_RESOLVER_H
#define CM_EXECUTOR_RESOLVER_H

#include "codemode/executor.h"
#include "executor/loop.h"

struct resolver;
struct lookup;

/* `addresses` is "192.0.2.1,[2001:db8::1]", NULL when there is none; `why` says
 * why not. Both live until it returns; the look-up is over. */
typedef void lookup_fn(void *user, const char *addresses, const char *why);

/* CM_E_NOMEM. */
int resolver_new(struct loop *loop, struct resolver **ret_resolver);

/* Look-ups that are under way are forgotten. NULL may be freed. */
void resolver_free(struct resolver *resolver);

/* The end comes from the loop, never from within. CM_E_NOMEM. */
int lookup_start(struct resolver *resolver, const char *name, lookup_fn *on_end, void *user,
                 struct lookup **ret_lookup);

/* on_end will not be called. */
void lookup_cancel(struct lookup *lookup);

#endif
