/*
 * Compiled programs and modules. Runs in the host's process; the texts are hostile
 * and never looked into here, and what the compiler makes of them is taken as a frame
 * of a worker like any other.
 *
 * A unit is found by the SHA-256 of its kind and text, so runs share what others have
 * had compiled. A compiler is asked for some units ahead and answers in order: when it
 * dies or takes too long, the first that is unanswered is to blame.
 */
#include "executor/modules.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "executor/state.h"
#include "executor/worker.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 4,             /* units that a compiler is given at once */
    MUCH_BYTES = 64 << 10, /* of texts that wait are worth another compiler */
    ATTEMPTS_MAX = 2,      /* the first compiler may have died of what came before */
    WALL_TIMES = 4 /* the bound is on CPU time, where the machine is busy up to so many times */
};

void modules_init(struct modules *modules)
{
    *modules = (struct modules){ 0 };
    cm_list_init(&modules->waiting);
    cm_list_init(&modules->idle);
    for (size_t i = 0; i < COMPILERS; i++)
        cm_list_init(&modules->compilers[i].sent);
}

/* ---- the table ---- */

static struct unit **bucket_of(const struct modules *modules, const uint8_t *key)
{
    return &modules->buckets[(key[0] | key[1] << 8) % UNIT_BUCKETS];
}

static void unit_free(struct modules *modules, struct unit *unit)
{
    struct unit **at = bucket_of(modules, unit->key);

    while (*at != unit)
        at = &(*at)->next;
    *at = unit->next;
    cm_list_unlink(&unit->link);
    free(unit->source);
    free(unit->body);
    free(unit);
}

void modules_done(struct modules *modules)
{
    for (size_t i = 0; modules->buckets != NULL && i < UNIT_BUCKETS; i++)
        while (modules->buckets[i] != NULL)
            unit_free(modules, modules->buckets[i]);
    free(CM_TAKE(modules->buckets));
}

static int key_of(enum ipc_kind kind, bool typescript, const char *source, size_t bytes,
                  uint8_t *ret_key)
{
    const uint8_t head[] = { (uint8_t)kind, typescript };
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    bool done = digest != NULL && EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1 &&
                EVP_DigestUpdate(digest, head, sizeof(head)) == 1 &&
                EVP_DigestUpdate(digest, source, bytes) == 1 &&
                EVP_DigestFinal_ex(digest, ret_key, NULL) == 1;

    EVP_MD_CTX_free(digest);
    return done ? 0 : CM_E_NOMEM;
}

static struct unit *find(const struct modules *modules, const uint8_t *key)
{
    struct unit *unit = *bucket_of(modules, key);

    while (unit != NULL && memcmp(unit->key, key, sizeof(unit->key)) != 0)
        unit = unit->next;
    return unit;
}

static int add(struct modules *modules, const struct unit *model, const char *source,
               struct unit **ret_unit)
{
    struct unit *unit = malloc(sizeof(*unit));
    char *copy = malloc(model->source_bytes + 1);
    struct unit **bucket = bucket_of(modules, model->key);

    if (unit == NULL || copy == NULL) {
        free(unit);
        free(copy);
        return CM_E_NOMEM;
    }
    memcpy(copy, source, model->source_bytes);
    copy[model->source_bytes] = '\0';
    *unit = *model;
    unit->number = ++modules->last_number;
    unit->source = copy;
    unit->next = *bucket;
    *bucket = unit;
    cm_list_init(&unit->link);
    cm_list_append(&modules->waiting, &unit->link);
    *ret_unit = unit;
    return 0;
}

int modules_hold(struct cm_executor *executor, enum ipc_kind kind, bool typescript,
                 const char *source, size_t source_bytes, struct unit **ret_unit)
{
    struct modules *modules = &executor->modules;
    struct unit model = { .kind = kind, .typescript = typescript, .source_bytes = source_bytes };
    struct unit *unit;
    int r = key_of(kind, typescript, source, source_bytes, model.key);

    if (r < 0)
        return r;
    if (modules->buckets == NULL)
        modules->buckets = calloc(UNIT_BUCKETS, sizeof(struct unit *));
    if (modules->buckets == NULL)
        return CM_E_NOMEM;
    unit = find(modules, model.key);
    if (unit == NULL) {
        r = add(modules, &model, source, &unit);
        if (r < 0)
            return r;
    } else {
        unit->again = true;
        if (unit->holds == 0 && unit->state == UNIT_READY) {
            cm_list_unlink(&unit->link);
            modules->idle_bytes -= unit->body_bytes;
        }
    }
    unit->holds++;
    *ret_unit = unit;
    return 0;
}

/* Up to the bound those are kept that have been used last. */
static void trim(struct cm_executor *executor)
{
    struct modules *modules = &executor->modules;
    struct unit *unit;

    while (modules->idle_bytes > executor->settings.module_cache_bytes) {
        unit = CM_LIST_FIRST(&modules->idle, struct unit, link);
        modules->idle_bytes -= unit->body_bytes;
        unit_free(modules, unit);
    }
}

void modules_release(struct cm_executor *executor, struct unit *unit)
{
    struct modules *modules = &executor->modules;

    if (--unit->holds > 0 || unit->state == UNIT_SENT) /* its answer is on the way */
        return;
    if (unit->state == UNIT_WAITING || unit->lost) {
        unit_free(modules, unit);
        return;
    }
    cm_list_append(&modules->idle, &unit->link);
    modules->idle_bytes += unit->body_bytes;
    trim(executor);
}

/* ---- the results ---- */

/* `body` is taken. */
static void finish(struct cm_executor *executor, struct unit *unit, uint8_t *body, size_t bytes)
{
    cm_list_unlink(&unit->link);
    free(CM_TAKE(unit->source));
    unit->state = UNIT_READY;
    unit->body = body;
    unit->body_bytes = bytes;
    executor->pool.dirty = true;
    if (unit->holds == 0) {
        unit->holds = 1;
        modules_release(executor, unit);
    }
}

/* As if the compiler had said that the text does not compile. `sentence` is ours:
 * it stands in JSON as it is. */
static void finish_lost(struct cm_executor *executor, struct unit *unit, enum cm_message message,
                        uint64_t bound)
{
    char sentence[256];
    char meta[512];
    struct ipc_compiled head = { .failed = 1 };
    size_t bytes;
    uint8_t *body;

    cm_message_write(sentence, sizeof(sentence), message, cm_number_grouped(bound).text, NULL);
    snprintf(meta, sizeof(meta), "{\"error\":{\"message\":\"%s\"}}", sentence);
    head.meta_bytes = (uint32_t)strlen(meta);
    head.code_bytes = (uint32_t)strlen(sentence);
    bytes = sizeof(head) + head.meta_bytes + head.code_bytes + 2;
    body = malloc(bytes);
    unit->lost = true;
    if (body != NULL) {
        memcpy(body, &head, sizeof(head));
        memcpy(body + sizeof(head), meta, head.meta_bytes + 1);
        memcpy(body + sizeof(head) + head.meta_bytes + 1, sentence, head.code_bytes + 1);
        ipc_read_compiled(body, bytes, &unit->compiled);
    }
    finish(executor, unit, body, body == NULL ? 0 : bytes);
}

/* It goes on to the first of `sent`, or to idle. */
static void watch_next(struct compiler *compiler)
{
    const struct cm_settings *settings = &compiler->worker->executor->settings;

    if (cm_list_empty(&compiler->sent)) {
        worker_set_deadline(compiler->worker, settings->worker_idle_ms);
        return;
    }
    compiler->since_ns = cm_now_ns();
    compiler->since_cpu_ns = worker_cpu_ns(compiler->worker);
    worker_set_deadline(compiler->worker, settings->compile_timeout_ms);
}

const char *modules_on_compiled(struct worker *worker, const struct ipc_frame *frame)
{
    struct cm_executor *executor = worker->executor;
    struct unit *unit = CM_LIST_FIRST(&worker->compiler->sent, struct unit, link);
    struct ipc_compiled_body compiled;
    uint8_t *body;

    if (ipc_read_compiled(frame->body, frame->bytes, &compiled) < 0)
        return "a COMPILED that is malformed";
    if (unit == NULL || compiled.head.id != unit->id)
        return "a COMPILED that nobody asked for";
    body = malloc(frame->bytes);
    if (body == NULL) {
        finish_lost(executor, unit, CM_MSG_NO_MEMORY, 0);
        return NULL;
    }
    memcpy(body, frame->body, frame->bytes);
    executor->stats.modules_compiled++;
    ipc_read_compiled(body, frame->bytes, &unit->compiled);
    finish(executor, unit, body, frame->bytes);
    watch_next(worker->compiler);
    return NULL;
}

/* ---- the compilers ---- */

static size_t count_sent(const struct compiler *compiler)
{
    size_t count = 0;

    CM_LIST_EACH(&compiler->sent, link, after)
    {
        count++;
    }
    return count;
}

/* CM_E_NOMEM; CM_E_PEER: the compiler is dead. */
static int send(struct compiler *compiler, struct unit *unit)
{
    struct cm_executor *executor = compiler->worker->executor;
    struct ipc_compile job = { .id = ++executor->modules.last_id,
                               .kind = unit->kind,
                               .typescript = unit->typescript,
                               .limit_bytes = ipc_compiled_max(&executor->limits) };
    int r = worker_compile(compiler->worker, &job, unit->source, unit->source_bytes);

    if (r < 0)
        return r;
    unit->id = job.id;
    unit->state = UNIT_SENT;
    cm_list_move(&compiler->sent, &unit->link);
    if (compiler->sent.next == &unit->link)
        watch_next(compiler);
    return 0;
}

static void feed(struct cm_executor *executor, struct compiler *compiler)
{
    struct unit *unit = NULL;
    int r = 0;

    for (size_t ahead = count_sent(compiler); r == 0 && ahead < AHEAD; ahead++) {
        unit = CM_LIST_FIRST(&executor->modules.waiting, struct unit, link);
        if (unit == NULL)
            return;
        r = send(compiler, unit);
    }
    if (r == CM_E_PEER)
        worker_kill(compiler->worker);
    else if (r < 0)
        finish_lost(executor, unit, CM_MSG_NO_MEMORY, 0);
}

static bool much_waits(const struct modules *modules)
{
    size_t bytes = 0;

    CM_LIST_EACH(&modules->waiting, link, after)
    {
        bytes += CM_CONTAINER_OF(link, struct unit, link)->source_bytes;
        if (bytes >= MUCH_BYTES)
            return true;
    }
    return false;
}

void modules_balance(struct cm_executor *executor)
{
    struct modules *modules = &executor->modules;
    size_t count = executor->pool.processors < COMPILERS ? executor->pool.processors : COMPILERS;

    for (size_t i = 0; i < count && !cm_list_empty(&modules->waiting); i++) {
        struct compiler *compiler = &modules->compilers[i];

        if (compiler->worker == NULL && (i == 0 || much_waits(modules)))
            compiler->worker = pool_fork_compiler(executor, compiler);
        if (compiler->worker != NULL && compiler->worker->state == WORKER_COMPILING)
            feed(executor, compiler);
    }
}

void modules_on_ready(struct worker *worker)
{
    watch_next(worker->compiler);
    worker->executor->pool.dirty = true;
}

/* What is left of the bound of the unit at work; 0: nothing. */
static uint64_t left_ms(const struct compiler *compiler)
{
    uint64_t bound_ns = compiler->worker->executor->settings.compile_timeout_ms * CM_NS_PER_MS;
    uint64_t wall_ns = cm_now_ns() - compiler->since_ns;
    uint64_t cpu_ns = worker_cpu_ns(compiler->worker);

    if (cpu_ns == CM_NEVER || compiler->since_cpu_ns == CM_NEVER ||
        wall_ns >= bound_ns * WALL_TIMES)
        return 0;
    cpu_ns -= compiler->since_cpu_ns;
    return cpu_ns >= bound_ns ? 0 : (bound_ns - cpu_ns) / CM_NS_PER_MS + 1;
}

/* Idle for long, or at work for too long. */
void modules_on_timer(struct worker *worker)
{
    struct cm_executor *executor = worker->executor;
    struct compiler *compiler = worker->compiler;
    struct unit *unit = CM_LIST_FIRST(&compiler->sent, struct unit, link);

    if (unit != NULL && left_ms(compiler) > 0) {
        worker_set_deadline(worker, left_ms(compiler));
        return;
    }
    if (unit != NULL)
        finish_lost(executor, unit, CM_MSG_COMPILE_TIME, executor->settings.compile_timeout_ms);
    worker_kill(worker);
}

void modules_on_gone(struct worker *worker)
{
    struct cm_executor *executor = worker->executor;
    struct modules *modules = &executor->modules;
    struct compiler *compiler = worker->compiler;
    struct unit *first = CM_LIST_FIRST(&compiler->sent, struct unit, link);

    compiler->worker = NULL;
    executor->pool.dirty = true;
    if (first != NULL && ++first->attempts >= ATTEMPTS_MAX)
        finish_lost(executor, first, CM_MSG_COMPILE_LOST, executor->settings.compile_memory_mb);
    while (!cm_list_empty(&compiler->sent)) { /* to the front, and in their order */
        struct unit *unit = CM_CONTAINER_OF(compiler->sent.prev, struct unit, link);

        unit->state = UNIT_WAITING;
        cm_list_unlink(&unit->link);
        if (unit->holds == 0)
            unit_free(modules, unit);
        else
            cm_list_prepend(&modules->waiting, &unit->link);
    }
}
