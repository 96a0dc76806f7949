/* Which names a provider may have. */
#ifndef CM_EXECUTOR_IDENTIFIER_H
#define CM_EXECUTOR_IDENTIFIER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text is an IdentifierName of ECMAScript. Escapes are none. */
bool identifier_valid(const char *text, size_t bytes);

/* Whether strict code cannot bind the name. */
bool identifier_reserved(const char *text);

/* Whether the isolate has a global of this name. */
bool identifier_global(const char *text);

#endif
