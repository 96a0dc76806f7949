/* Recording a failure. Any process. */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cm_fail(struct cm_error *err, enum cm_err code, int sys_errno, const char *format, ...)
{
    va_list args;
    size_t len;

    if (err == NULL || err->code != CM_OK)
        return code;
    err->code = code;
    err->sys_errno = sys_errno;
    va_start(args, format);
    vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    len = strlen(err->text);
    if (sys_errno != 0 && len + 3 < sizeof(err->text)) {
        memcpy(err->text + len, ": ", 3);
        len += 2;
        snprintf(err->text + len, sizeof(err->text) - len, "%s", strerrordesc_np(sys_errno));
    }
    return code;
}
