/* The daemon's log: one JSON object a line, with time, level, msg and fields. Never
 * program text, arguments, results or tokens. */
#ifndef CM_DAEMON_LOG_H
#define CM_DAEMON_LOG_H

#include <stdint.h>

/* Levels, least first. X(NAME, word) */
#define LOG_LEVEL_MAP(X) \
    X(DEBUG, debug)      \
    X(INFO, info)        \
    X(WARN, warn)        \
    X(ERROR, error)

enum log_level {
#define LOG_LEVEL_ENUM(name, word) LOG_##name,
    LOG_LEVEL_MAP(LOG_LEVEL_ENUM)
#undef LOG_LEVEL_ENUM
};

struct log {
    int fd; /* borrowed */
    enum log_level level;
};

/* "warn" as LOG_WARN; -1 for another word. */
int log_level_parse(const char *word);

struct log_field {
    const char *name; /* NULL ends the fields */
    const char *text; /* NULL: the number counts */
    int64_t number;
};

/* log_write(log, LOG_INFO, "listening", LOG_TEXT("address", text), LOG_NUMBER("port", 1)) */
#define LOG_TEXT(name, text)       ((struct log_field){ (name), (text), 0 })
#define LOG_NUMBER(name, number)   ((struct log_field){ (name), NULL, (int64_t)(number) })
#define log_write(log, level, ...) log_write_fields((log), (level), LOG_FIELDS(__VA_ARGS__, { 0 }))
#define LOG_FIELDS(message, ...)          \
    (message), (const struct log_field[]) \
    {                                     \
        __VA_ARGS__                       \
    }

/* Text that is not UTF-8 is left out. A line that cannot be written is lost. */
void log_write_fields(const struct log *log, enum log_level level, const char *message,
                      const struct log_field *fields);

#endif
