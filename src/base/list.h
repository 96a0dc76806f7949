/* A doubly linked ring threaded through its members. A link that is in no list
 * points to itself, so unlinking twice does nothing. */
#ifndef CM_BASE_LIST_H
#define CM_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct cm_list {
    struct cm_list *prev;
    struct cm_list *next;
};

static inline void cm_list_init(struct cm_list *list)
{
    list->prev = list;
    list->next = list;
}

static inline bool cm_list_empty(const struct cm_list *list)
{
    return list->next == list;
}

static inline void cm_list_unlink(struct cm_list *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
    cm_list_init(link);
}

/* Puts `link` last; it must be in no list. */
static inline void cm_list_append(struct cm_list *list, struct cm_list *link)
{
    link->prev = list->prev;
    link->next = list;
    list->prev->next = link;
    list->prev = link;
}

/* Puts `link` first; it must be in no list. */
static inline void cm_list_prepend(struct cm_list *list, struct cm_list *link)
{
    cm_list_append(list->next, link);
}

/* Moves `link` from wherever it is to the end of `list`. */
static inline void cm_list_move(struct cm_list *list, struct cm_list *link)
{
    cm_list_unlink(link);
    cm_list_append(list, link);
}

#define CM_LIST_FIRST(list, type, member) \
    (cm_list_empty(list) ? NULL : CM_CONTAINER_OF((list)->next, type, member))

/* Visits each member; the body may unlink or free the one it is at. */
#define CM_LIST_EACH(list, link, after)                                            \
    for (struct cm_list *link = (list)->next, *after = link->next; link != (list); \
         link = after, after = link->next)

#endif
