/* The keys of objects that a peer sends: hostile in name and number. */
#include "capnweb/keys.h"

#include "base/cleanup.h"

#include "codemode/executor.h"

#include <stdlib.h>

enum { FEW = 12 };

static const char *const dropped[] = {
    "constructor",      "__defineGetter__", "__defineSetter__", "hasOwnProperty",
    "__lookupGetter__", "__lookupSetter__", "isPrototypeOf",    "propertyIsEnumerable",
    "toString",         "valueOf",          "__proto__",        "toLocaleString",
    "toJSON",
};

static const char *const dropped_of_errors[] = { "name", "message", "stack" };

static bool is_among(struct capnweb_text key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (capnweb_text_is(key, names[i]))
            return true;
    return false;
}

static bool is_dropped(struct capnweb_text key, bool error)
{
    return is_among(key, dropped, CM_ARRAY_LEN(dropped)) ||
           (error && is_among(key, dropped_of_errors, CM_ARRAY_LEN(dropped_of_errors)));
}

/* Takes out the members whose key is NULL. */
static void compact(struct capnweb_member *members, size_t *count)
{
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++)
        if (members[i].key.data != NULL)
            members[kept++] = members[i];
    *count = kept;
}

static bool same(const struct capnweb_member *a, const struct capnweb_member *b)
{
    return a->key.bytes == b->key.bytes && memcmp(a->key.data, b->key.data, a->key.bytes) == 0;
}

/* The later of two with one key gives its value to the earlier and goes. */
static void merge(struct capnweb_member *earlier, struct capnweb_member *later)
{
    earlier->value = later->value;
    later->key.data = NULL;
}

static void merge_few(struct capnweb_member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; members[i].key.data != NULL && k < count; k++)
            if (members[k].key.data != NULL && same(&members[i], &members[k]))
                merge(&members[i], &members[k]);
}

/* By key, and those with one key in their order. */
static int compare(const void *a, const void *b)
{
    const struct capnweb_member *x = *(struct capnweb_member *const *)a;
    const struct capnweb_member *y = *(struct capnweb_member *const *)b;
    int order;

    if (x->key.bytes != y->key.bytes)
        return x->key.bytes < y->key.bytes ? -1 : 1;
    order = memcmp(x->key.data, y->key.data, x->key.bytes);
    return order != 0 ? order : x < y ? -1 : x > y;
}

static int merge_many(struct capnweb_member *members, size_t count)
{
    CM_AUTO_FREE struct capnweb_member **sorted =
        reallocarray(NULL, count, sizeof(struct capnweb_member *));
    size_t first = 0;

    if (sorted == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &members[i];
    qsort(sorted, count, sizeof(struct capnweb_member *), compare);
    for (size_t i = 1; i < count; i++) {
        if (same(sorted[first], sorted[i]))
            merge(sorted[first], sorted[i]);
        else
            first = i;
    }
    return 0;
}

int rpc_keys_clean(struct capnweb_member *members, size_t *count, bool error)
{
    int r = 0;

    for (size_t i = 0; i < *count; i++)
        if (is_dropped(members[i].key, error))
            members[i].key.data = NULL;
    compact(members, count);
    if (*count <= FEW)
        merge_few(members, *count);
    else
        r = merge_many(members, *count);
    compact(members, count);
    return r;
}
