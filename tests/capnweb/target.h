/*
 * The object that the interoperability checks call: the same methods, whatever the
 * transport. It knows what its host lets it do with the connection.
 */
#ifndef CM_TESTS_CAPNWEB_TARGET_H
#define CM_TESTS_CAPNWEB_TARGET_H

#include "capnweb/session.h"

struct target_host {
    /* Calls fn(user) after that time, whatever becomes of the connection. */
    void (*after)(struct target_host *host, double ms, void (*fn)(void *user), void *user);
    /* Closes the connection with that code. */
    void (*close)(struct target_host *host, unsigned code, const char *reason);
    /* Cuts it. */
    void (*drop)(struct target_host *host);
};

struct target {
    struct target_host *host;
    size_t refs; /* the session's, and of calls that wait for a timer */
    size_t live; /* counters */
    struct capnweb_stub *kept;
    double *log;
    size_t logged;
};

extern const struct capnweb_class target_class;

/* For capnweb_session_new(); its disposer frees it. */
struct target *target_new(struct target_host *host);

/* The methods, by the group of checks that they serve. */
#define TARGET_VALUES(X) \
    X(square)            \
    X(throwError)        \
    X(generateFibonacci) \
    X(returnNull)        \
    X(returnUndefined)   \
    X(returnNumber)      \
    X(echo)              \
    X(echoMany)          \
    X(argCount)          \
    X(describe)          \
    X(makeValue)         \
    X(makeBytes)         \
    X(makeString)        \
    X(bytesInfo)         \
    X(stringInfo)        \
    X(throwKind)         \
    X(echoBlob)          \
    X(list)

#define TARGET_CALLBACKS(X) \
    X(callSquare)           \
    X(callFunction)         \
    X(incrementCounter)     \
    X(callTwice)            \
    X(callParallel)         \
    X(callTimes)            \
    X(callCatch)            \
    X(callDescribe)         \
    X(callWith)             \
    X(callMade)             \
    X(callIn)               \
    X(callTwo)              \
    X(callWithCounter)      \
    X(callForCounter)       \
    X(callDispatch)         \
    X(ignoreFunction)       \
    X(fireAndForget)        \
    X(keep)                 \
    X(callKept)             \
    X(dropKept)             \
    X(callClientMain)       \
    X(readAll)              \
    X(makeStream)           \
    X(writeTo)

#define TARGET_SESSION(X) \
    X(makeCounter)        \
    X(throwLater)         \
    X(record)             \
    X(recorded)           \
    X(delay)              \
    X(never)              \
    X(getObject)          \
    X(makeCounterLater)   \
    X(makeCounters)       \
    X(later)              \
    X(liveCounters)       \
    X(stats)              \
    X(abortSession)       \
    X(closeSocket)        \
    X(dropSocket)

#define X(name) void target_##name(void *object, struct capnweb_call *call);
TARGET_VALUES(X)
TARGET_CALLBACKS(X)
TARGET_SESSION(X)
#undef X

/* A Counter of the target; a reference. */
struct capnweb_stub *target_counter(struct target *target, struct capnweb_session *session,
                                    double value);

/* A value by its name. NULL: there is none. */
const struct capnweb_value *target_made(const struct capnweb_value *kind);

/* An argument as a number; `otherwise` when it is none. */
double target_number(const struct capnweb_call *call, size_t index, double otherwise);

/* capnweb_call_alloc(), or the test ends. */
void *target_alloc(struct capnweb_call *call, size_t bytes);

#endif
