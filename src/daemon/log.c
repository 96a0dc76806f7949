/* The daemon's log. Runs in the daemon; texts of peers that get here (an origin, a
 * path) are escaped by the JSON writer, so a line stays a line. */
#include "daemon/log.h"

#include "base/cleanup.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const words[] = {
#define LOG_LEVEL_WORD(name, word) #word,
    LOG_LEVEL_MAP(LOG_LEVEL_WORD)
#undef LOG_LEVEL_WORD
};

int log_level_parse(const char *word)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(words); i++)
        if (strcmp(words[i], word) == 0)
            return (int)i;
    return -1;
}

/* "2026-01-31T23:59:59.999Z" */
static json_t *time_now(void)
{
    struct timespec now;
    struct tm parts;
    char text[40];
    size_t len;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    len = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + len, sizeof(text) - len, ".%03ldZ", now.tv_nsec / 1000000);
    return json_string(text);
}

/* Written at once, so that lines of several writers to one pipe stay whole. */
static void put_line(int fd, char *line)
{
    size_t len = strlen(line);

    line[len++] = '\n'; /* in the place of the NUL */
    for (size_t at = 0; at < len;) {
        ssize_t n = write(fd, line + at, len - at);

        if (n <= 0)
            return;
        at += (size_t)n;
    }
}

void log_write_fields(const struct log *log, enum log_level level, const char *message,
                      const struct log_field *fields)
{
    CM_AUTO_FREE char *line = NULL;
    json_t *object;

    if (level < log->level)
        return;
    object = json_object();
    json_object_set_new(object, "time", time_now());
    json_object_set_new(object, "level", json_string(words[level]));
    json_object_set_new(object, "msg", json_string(message));
    for (; fields->name != NULL; fields++)
        json_object_set_new(object, fields->name,
                            fields->text == NULL ? json_integer(fields->number)
                                                 : json_string(fields->text));
    line = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    if (line != NULL)
        put_line(log->fd, line);
}
