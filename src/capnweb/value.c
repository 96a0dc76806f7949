/* Looking things up in values. The values may be a peer's; nothing is written. */
#include "capnweb/value.h"

#include "base/cleanup.h"

static const struct bytes_row {
    const char *name;
    size_t element_bytes;
} bytes_rows[] = {
#define CAPNWEB_BYTES_TYPE(name, text, element_bytes) { text, element_bytes },
#include "tables/capnweb_bytes.def"
#undef CAPNWEB_BYTES_TYPE
};

static const struct capnweb_member *members_of(const struct capnweb_value *value, size_t *ret_count)
{
    *ret_count = 0;
    if (value->kind == CAPNWEB_OBJECT) {
        *ret_count = value->object.count;
        return value->object.members;
    }
    if (value->kind == CAPNWEB_ERROR) {
        *ret_count = value->error->prop_count;
        return value->error->props;
    }
    return NULL;
}

const struct capnweb_value *capnweb_get(const struct capnweb_value *value, const char *key)
{
    size_t count;
    const struct capnweb_member *members = members_of(value, &count);

    for (size_t i = 0; i < count; i++)
        if (capnweb_text_is(members[i].key, key))
            return members[i].value.kind == CAPNWEB_UNDEFINED ? NULL : &members[i].value;
    return NULL;
}

struct capnweb_text capnweb_get_text(const struct capnweb_value *value, const char *key)
{
    const struct capnweb_value *member = capnweb_get(value, key);

    if (member == NULL || member->kind != CAPNWEB_STRING)
        return (struct capnweb_text){ NULL, 0 };
    return member->text;
}

const char *capnweb_bytes_name(enum capnweb_bytes_type type)
{
    return bytes_rows[type].name;
}

size_t capnweb_bytes_element(enum capnweb_bytes_type type)
{
    return bytes_rows[type].element_bytes;
}
