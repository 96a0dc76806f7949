/* The public names of faults, failures and levels. Any process, any thread. */
#include "base/cleanup.h"
#include "codemode/executor.h"

static const struct {
    const char *name;
    int retryable;
} faults[] = { [CM_FAULT_NONE] = { "", 0 },
#define ROW(name, retryable) [CM_FAULT_##name] = { #name, retryable },
               CM_FAULT_MAP(ROW)
#undef ROW
};

static const char *const failures[] = { [CM_FAILURE_NONE] = "",
#define ROW(name, word) [CM_FAILURE_##name] = #word,
                                        CM_FAILURE_MAP(ROW)
#undef ROW
};

static const char *const levels[] = {
#define ROW(name, word) [CM_LEVEL_##name] = #word,
    CM_LEVEL_MAP(ROW)
#undef ROW
};

const char *cm_fault_name(enum cm_fault fault)
{
    return (size_t)fault < CM_ARRAY_LEN(faults) ? faults[fault].name : "";
}

int cm_fault_retryable(enum cm_fault fault)
{
    return (size_t)fault < CM_ARRAY_LEN(faults) ? faults[fault].retryable : 0;
}

const char *cm_failure_name(enum cm_failure failure)
{
    return (size_t)failure < CM_ARRAY_LEN(failures) ? failures[failure] : "";
}

const char *cm_level_name(enum cm_level level)
{
    return (size_t)level < CM_ARRAY_LEN(levels) ? levels[level] : "";
}

const char *cm_version(void)
{
    return CM_VERSION;
}
