/* Files that the user names. Runs in codemode-executor, before it takes signals:
 * reading blocks, and Ctrl-C ends it. */
#include "cli/input.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { READ_BYTES = 65536 };

static int read_all(int fd, const char *name, struct cm_buf *buf, struct cm_error *err)
{
    for (;;) {
        size_t left = buf->max - buf->len;
        ssize_t n;
        int r;

        r = cm_buf_reserve(buf, left < READ_BYTES ? left : READ_BYTES);
        if (r < 0)
            return cm_fail(err, r, 0, "no memory for %s", name);
        if (left == 0)
            return cm_fail(err, CM_E_LIMIT, 0, "%s is too long: it must stay under %s bytes", name,
                           cm_number_grouped(buf->max).text);
        n = read(fd, cm_buf_tail(buf), cm_buf_room(buf));
        if (n == 0)
            return 0;
        if (n > 0)
            buf->len += (size_t)n;
        else if (errno != EINTR)
            return cm_fail(err, CM_E_SYSTEM, errno, "%s cannot be read", name);
    }
}

static const char *name_of(const char *path)
{
    if (strcmp(path, "-") == 0)
        return "standard input";
    return path[0] == '\0' ? "a file without a name" : path;
}

int input_read_bytes(const char *path, struct cm_buf *buf, struct cm_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    CM_AUTO_FD int opened = -1;

    if (!standard) {
        opened = open(path, O_RDONLY | O_CLOEXEC);
        if (opened < 0)
            return cm_fail(err, CM_E_SYSTEM, errno, "%s cannot be read", name_of(path));
    }
    return read_all(standard ? STDIN_FILENO : opened, name_of(path), buf, err);
}

int input_read(const char *path, struct cm_buf *buf, struct cm_error *err)
{
    int r = input_read_bytes(path, buf, err);

    if (r < 0)
        return r;
    if (!cm_utf8_valid(cm_buf_bytes(buf), buf->len))
        return cm_fail(err, CM_E_INVAL, 0, "%s is not UTF-8 text", name_of(path));
    return 0;
}
