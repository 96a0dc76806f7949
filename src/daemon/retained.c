/* The retained executions of a connection. Runs in the daemon; ids of callers are
 * hostile, and those of another connection are none. */
#include "daemon/retained.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct retained {
    struct cm_list link; /* connection->retained, oldest first */
    struct callbacks callbacks;
    char id[];
};

static struct retained *find(struct connection *connection, struct capnweb_text id)
{
    CM_LIST_EACH(&connection->retained, link, after)
    {
        struct retained *retained = CM_CONTAINER_OF(link, struct retained, link);

        if (capnweb_text_is(id, retained->id))
            return retained;
    }
    return NULL;
}

static void retained_free(struct connection *connection, struct retained *retained)
{
    cm_list_unlink(&retained->link);
    connection->retained_count--;
    callbacks_done(&retained->callbacks);
    free(retained);
}

int retained_keep(struct connection *connection, const char *id, const struct callbacks *callbacks)
{
    size_t id_bytes = strlen(id) + 1;
    struct retained *retained = calloc(1, sizeof(*retained) + id_bytes);
    uint64_t max = 0;

    if (retained == NULL)
        return CM_E_NOMEM;
    memcpy(retained->id, id, id_bytes);
    retained->callbacks = callbacks_ref(callbacks);
    cm_list_init(&retained->link);
    cm_list_append(&connection->retained, &retained->link);
    connection->retained_count++;
    cm_parse_u64(cm_settings_get(connection->daemon->settings->executor, "MAX_RETAINED"), &max);
    if (connection->retained_count > max)
        retained_free(connection,
                      CM_CONTAINER_OF(connection->retained.next, struct retained, link));
    return 0;
}

const struct callbacks *retained_find(struct connection *connection, struct capnweb_text id)
{
    const struct retained *retained = find(connection, id);

    return retained == NULL ? NULL : &retained->callbacks;
}

void retained_forget(struct connection *connection, struct capnweb_text id)
{
    struct retained *retained = find(connection, id);

    if (retained != NULL)
        retained_free(connection, retained);
}

void retained_end_all(struct connection *connection)
{
    struct retained *retained;

    if (connection->retained_count > 0)
        cm_executor_release_key(connection->daemon->executor, connection->key);
    while ((retained = CM_LIST_FIRST(&connection->retained, struct retained, link)) != NULL)
        retained_free(connection, retained);
}
