/* Provider names. Runs in the host's process; the names come from a request and
 * are hostile. They become variables of the isolate's global scope. */
#include "executor/identifier.h"

#include "base/cleanup.h"

#include <string.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

/* The reserved words of ECMAScript, those of strict mode and of modules among
 * them, and the names that strict code may not bind or that cannot be told from
 * a value. `async` is a name like any other. */
static const char *const reserved_words[] = {
    "arguments", "await",      "break",   "case",    "catch",      "class",     "const",
    "continue",  "debugger",   "default", "delete",  "do",         "else",      "enum",
    "eval",      "export",     "extends", "false",   "finally",    "for",       "function",
    "if",        "implements", "import",  "in",      "instanceof", "interface", "let",
    "new",       "null",       "package", "private", "protected",  "public",    "return",
    "static",    "super",      "switch",  "this",    "throw",      "true",      "try",
    "typeof",    "undefined",  "var",     "void",    "while",      "with",      "yield",
    "NaN",       "Infinity",
};

static const char *const globals[] = {
#define CM_GLOBAL(name, installed) #name,
#include "tables/globals.def"
#undef CM_GLOBAL
};

enum { ZWNJ = 0x200C, ZWJ = 0x200D };

static bool starts(UChar32 c)
{
    return c == '$' || c == '_' || u_hasBinaryProperty(c, UCHAR_ID_START);
}

static bool continues(UChar32 c)
{
    return c == '$' || c == ZWNJ || c == ZWJ || u_hasBinaryProperty(c, UCHAR_ID_CONTINUE);
}

bool identifier_valid(const char *text, size_t bytes)
{
    const uint8_t *at = (const uint8_t *)text;
    size_t i = 0;

    while (i < bytes) {
        bool first = i == 0;
        UChar32 c;

        U8_NEXT(at, i, bytes, c); /* negative for what is not UTF-8 */
        if (c < 0 || !(first ? starts(c) : continues(c)))
            return false;
    }
    return bytes > 0;
}

static bool listed(const char *const *names, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], text) == 0)
            return true;
    return false;
}

bool identifier_reserved(const char *text)
{
    return listed(reserved_words, CM_ARRAY_LEN(reserved_words), text);
}

bool identifier_global(const char *text)
{
    return listed(globals, CM_ARRAY_LEN(globals), text);
}
