/*
 * Values of the Cap'n Web protocol, as a tree.
 *
 * A value is a small struct that is passed by value and that borrows what it
 * refers to: text, bytes, items, members, stubs. So a tree can be written down on
 * the stack and given to a function of session.h, which copies or encodes it before
 * it returns:
 *
 *     const struct capnweb_member members[] = {
 *         { capnweb_text("result"), capnweb_string(json, json_bytes) },
 *         { capnweb_text("error"), capnweb_undefined() },
 *     };
 *     capnweb_answer(call, capnweb_object(members, 2));
 *
 * Trees that session.h hands out live as long as it says there. Their text is
 * well-formed UTF-8 and has a final NUL that its length does not count; it can hold
 * U+0000. Their objects have no key twice, and no key that a JavaScript receiver
 * would drop (members of Object.prototype, toJSON). No function here fails or
 * allocates.
 */
#ifndef CM_CAPNWEB_VALUE_H
#define CM_CAPNWEB_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct capnweb_stub;
struct capnweb_pipe;

enum capnweb_kind {
    CAPNWEB_UNDEFINED,
    CAPNWEB_NULL,
    CAPNWEB_BOOLEAN,
    CAPNWEB_NUMBER,   /* number; NaN and the infinities too */
    CAPNWEB_BIGINT,   /* text: decimal with an optional minus, or what the peer wrote after 0x 0o 0b
                       */
    CAPNWEB_STRING,   /* text */
    CAPNWEB_DATE,     /* number: milliseconds since 1970, NaN is the invalid date */
    CAPNWEB_BYTES,    /* bytes, and type says of which class */
    CAPNWEB_ARRAY,    /* array */
    CAPNWEB_OBJECT,   /* object */
    CAPNWEB_ERROR,    /* error */
    CAPNWEB_URL,      /* text: absolute; scheme and host in lower case */
    CAPNWEB_HEADERS,  /* http: init is an array of [name, value] */
    CAPNWEB_REQUEST,  /* http: url, init, body */
    CAPNWEB_RESPONSE, /* http: init, body */
    CAPNWEB_BLOB,     /* blob */
    CAPNWEB_STUB,     /* stub: a function or an object with methods */
    CAPNWEB_PROMISE,  /* stub: replaced by what it becomes before anybody receives it */
    CAPNWEB_WRITABLE, /* stub: a stream that takes write(chunk), close(), abort(reason) */
    CAPNWEB_READABLE, /* pipe: a stream to be read with capnweb_pipe_read() */
};

/* The rows of src/tables/capnweb_bytes.def. */
enum capnweb_bytes_type {
#define CAPNWEB_BYTES_TYPE(name, text, element_bytes) CAPNWEB_BYTES_##name,
#include "tables/capnweb_bytes.def"
#undef CAPNWEB_BYTES_TYPE
    CAPNWEB_BYTES_TYPES
};

struct capnweb_text {
    const char *data; /* NULL: there is none, where that is allowed */
    size_t bytes;
};

struct capnweb_value {
    uint16_t kind; /* enum capnweb_kind */
    uint16_t type; /* enum capnweb_bytes_type of BYTES, else 0 */
    union {
        bool boolean;
        double number;
        struct capnweb_text text;
        struct {
            const uint8_t *data; /* elements are little-endian; may be unaligned */
            size_t count;
        } bytes;
        struct {
            const struct capnweb_value *items;
            size_t count;
        } array;
        struct {
            const struct capnweb_member *members;
            size_t count;
        } object;
        const struct capnweb_error *error;
        const struct capnweb_http *http;
        const struct capnweb_blob *blob;
        struct capnweb_stub *stub;
        struct capnweb_pipe *pipe;
    };
};

struct capnweb_member {
    struct capnweb_text key;
    struct capnweb_value value;
};

/* A JavaScript peer keeps only the type names of the standard errors: what has to
 * be told apart there needs a property such as `code`. */
struct capnweb_error {
    struct capnweb_text type; /* "TypeError" */
    struct capnweb_text message;
    struct capnweb_text stack; /* data NULL: none */
    const struct capnweb_member *props;
    size_t prop_count;
};

/* The parts of a Headers, Request or Response. `init` is what the constructor of
 * the interface takes beside url and body, as plain data; defaults are left out. */
struct capnweb_http {
    struct capnweb_text url; /* of a REQUEST */
    struct capnweb_value init;
    struct capnweb_value body; /* NULL, STRING, BYTES, READABLE; UNDEFINED: absent */
};

struct capnweb_blob {
    struct capnweb_text type; /* the media type, may be empty */
    const uint8_t *data;
    size_t bytes;
};

static inline struct capnweb_text capnweb_text(const char *text)
{
    return (struct capnweb_text){ text, strlen(text) };
}

static inline bool capnweb_text_is(struct capnweb_text text, const char *other)
{
    return text.bytes == strlen(other) && memcmp(text.data, other, text.bytes) == 0;
}

static inline struct capnweb_value capnweb_undefined(void)
{
    return (struct capnweb_value){ .kind = CAPNWEB_UNDEFINED };
}

static inline struct capnweb_value capnweb_null(void)
{
    return (struct capnweb_value){ .kind = CAPNWEB_NULL };
}

static inline struct capnweb_value capnweb_boolean(bool boolean)
{
    return (struct capnweb_value){ .kind = CAPNWEB_BOOLEAN, .boolean = boolean };
}

static inline struct capnweb_value capnweb_number(double number)
{
    return (struct capnweb_value){ .kind = CAPNWEB_NUMBER, .number = number };
}

/* UTF-8; a sequence that is not is sent as U+FFFD. */
static inline struct capnweb_value capnweb_string(const char *data, size_t bytes)
{
    return (struct capnweb_value){ .kind = CAPNWEB_STRING, .text = { data, bytes } };
}

static inline struct capnweb_value capnweb_cstring(const char *text)
{
    return capnweb_string(text, strlen(text));
}

static inline struct capnweb_value capnweb_bigint(const char *digits)
{
    return (struct capnweb_value){ .kind = CAPNWEB_BIGINT, .text = capnweb_text(digits) };
}

static inline struct capnweb_value capnweb_date(double ms)
{
    return (struct capnweb_value){ .kind = CAPNWEB_DATE, .number = ms };
}

static inline struct capnweb_value capnweb_bytes(const void *data, size_t count,
                                                 enum capnweb_bytes_type type)
{
    return (struct capnweb_value){ .kind = CAPNWEB_BYTES,
                                   .type = (uint16_t)type,
                                   .bytes = { data, count } };
}

static inline struct capnweb_value capnweb_array(const struct capnweb_value *items, size_t count)
{
    return (struct capnweb_value){ .kind = CAPNWEB_ARRAY, .array = { items, count } };
}

static inline struct capnweb_value capnweb_object(const struct capnweb_member *members,
                                                  size_t count)
{
    return (struct capnweb_value){ .kind = CAPNWEB_OBJECT, .object = { members, count } };
}

static inline struct capnweb_value capnweb_error(const struct capnweb_error *error)
{
    return (struct capnweb_value){ .kind = CAPNWEB_ERROR, .error = error };
}

static inline struct capnweb_value capnweb_url(const char *url)
{
    return (struct capnweb_value){ .kind = CAPNWEB_URL, .text = capnweb_text(url) };
}

/* A stub inside a value is borrowed like everything else: whoever made the tree
 * keeps its reference. */
static inline struct capnweb_value capnweb_stub(struct capnweb_stub *stub)
{
    return (struct capnweb_value){ .kind = CAPNWEB_STUB, .stub = stub };
}

/* What the stub of a call or of a property becomes; session.h resolves it. */
static inline struct capnweb_value capnweb_promise(struct capnweb_stub *stub)
{
    return (struct capnweb_value){ .kind = CAPNWEB_PROMISE, .stub = stub };
}

/* An object of ours with the methods write, close and abort. */
static inline struct capnweb_value capnweb_writable(struct capnweb_stub *stub)
{
    return (struct capnweb_value){ .kind = CAPNWEB_WRITABLE, .stub = stub };
}

static inline struct capnweb_value capnweb_readable(struct capnweb_pipe *pipe)
{
    return (struct capnweb_value){ .kind = CAPNWEB_READABLE, .pipe = pipe };
}

static inline struct capnweb_value capnweb_blob(const struct capnweb_blob *blob)
{
    return (struct capnweb_value){ .kind = CAPNWEB_BLOB, .blob = blob };
}

/* Kind HEADERS, REQUEST or RESPONSE. */
static inline struct capnweb_value capnweb_http(enum capnweb_kind kind,
                                                const struct capnweb_http *http)
{
    return (struct capnweb_value){ .kind = (uint16_t)kind, .http = http };
}

/* The member of an object, or the property of an error. NULL: there is none, or it
 * is undefined (which protocol peers send for "absent"), or the value is neither. */
const struct capnweb_value *capnweb_get(const struct capnweb_value *value, const char *key);

/* The same as text: data is NULL when the member is no string. */
struct capnweb_text capnweb_get_text(const struct capnweb_value *value, const char *key);

/* "Uint8Array" and so on. */
const char *capnweb_bytes_name(enum capnweb_bytes_type type);
size_t capnweb_bytes_element(enum capnweb_bytes_type type);

#endif
