/* The one script of a test program, anew for each test, and short names for it. */
#ifndef CM_TESTS_CAPNWEB_ONE_SCRIPT_H
#define CM_TESTS_CAPNWEB_ONE_SCRIPT_H

#include "script.h"

static struct script script;

static int start(void **state)
{
    (void)state;
    script_start(&script, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    script_end(&script);
    return 0;
}

#define feed(message)   script_feed(&script, message)
#define expect(message) script_expect(&script, message)
#define quiet()         script_quiet(&script)

#endif
