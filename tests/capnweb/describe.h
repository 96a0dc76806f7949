/* The canonical text of a value, by which two implementations compare what they got. */
#ifndef CM_TESTS_CAPNWEB_DESCRIBE_H
#define CM_TESTS_CAPNWEB_DESCRIBE_H

#include "base/buf.h"
#include "capnweb/value.h"

/* Appends it; the buffer has to have room enough. */
void describe(struct cm_buf *to, const struct capnweb_value *value);

#endif
