/*
 * A session whose peer is a script: the test says what comes in and looks at what goes
 * out, message by message.
 */
#ifndef CM_TESTS_CAPNWEB_SCRIPT_H
#define CM_TESTS_CAPNWEB_SCRIPT_H

#include "capnweb/session.h"

#include "base/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct script {
    struct capnweb_session *session;
    struct capnweb_stub *peer; /* its main object */
    struct cm_list sent;       /* oldest first */
    bool ended;
    enum capnweb_end how;
    char *reason;
    /* What the object of the script does: see script.c. */
    struct capnweb_call *held; /* by the method "hold" */
    struct capnweb_stub *kept; /* by the method "keep" */
    int disposed;              /* objects made by "make" that are gone */
    int dropped;               /* held calls that nobody waits for */
    char *described;           /* of the last outcome */
    int outcomes;
    bool rejected;
    bool over; /* it ended a stream */
};

/* A session with the object of the script; NULL settings are the defaults. */
void script_start(struct script *script, const struct capnweb_settings *settings);

/* A session without an object. */
void script_start_bare(struct script *script);

/* Gives up everything. What nobody looked at is no failure. */
void script_end(struct script *script);

/* The peer sends. */
void script_feed(struct script *script, const char *message);

/* The next message that went out, exactly. */
#define script_expect(script, message) script_expect_at(script, message, __FILE__, __LINE__)
void script_expect_at(struct script *script, const char *message, const char *file, int line);

/* Nothing more went out. */
#define script_quiet(script) script_quiet_at(script, __FILE__, __LINE__)
void script_quiet_at(struct script *script, const char *file, int line);

/* The session has ended for a fault of the peer: an abort that says `what` went out,
 * and nothing after it. */
#define script_aborted(script, what) script_aborted_at(script, what, __FILE__, __LINE__)
void script_aborted_at(struct script *script, const char *what, const char *file, int line);

/* An on_outcome for capnweb_invoke(): counts, and describes the value. */
void script_outcome(void *user, const struct capnweb_outcome *outcome);

#endif
