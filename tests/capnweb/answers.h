/* What objects of a test answer. */
#ifndef CM_TESTS_CAPNWEB_ANSWERS_H
#define CM_TESTS_CAPNWEB_ANSWERS_H

#include "capnweb/session.h"

/* A method that answers its first argument. */
static inline void echo(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, *capnweb_call_arg(call, 0));
}

/* An on_outcome that answers the call `user` in the same way. */
static inline void answer_alike(void *user, const struct capnweb_outcome *outcome)
{
    if (outcome->rejected)
        capnweb_reject(user, *outcome->value);
    else
        capnweb_answer(user, *outcome->value);
}

#endif
