/* A table of pointers by number: open addressing, at most half full. */
#ifndef CM_CAPNWEB_TABLE_H
#define CM_CAPNWEB_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct capnweb_slot {
    int64_t id;
    void *entry; /* NULL: free */
};

struct capnweb_table {
    struct capnweb_slot *slots;
    unsigned bits; /* there are 1 << bits slots, or none */
    size_t count;
    uint64_t salt; /* odd */
};

/* `salt` is a random number that the peer does not know. */
void capnweb_table_init(struct capnweb_table *table, uint64_t salt);

/* Frees the slots, not the entries; the table is empty then. */
void capnweb_table_done(struct capnweb_table *table);

/* NULL: none. */
void *capnweb_table_find(const struct capnweb_table *table, int64_t id);

/* Puts an entry (not NULL) in the place of whatever has that id. CM_E_NOMEM. */
int capnweb_table_put(struct capnweb_table *table, int64_t id, void *entry);

/* Nothing happens without such an entry. */
void capnweb_table_remove(struct capnweb_table *table, int64_t id);

/* The slots there are, to walk over them. */
static inline size_t capnweb_table_size(const struct capnweb_table *table)
{
    return table->slots == NULL ? 0 : (size_t)1 << table->bits;
}

#endif
