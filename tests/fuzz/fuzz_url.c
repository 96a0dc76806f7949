/* A program that gives URLs of any text: bytes in three parts, which newlines
 * divide (a text, a base or nothing, what an attribute is set to), as Latin-1. What
 * is written must be read as the same again. */
#include "fuzz.h"

#include "base/cleanup.h"
#include "codemode/executor.h"
#include "worker/url.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, HREF_MAX = 1 << 24 };

struct part {
    uint16_t *units; /* exactly its size */
    size_t len;
};

static struct part take_part(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *stop = *at == end ? NULL : memchr(*at, '\n', (size_t)(end - *at));
    struct part part = { .len = (size_t)((stop == NULL ? end : stop) - *at) };

    part.units = calloc(part.len + 1, sizeof(*part.units));
    MUST(part.units != NULL);
    for (size_t i = 0; i < part.len; i++)
        part.units[i] = (*at)[i];
    *at = stop == NULL ? end : stop + 1;
    return part;
}

static struct url_text text_of(const struct part *part)
{
    return (struct url_text){ part->units, part->len };
}

/* The URL's text, which is ASCII, and offsets that go up. */
static void write_checked(const struct url *url, struct cm_buf *href)
{
    uint32_t offsets[URL_OFFSETS];

    cm_buf_init(href, HREF_MAX);
    MUST(url_write(url, href, offsets) == 0);
    for (size_t i = 0; i < href->len; i++)
        MUST(cm_buf_bytes(href)[i] < 0x80);
    for (size_t i = 0; i < URL_OFFSETS; i++)
        MUST(offsets[i] <= href->len && (i == 0 || offsets[i] >= offsets[i - 1]));
}

static void must_read_back(const struct url *url)
{
    struct cm_buf href;
    struct cm_buf again;
    struct url parsed;
    uint16_t *units;

    write_checked(url, &href);
    units = calloc(href.len + 1, sizeof(*units));
    MUST(units != NULL);
    for (size_t i = 0; i < href.len; i++)
        units[i] = cm_buf_bytes(&href)[i];
    url_init(&parsed);
    MUST(url_parse(&parsed, (struct url_text){ units, href.len }, NULL) == 0);
    write_checked(&parsed, &again);
    MUST(again.len == href.len && memcmp(cm_buf_bytes(&again), cm_buf_bytes(&href), href.len) == 0);
    url_done(&parsed);
    cm_buf_done(&again);
    cm_buf_done(&href);
    free(units);
}

static void try_url(const struct part parts[PARTS], enum url_field field)
{
    struct url base;
    struct url url;
    bool has_base = parts[1].len > 0;

    url_init(&base);
    url_init(&url);
    if ((!has_base || url_parse(&base, text_of(&parts[1]), NULL) == 0) &&
        url_parse(&url, text_of(&parts[0]), has_base ? &base : NULL) == 0) {
        must_read_back(&url);
        url_set(&url, field, text_of(&parts[2]));
        must_read_back(&url);
    }
    url_done(&url);
    url_done(&base);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const uint8_t *at = bytes;
    struct part parts[PARTS];

    for (size_t i = 0; i < PARTS; i++)
        parts[i] = take_part(&at, bytes + n);
    for (unsigned field = 0; field < URL_FIELDS; field++)
        try_url(parts, (enum url_field)field);
    for (size_t i = 0; i < PARTS; i++)
        free(parts[i].units);
    return 0;
}
