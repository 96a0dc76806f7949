/*
 * Which chunks of the surface a program gets, and when. Runs in a worker; the text
 * is hostile, and so is the realm once the program has started.
 *
 * The zygote evaluates all chunks but "report", so that they capture the engine's own
 * functions before a program can replace them, and defines no global. One is defined
 * before the program when its text names it. What no text names is out of reach, unless
 * the program gets hold of the global object or compiles text of its own: only then are
 * accessors installed, which give the global on first touch. To define them for each
 * program would cost a quarter of a millisecond.
 *
 * A chunk that is evaluated late takes what it needs of the language (build.mjs
 * numbers it) from a list, which is made before the program where its text shows a
 * way to replace any of that.
 */
#include "worker/surface.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "codemode/executor.h"
#include "worker/natives.h"
#include "worker/parts.h"
#include "worker/worker.h"

#include <stdio.h>
#include <string.h>

/* runtime/surface, as runtime/build.mjs writes it. */
struct surface_text {
    const char *name;
    const char *text;
};
extern const struct surface_text surface_texts[];

/* What chunks take of the language: a path from the global object whose parts are
 * between dots, a well-known symbol behind "@", and "get " before that of a getter. */
extern const char *const surface_intrinsics[];
extern const size_t surface_intrinsic_count;

enum { CHUNKS_MAX = 64 };

enum surface_want {
    NOTHING,
    ACCESSOR, /* it may be reached */
    LOADED    /* its name is there as one of the language */
};

/* clang-format off */
static const struct row {
    const char *name;
    size_t name_bytes;
    const char *chunk;
    const char *kind;
} rows[] = {
#define CM_GLOBAL(name, installed)
#define CM_LAZY(name, chunk, kind) { #name, sizeof(#name) - 1, #chunk, #kind },
#include "tables/globals.def"
#undef CM_LAZY
#undef CM_GLOBAL
};
/* clang-format on */

/* ---- reading the text ---- */

struct word {
    char before;
    const char *start;
    const char *end;
    const char *text_end;
    const char *last; /* the word before it; NULL: none */
    const char *last_end;
};

static bool in_word(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c >= 0x80;
}

static bool word_is(const struct word *word, const char *name, size_t bytes)
{
    return (size_t)(word->end - word->start) == bytes && memcmp(word->start, name, bytes) == 0;
}

static bool is_behind(const struct word *word, const char *name)
{
    size_t bytes = strlen(name);

    return (size_t)(word->last_end - word->last) == bytes && memcmp(word->last, name, bytes) == 0;
}

static char after(const struct word *word)
{
    return word->end < word->text_end ? *word->end : '\0';
}

static bool is_one_of(const struct word *word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (word_is(word, names[i], strlen(names[i])))
            return true;
    return false;
}

static const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

/* "File not found": another word follows on the same line, as in a sentence. An
 * operator of letters follows a name too, but loads nothing. */
static bool in_prose(const struct word *word)
{
    const char *at = skip_spaces(word->end, word->text_end);

    return at > word->end && at < word->text_end && in_word((unsigned char)*at);
}

/* A letter of a name may be written as an escape: \u0055RL. */
static bool is_escape(const struct word *word)
{
    if (word->before != '\\' || *word->start != 'u')
        return false;
    return after(word) == '{' || strncmp(word->start, "u00", 3) == 0;
}

static const char *const objects[] = { "globalThis", "self", "this" };
static const char *const compilers[] = { "eval", "Function" };

/* "x.constructor" may be Function; "constructor(" begins a member of a class. */
static bool is_constructor(const struct word *word)
{
    const char *at = skip_spaces(word->end, word->text_end);

    if (!word_is(word, "constructor", strlen("constructor")))
        return false;
    return word->before == '.' || at == word->text_end || *at != '(';
}

/* Gives the program the global object, or a way to compile text that is not here. A
 * name after a dot stands in the text itself. */
static bool reaches_all(const struct word *word)
{
    if (is_one_of(word, objects, CM_ARRAY_LEN(objects)))
        return after(word) != '.' && !in_prose(word);
    return is_one_of(word, compilers, CM_ARRAY_LEN(compilers)) || is_constructor(word) ||
           is_escape(word);
}

/* What leads to the prototypes of the language, and its objects that chunks use. */
static const char *const levers[] = { "prototype", "__proto__", "getPrototypeOf" };
static const char *const intrinsics[] = {
    "Array",      "ArrayBuffer", "DataView",  "Date",       "Error",   "JSON",    "Map",
    "Math",       "Number",      "Object",    "Promise",    "RegExp",  "Reflect", "Set",
    "RangeError", "Symbol",      "TypeError", "Uint8Array", "WeakMap", "WeakSet",
};

/* The word before it does not let what it names get away. */
static bool is_used(const struct word *word)
{
    return is_behind(word, "new") || is_behind(word, "instanceof") || is_behind(word, "extends");
}

/* "=" but not "==" or "=>". */
static bool is_assignment(const char *at, const char *end)
{
    at = skip_spaces(at, end);
    return at < end && *at == '=' && !(at + 1 < end && (at[1] == '=' || at[1] == '>'));
}

/* "Math.floor = f", "Promise = P", "const o = JSON", "Array[k]", "f(Map)"; not
 * "Math.floor(x)", "new Map()" or "x instanceof Error". */
static bool gets_away(const struct word *word)
{
    const char *at = skip_spaces(word->end, word->text_end);

    if (at == word->text_end || *at == '(')
        return false;
    if (*at != '.')
        return !is_used(word);
    for (at++; at < word->text_end && in_word((unsigned char)*at);)
        at++;
    return is_assignment(at, word->text_end);
}

/* Whether the word is part of a way to replace what the language has. */
static bool patches(const struct word *word)
{
    if (is_one_of(word, levers, CM_ARRAY_LEN(levers)))
        return true;
    return is_one_of(word, intrinsics, CM_ARRAY_LEN(intrinsics)) && gets_away(word);
}

static void want(struct surface_found *found, size_t row, enum surface_want want)
{
    if (found->wanted[row] < want)
        found->wanted[row] = (uint8_t)want;
}

static void note(struct surface_found *found, const struct word *word)
{
    found->patches = found->patches || patches(word);
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        if (word_is(word, rows[i].name, rows[i].name_bytes))
            want(found, i, in_prose(word) ? ACCESSOR : LOADED);
    if (!reaches_all(word))
        return;
    found->patches = true;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        want(found, i, ACCESSOR);
}

/* Which words are worth a look: by length, a bit for each first letter and for each
 * last one. Most words of a large text are not. */
struct filter {
    struct filter_row {
        uint64_t first;
        uint64_t last;
    } rows[32];
    bool letters[256]; /* in_word() of each byte */
};

static size_t filter_row(size_t bytes)
{
    return bytes < CM_ARRAY_LEN(((struct filter *)0)->rows) ? bytes : 0;
}

static uint64_t letter_bit(char letter)
{
    return UINT64_C(1) << (letter & 63);
}

static void filter_add(struct filter *filter, const char *word)
{
    size_t bytes = strlen(word);
    struct filter_row *row = &filter->rows[filter_row(bytes)];

    row->first |= letter_bit(word[0]);
    row->last |= letter_bit(word[bytes - 1]);
}

static void filter_add_all(struct filter *filter, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        filter_add(filter, words[i]);
}

static void filter_fill(struct filter *filter)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        filter_add(filter, rows[i].name);
    filter_add_all(filter, objects, CM_ARRAY_LEN(objects));
    filter_add_all(filter, compilers, CM_ARRAY_LEN(compilers));
    filter_add_all(filter, levers, CM_ARRAY_LEN(levers));
    filter_add_all(filter, intrinsics, CM_ARRAY_LEN(intrinsics));
    filter_add(filter, "constructor");
    for (size_t i = 0; i < CM_ARRAY_LEN(filter->letters); i++)
        filter->letters[i] = in_word((unsigned char)i);
}

static bool filter_passes(const struct filter *filter, const struct word *word)
{
    const struct filter_row *row = &filter->rows[filter_row((size_t)(word->end - word->start))];

    return word->before == '\\' || ((row->first & letter_bit(word->start[0])) != 0 &&
                                    (row->last & letter_bit(word->end[-1])) != 0);
}

/* The same for every text: workers inherit it. */
static const struct filter *filter_get(void)
{
    static struct filter filter;
    static bool filled;

    if (!filled) {
        filter_fill(&filter);
        filled = true;
    }
    return &filter;
}

void surface_scan(struct surface_found *found, const char *text, size_t bytes)
{
    const struct filter *filter = filter_get();
    struct word word = { .text_end = text + bytes };

    for (const char *at = text; at < word.text_end; at++) {
        word.start = at;
        while (at < word.text_end && filter->letters[(unsigned char)*at])
            at++;
        word.end = at;
        if (word.end > word.start && filter_passes(filter, &word))
            note(found, &word);
        if (word.end > word.start) {
            word.last = word.start;
            word.last_end = word.end;
        }
        if (at < word.text_end)
            word.before = *at;
    }
}

void surface_add(struct surface *surface, const struct surface_found *found)
{
    surface->found.patches = surface->found.patches || found->patches;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++)
        want(&surface->found, i, (enum surface_want)found->wanted[i]);
}

bool surface_lacks(const struct surface *surface)
{
    return memcmp(surface->found.wanted, surface->given, sizeof(surface->given)) != 0;
}

/* ---- the realm ---- */

static const struct surface_text *find(const char *name)
{
    const struct surface_text *chunk = surface_texts;

    while (chunk->name != NULL && strcmp(chunk->name, name) != 0)
        chunk++;
    return chunk;
}

JSValueRef surface_chunk(JSContextRef ctx, const char *name, JSValueRef internals,
                         JSValueRef *exception)
{
    const struct surface_text *chunk = find(name);
    JSStringRef source, url;
    JSValueRef exports;
    char place[64];

    if (chunk->name == NULL)
        return NULL;
    source = JSStringCreateWithUTF8CString(chunk->text);
    snprintf(place, sizeof(place), "codemode:surface/%s", name);
    url = JSStringCreateWithUTF8CString(place);
    exports =
        JSEvaluateScript(ctx, source, JSValueToObject(ctx, internals, NULL), url, 1, exception);
    JSStringRelease(source);
    JSStringRelease(url);
    return exports;
}

/* The value of a property of the realm; NULL where the engine has no memory for it. */
static JSValueRef step(JSContextRef ctx, JSObjectRef object, const char *part, size_t bytes,
                       bool getter, JSValueRef *exception)
{
    JSObjectRef symbols;
    JSValueRef key;
    char name[32];

    snprintf(name, sizeof(name), "%.*s", (int)bytes, part);
    key = natives_string(ctx, *name == '@' ? name + 1 : name);
    if (*name == '@') {
        symbols = natives_get(ctx, JSContextGetGlobalObject(ctx), "Symbol");
        key = JSObjectGetPropertyForKey(ctx, symbols, key, exception);
    }
    if (!getter)
        return JSObjectGetPropertyForKey(ctx, object, key, exception);
    return JSObjectCallAsFunction(ctx, natives_get(ctx, object, "__lookupGetter__"), object, 1,
                                  &key, exception);
}

static const char GETTER[] = "get ";

static JSValueRef walk(JSContextRef ctx, const char *path, JSValueRef *exception)
{
    JSValueRef value = JSContextGetGlobalObject(ctx);
    bool getter = strncmp(path, GETTER, strlen(GETTER)) == 0;

    if (getter)
        path += strlen(GETTER);
    while (*path != '\0' && value != NULL) {
        size_t bytes = strcspn(path, ".");
        bool last = path[bytes] == '\0';

        value =
            step(ctx, JSValueToObject(ctx, value, NULL), path, bytes, getter && last, exception);
        path += bytes + !last;
    }
    return value;
}

JSValueRef surface_intrinsic(const struct surface *surface, JSContextRef ctx, size_t index,
                             JSValueRef *exception)
{
    if (index >= surface_intrinsic_count)
        return NULL;
    if (surface->intrinsics == NULL)
        return walk(ctx, surface_intrinsics[index], exception);
    return JSObjectGetPropertyAtIndex(ctx, surface->intrinsics, (unsigned)index, exception);
}

static int list_intrinsics(struct surface *surface, JSContextRef ctx)
{
    JSObjectRef list = JSObjectMakeArray(ctx, 0, NULL, NULL);
    JSValueRef exception = NULL;

    for (size_t i = 0; i < surface_intrinsic_count && exception == NULL; i++) {
        JSValueRef value = walk(ctx, surface_intrinsics[i], &exception);

        if (exception == NULL)
            JSObjectSetPropertyAtIndex(ctx, list, (unsigned)i, value, &exception);
    }
    if (exception != NULL)
        return CM_E_NOMEM;
    JSValueProtect(ctx, list);
    surface->intrinsics = list;
    return 0;
}

static int open_base(struct surface *surface, JSContextRef ctx, struct worker *worker,
                     JSObjectRef core)
{
    JSObjectRef given = JSObjectMake(ctx, NULL, NULL);
    JSValueRef base;

    natives_set(ctx, given, "native", natives_families(ctx, worker));
    natives_set(ctx, given, "texts", natives_texts(ctx));
    natives_set(ctx, given, "core", core);
    base = surface_chunk(ctx, "base", given, NULL);
    if (base == NULL)
        return CM_E_NOMEM;
    surface->load = natives_get_kept(ctx, JSValueToObject(ctx, base, NULL), "load");
    surface->lazy = natives_get_kept(ctx, JSValueToObject(ctx, base, NULL), "lazy");
    surface->use = natives_get_kept(ctx, JSValueToObject(ctx, base, NULL), "use");
    surface->prepare = natives_get_kept(ctx, JSValueToObject(ctx, base, NULL), "prepare");
    return 0;
}

int surface_prepare(struct surface *surface, JSContextRef ctx, struct worker *worker,
                    JSObjectRef core)
{
    JSValueRef names[CHUNKS_MAX];
    JSValueRef exception = NULL;
    size_t count = 0;

    for (const struct surface_text *chunk = surface_texts; chunk->name != NULL; chunk++)
        if (strcmp(chunk->name, "base") != 0)
            names[count++] = natives_string(ctx, chunk->name);
    if (open_base(surface, ctx, worker, core) < 0)
        return CM_E_NOMEM;
    worker->quiet = true;
    JSObjectCallAsFunction(ctx, surface->prepare, NULL, count, names, &exception);
    worker->quiet = false;
    return exception == NULL ? 0 : CM_E_NOMEM;
}

/* Calls hook(name, chunk, kind, name, chunk, kind ...) with the rows that are wanted
 * so and have not been given. */
static int give(struct surface *surface, JSContextRef ctx, JSObjectRef hook, enum surface_want want)
{
    JSValueRef args[3 * SURFACE_ROWS];
    JSValueRef exception = NULL;
    size_t count = 0;

    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        if (surface->found.wanted[i] != want || surface->given[i] >= want)
            continue;
        surface->given[i] = (uint8_t)want;
        args[count++] = natives_string(ctx, rows[i].name);
        args[count++] = natives_string(ctx, rows[i].chunk);
        args[count++] = natives_string(ctx, rows[i].kind);
    }
    if (count > 0)
        JSObjectCallAsFunction(ctx, hook, NULL, count, args, &exception);
    return exception == NULL ? 0 : CM_E_NOMEM;
}

int surface_install(struct surface *surface, JSContextRef ctx, struct worker *worker,
                    JSObjectRef core)
{
    int r = surface->load == NULL ? open_base(surface, ctx, worker, core) : 0;

    if (r == 0 && surface->found.patches && surface->intrinsics == NULL)
        r = list_intrinsics(surface, ctx);
    if (r == 0)
        r = give(surface, ctx, surface->load, LOADED);
    if (r == 0)
        r = give(surface, ctx, surface->lazy, ACCESSOR);
    return r;
}

JSObjectRef surface_use(struct surface *surface, JSContextRef ctx, struct worker *worker,
                        JSObjectRef core, const char *name)
{
    JSValueRef args[] = { natives_string(ctx, name) };
    JSValueRef exports;

    if (surface->load == NULL && open_base(surface, ctx, worker, core) < 0)
        return NULL;
    exports = JSObjectCallAsFunction(ctx, surface->use, NULL, CM_ARRAY_LEN(args), args, NULL);
    return exports == NULL ? NULL : JSValueToObject(ctx, exports, NULL);
}

void surface_done(struct surface *surface, JSContextRef ctx)
{
    if (surface->load != NULL)
        JSValueUnprotect(ctx, surface->load);
    if (surface->lazy != NULL)
        JSValueUnprotect(ctx, surface->lazy);
    if (surface->use != NULL)
        JSValueUnprotect(ctx, surface->use);
    if (surface->prepare != NULL)
        JSValueUnprotect(ctx, surface->prepare);
    if (surface->intrinsics != NULL)
        JSValueUnprotect(ctx, surface->intrinsics);
}
