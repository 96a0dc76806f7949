/* A table of pointers by number. A peer chooses some of the numbers: they are spread
 * by multiplication with a number that it does not know. */
#include "capnweb/table.h"

#include "codemode/executor.h"

#include <stdlib.h>

enum { FIRST_BITS = 4 };

void capnweb_table_init(struct capnweb_table *table, uint64_t salt)
{
    *table = (struct capnweb_table){ .salt = salt | 1 };
}

static size_t slot_of(const struct capnweb_table *table, int64_t id)
{
    return (size_t)(((uint64_t)id * table->salt) >> (64 - table->bits));
}

/* The slot of the id, or the free one where it would go. */
static struct capnweb_slot *probe(const struct capnweb_table *table, int64_t id)
{
    size_t mask = capnweb_table_size(table) - 1;
    size_t at = slot_of(table, id);

    while (table->slots[at].entry != NULL && table->slots[at].id != id)
        at = (at + 1) & mask;
    return &table->slots[at];
}

void capnweb_table_done(struct capnweb_table *table)
{
    free(table->slots);
    capnweb_table_init(table, table->salt);
}

void *capnweb_table_find(const struct capnweb_table *table, int64_t id)
{
    return table->slots == NULL ? NULL : probe(table, id)->entry;
}

static int grow(struct capnweb_table *table)
{
    struct capnweb_table grown = *table;

    grown.bits = table->slots == NULL ? FIRST_BITS : table->bits + 1;
    grown.slots = calloc((size_t)1 << grown.bits, sizeof(*grown.slots));
    if (grown.slots == NULL)
        return CM_E_NOMEM;
    for (size_t i = 0; i < capnweb_table_size(table); i++)
        if (table->slots[i].entry != NULL)
            *probe(&grown, table->slots[i].id) = table->slots[i];
    free(table->slots);
    *table = grown;
    return 0;
}

int capnweb_table_put(struct capnweb_table *table, int64_t id, void *entry)
{
    struct capnweb_slot *slot;

    if ((table->count + 1) * 2 > capnweb_table_size(table) && grow(table) < 0)
        return CM_E_NOMEM;
    slot = probe(table, id);
    table->count += slot->entry == NULL;
    *slot = (struct capnweb_slot){ id, entry };
    return 0;
}

/* What lies behind the hole and would no longer be found moves into it. */
static void close_hole(struct capnweb_table *table, size_t hole)
{
    size_t mask = capnweb_table_size(table) - 1;

    for (size_t at = (hole + 1) & mask; table->slots[at].entry != NULL; at = (at + 1) & mask) {
        size_t home = slot_of(table, table->slots[at].id);

        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        table->slots[hole] = table->slots[at];
        table->slots[at].entry = NULL;
        hole = at;
    }
}

void capnweb_table_remove(struct capnweb_table *table, int64_t id)
{
    struct capnweb_slot *slot;

    if (table->slots == NULL)
        return;
    slot = probe(table, id);
    if (slot->entry == NULL)
        return;
    slot->entry = NULL;
    table->count--;
    close_hole(table, (size_t)(slot - table->slots));
}
