/* The target's methods that take and give values. */
#include "describe.h"
#include "target.h"

#include "base/cleanup.h"
#include "capnweb/text.h"

#include <math.h>
#include <stdio.h>

enum { DESCRIPTION_MAX = 256 << 20 };

#define TEXT(literal)                                                     \
    {                                                                     \
        .kind = CAPNWEB_STRING, .text = {(literal), sizeof(literal) - 1 } \
    }
#define NUMBER(value)                             \
    {                                             \
        .kind = CAPNWEB_NUMBER, .number = (value) \
    }
#define LIST(values)                                                      \
    {                                                                     \
        .kind = CAPNWEB_ARRAY, .array = {(values), CM_ARRAY_LEN(values) } \
    }
#define KEY(literal)                   \
    {                                  \
        (literal), sizeof(literal) - 1 \
    }
#define OBJECT(list)                                                    \
    {                                                                   \
        .kind = CAPNWEB_OBJECT, .object = {(list), CM_ARRAY_LEN(list) } \
    }
#define BYTES(data, name)                                               \
    {                                                                   \
        .kind = CAPNWEB_BYTES, .type = CAPNWEB_BYTES_##name, .bytes = { \
            (const uint8_t *)(data),                                    \
            sizeof(data) - 1                                            \
        }                                                               \
    }

static const struct capnweb_value one[] = { NUMBER(1) };
static const struct capnweb_value one_in_list[] = { LIST(one) };
static const struct capnweb_value three[] = { NUMBER(3) };
static const struct capnweb_value two_three[] = { NUMBER(2), LIST(three) };
static const struct capnweb_value nested[] = { { .kind = CAPNWEB_ARRAY },
                                               LIST(one_in_list),
                                               LIST(two_three) };
static const struct capnweb_value taglike[] = { TEXT("date"), NUMBER(5) };
static const struct capnweb_value true_null[] = { { .kind = CAPNWEB_BOOLEAN, .boolean = true },
                                                  { .kind = CAPNWEB_NULL } };
static const struct capnweb_member deep[] = { { KEY("d"), { .kind = CAPNWEB_UNDEFINED } } };
static const struct capnweb_member plain[] = { { KEY("a"), NUMBER(1) },
                                               { KEY("b"), LIST(true_null) },
                                               { KEY("c"), OBJECT(deep) } };
static const struct capnweb_error made_error = { .type = KEY("Error"), .message = KEY("made") };
static const struct capnweb_error made_type_error = { .type = KEY("TypeError"),
                                                      .message = KEY("made too") };

enum { MANY_KEYS = 300 };
static char many_names[MANY_KEYS][8];
static struct capnweb_member many[MANY_KEYS];

/* clang-format off */
static const struct made {
    const char *kind;
    struct capnweb_value value;
} made_rows[] = {
    { "undefined",   { .kind = CAPNWEB_UNDEFINED } },
    { "null",        { .kind = CAPNWEB_NULL } },
    { "true",        { .kind = CAPNWEB_BOOLEAN, .boolean = true } },
    { "false",       { .kind = CAPNWEB_BOOLEAN } },
    { "zero",        NUMBER(0) },
    { "int",         NUMBER(42) },
    { "negint",      NUMBER(-7) },
    { "float",       NUMBER(1.5) },
    { "tiny",        NUMBER(5e-324) },
    { "huge",        NUMBER(1.7976931348623157e308) },
    { "maxsafe",     NUMBER(9007199254740991.0) },
    { "inf",         NUMBER(INFINITY) },
    { "neginf",      NUMBER(-INFINITY) },
    { "nan",         NUMBER(NAN) },
    { "bigint",      { .kind = CAPNWEB_BIGINT, .text = KEY("123456789012345678901234567890") } },
    { "negbigint",   { .kind = CAPNWEB_BIGINT, .text = KEY("-5") } },
    { "date",        { .kind = CAPNWEB_DATE, .number = 86400000 } },
    { "olddate",     { .kind = CAPNWEB_DATE, .number = -1 } },
    { "baddate",     { .kind = CAPNWEB_DATE, .number = NAN } },
    { "emptystring", TEXT("") },
    { "ascii",       TEXT("hello") },
    { "escapes",     TEXT("q\"b\\s/\b\f\n\r\t\0\x1f") },
    { "unicode",     TEXT("h\u00e9\u4e16\U0001F600\u2028") },
    { "bytes",       BYTES("\0\1\2\xfd\xfe\xff", UINT8) },
    { "emptybytes",  BYTES("", UINT8) },
    { "arraybuffer", BYTES("\1\2\3", BUFFER) },
    { "uint16",      BYTES("\1\0\1\2", UINT16) },
    { "float64",     BYTES("\0\0\0\0\0\0\xf8\x3f", FLOAT64) },
    { "emptyarray",  { .kind = CAPNWEB_ARRAY } },
    { "nestedarray", LIST(nested) },
    { "taglike",     LIST(taglike) },
    { "emptyobject", { .kind = CAPNWEB_OBJECT } },
    { "object",      OBJECT(plain) },
    { "error",       { .kind = CAPNWEB_ERROR, .error = &made_error } },
    { "typeerror",   { .kind = CAPNWEB_ERROR, .error = &made_type_error } },
    { "manykeys",    OBJECT(many) },
};
/* clang-format on */

static void make_many(void)
{
    for (int i = 0; i < MANY_KEYS; i++) {
        int n = snprintf(many_names[i], sizeof(many_names[i]), "k%d", i);

        many[i].key = (struct capnweb_text){ many_names[i], (size_t)n };
        many[i].value = capnweb_number(i);
    }
}

const struct capnweb_value *target_made(const struct capnweb_value *kind)
{
    if (many[0].key.data == NULL)
        make_many();
    for (size_t i = 0; i < CM_ARRAY_LEN(made_rows); i++)
        if (kind->kind == CAPNWEB_STRING && capnweb_text_is(kind->text, made_rows[i].kind))
            return &made_rows[i].value;
    return NULL;
}

double target_number(const struct capnweb_call *call, size_t index, double otherwise)
{
    const struct capnweb_value *value = capnweb_call_arg(call, index);

    return value->kind == CAPNWEB_NUMBER ? value->number : otherwise;
}

void *target_alloc(struct capnweb_call *call, size_t bytes)
{
    void *memory = capnweb_call_alloc(call, bytes);

    if (memory == NULL)
        abort();
    return memory;
}

void target_square(void *object, struct capnweb_call *call)
{
    double i = target_number(call, 0, NAN);

    (void)object;
    capnweb_answer(call, capnweb_number(i * i));
}

void target_throwError(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_reject_text(call, "RangeError", "test error");
}

void target_generateFibonacci(void *object, struct capnweb_call *call)
{
    size_t n = (size_t)target_number(call, 0, 0);
    struct capnweb_value *list = target_alloc(call, (n + 2) * sizeof(*list));

    (void)object;
    list[0] = capnweb_number(0);
    list[1] = capnweb_number(1);
    for (size_t i = 2; i < n; i++)
        list[i] = capnweb_number(list[i - 1].number + list[i - 2].number);
    capnweb_answer(call, capnweb_array(list, n));
}

void target_returnNull(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_null());
}

void target_returnUndefined(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_undefined());
}

void target_returnNumber(void *object, struct capnweb_call *call)
{
    target_echo(object, call);
}

void target_echo(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, *capnweb_call_arg(call, 0));
}

void target_echoBlob(void *object, struct capnweb_call *call)
{
    target_echo(object, call);
}

void target_echoMany(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_array(capnweb_call_arg(call, 0), capnweb_call_args(call)));
}

void target_argCount(void *object, struct capnweb_call *call)
{
    (void)object;
    capnweb_answer(call, capnweb_number((double)capnweb_call_args(call)));
}

void target_describe(void *object, struct capnweb_call *call)
{
    struct cm_buf text;

    (void)object;
    cm_buf_init(&text, DESCRIPTION_MAX);
    describe(&text, capnweb_call_arg(call, 0));
    capnweb_answer(call, capnweb_string((const char *)cm_buf_bytes(&text), text.len));
    cm_buf_done(&text);
}

void target_makeValue(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *value = target_made(capnweb_call_arg(call, 0));

    (void)object;
    if (value == NULL)
        capnweb_reject_text(call, "RangeError", "unknown kind");
    else
        capnweb_answer(call, *value);
}

void target_makeBytes(void *object, struct capnweb_call *call)
{
    size_t n = (size_t)target_number(call, 0, 0);
    uint8_t *bytes = target_alloc(call, n + 1);

    (void)object;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(31 * i + 7);
    capnweb_answer(call, capnweb_bytes(bytes, n, CAPNWEB_BYTES_UINT8));
}

/* Large, and made for this call: it need not be kept. */
void target_makeString(void *object, struct capnweb_call *call)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t n = (size_t)target_number(call, 0, 0);
    char *text = target_alloc(call, n + 1);

    (void)object;
    for (size_t i = 0; i < n; i++)
        text[i] = letters[i % (sizeof(letters) - 1)];
    capnweb_answer_once(call, capnweb_string(text, n));
}

static double fnv(const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    uint32_t hash = 0x811c9dc5;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 0x01000193;
    return hash;
}

void target_bytesInfo(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *value = capnweb_call_arg(call, 0);
    const struct capnweb_member members[] = {
        { KEY("length"), capnweb_number((double)value->bytes.count) },
        { KEY("fnv"), capnweb_number(fnv(value->bytes.data, value->bytes.count)) },
    };

    (void)object;
    if (value->kind != CAPNWEB_BYTES)
        capnweb_reject_text(call, "TypeError", "bytesInfo() takes bytes");
    else
        capnweb_answer(call, capnweb_object(members, CM_ARRAY_LEN(members)));
}

void target_stringInfo(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *value = capnweb_call_arg(call, 0);
    struct capnweb_text text = value->kind == CAPNWEB_STRING ? value->text : capnweb_text("");
    const struct capnweb_member members[] = {
        { KEY("units"), capnweb_number((double)capnweb_text_units(text.data, text.bytes)) },
        { KEY("length"), capnweb_number((double)text.bytes) },
        { KEY("fnv"), capnweb_number(fnv(text.data, text.bytes)) },
    };

    (void)object;
    capnweb_answer(call, capnweb_object(members, CM_ARRAY_LEN(members)));
}

void target_list(void *object, struct capnweb_call *call)
{
    size_t n = (size_t)target_number(call, 0, 0);
    struct capnweb_value *items = target_alloc(call, (n + 1) * sizeof(*items));

    (void)object;
    for (size_t i = 0; i < n; i++)
        items[i] = capnweb_number((double)i);
    capnweb_answer(call, capnweb_array(items, n));
}

/*
 * What is thrown
 */

static const struct capnweb_value list_one_two[] = { NUMBER(1), NUMBER(2) };
static const struct capnweb_member details[] = { { KEY("list"), LIST(list_one_two) } };
static const struct capnweb_member props[] = {
    { KEY("code"), TEXT("E_TEST") },
    { KEY("retryable"), { .kind = CAPNWEB_BOOLEAN } },
    { KEY("details"), OBJECT(details) },
};
static const struct capnweb_error inner = { .type = KEY("TypeError"), .message = KEY("inner") };
static const struct capnweb_member cause[] = {
    { KEY("cause"), { .kind = CAPNWEB_ERROR, .error = &inner } },
};
static const struct capnweb_error first = { .type = KEY("Error"), .message = KEY("first") };
static const struct capnweb_error second = { .type = KEY("RangeError"), .message = KEY("second") };
static const struct capnweb_value several[] = { { .kind = CAPNWEB_ERROR, .error = &first },
                                                { .kind = CAPNWEB_ERROR, .error = &second } };
static const struct capnweb_member errors[] = { { KEY("errors"), LIST(several) } };
static const struct capnweb_member thrown_object[] = {
    { KEY("reason"), TEXT("a thrown object") },
    { KEY("list"), LIST(one) },
};

/* clang-format off */
static const struct capnweb_error thrown_errors[] = {
    { .type = KEY("Error"), .message = KEY("plain failure") },
    { .type = KEY("TypeError"), .message = KEY("type failure") },
    { .type = KEY("RangeError"), .message = KEY("range failure") },
    { .type = KEY("Error"), .message = KEY("with properties"), .props = props, .prop_count = 3 },
    { .type = KEY("Error"), .message = KEY("outer"), .props = cause, .prop_count = 1 },
    { .type = KEY("AggregateError"), .message = KEY("several"), .props = errors, .prop_count = 1 },
    { .type = KEY("Error"), .message = KEY("d\u00e9sol\u00e9 \U0001F600 \"quoted\"\nsecond line") },
};

static const struct made thrown_rows[] = {
    { "error",     { .kind = CAPNWEB_ERROR, .error = &thrown_errors[0] } },
    { "type",      { .kind = CAPNWEB_ERROR, .error = &thrown_errors[1] } },
    { "range",     { .kind = CAPNWEB_ERROR, .error = &thrown_errors[2] } },
    { "props",     { .kind = CAPNWEB_ERROR, .error = &thrown_errors[3] } },
    { "cause",     { .kind = CAPNWEB_ERROR, .error = &thrown_errors[4] } },
    { "aggregate", { .kind = CAPNWEB_ERROR, .error = &thrown_errors[5] } },
    { "unicode",   { .kind = CAPNWEB_ERROR, .error = &thrown_errors[6] } },
    { "string",    TEXT("a thrown string") },
    { "number",    NUMBER(42) },
    { "null",      { .kind = CAPNWEB_NULL } },
    { "undefined", { .kind = CAPNWEB_UNDEFINED } },
    { "object",    OBJECT(thrown_object) },
};
/* clang-format on */

void target_throwKind(void *object, struct capnweb_call *call)
{
    const struct capnweb_value *kind = capnweb_call_arg(call, 0);

    (void)object;
    for (size_t i = 0; i < CM_ARRAY_LEN(thrown_rows); i++)
        if (kind->kind == CAPNWEB_STRING && capnweb_text_is(kind->text, thrown_rows[i].kind)) {
            capnweb_reject(call, thrown_rows[i].value);
            return;
        }
    capnweb_reject_text(call, "RangeError", "unknown kind");
}
