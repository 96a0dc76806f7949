/*
 * URLs as the URL Standard parses, changes and writes them. Knows nothing of the
 * engine. Texts come in as UTF-16 code units, lone surrogates standing for
 * U+FFFD; what goes out is ASCII. Errors of every function that returns int:
 * CM_E_INVAL (that is no URL, no host), CM_E_NOMEM, CM_E_LIMIT (too long).
 */
#ifndef CM_WORKER_URL_H
#define CM_WORKER_URL_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct url_text {
    const uint16_t *units;
    size_t len;
};

struct url_scheme;

/* A URL record. Its path is kept as it is written: "/a/b", or opaque text. */
struct url {
    struct cm_buf scheme;
    struct cm_buf username;
    struct cm_buf password;
    struct cm_buf host;
    struct cm_buf path;
    struct cm_buf query;
    struct cm_buf fragment;
    const struct url_scheme *special; /* NULL when the scheme is not special */
    int32_t port;                     /* -1: none */
    bool has_host;
    bool has_query;
    bool has_fragment;
    bool opaque_path;
};

/* What a setter of the class URL may change, in the order of runtime/surface/url.js. */
enum url_field {
    URL_PROTOCOL,
    URL_USERNAME,
    URL_PASSWORD,
    URL_HOST,
    URL_HOSTNAME,
    URL_PORT,
    URL_PATHNAME,
    URL_SEARCH,
    URL_HASH,
    URL_FIELDS
};

/* Where the parts of a written URL end or begin, as offsets into it; each is at
 * least the one before. The order is that of runtime/surface/url.js. */
enum url_offset {
    URL_SCHEME_END,     /* at the ":" */
    URL_USERNAME_START, /* behind "//"; equal to SCHEME_END + 1 without a host */
    URL_USERNAME_END,
    URL_PASSWORD_END, /* the ":" before the password is at USERNAME_END, if there is one */
    URL_HOST_START,
    URL_HOST_END,
    URL_PORT_END, /* the ":" before the port is at HOST_END, if there is one */
    URL_PATH_START,
    URL_PATH_END,
    URL_QUERY_END, /* the "?" is at PATH_END, if there is a query */
    URL_OFFSETS
};

void url_init(struct url *url);
void url_done(struct url *url);

/* Parses `input` into `url`, fresh from url_init(), relative to `base` unless
 * that is NULL. After an error only url_done() makes sense. */
int url_parse(struct url *url, struct url_text input, const struct url *base);

/* What assigning to one attribute of the class URL does: CM_E_INVAL means that
 * the value, or its rest, was not acceptable, which the class ignores. */
int url_set(struct url *url, enum url_field field, struct url_text value);

/* Appends the serialized URL to `href`, which must be empty. */
int url_write(const struct url *url, struct cm_buf *href, uint32_t offsets[URL_OFFSETS]);

/* Parses a host (url_host.c) and appends its serialized form. `opaque` is for
 * schemes that are not special. */
int url_host_parse(struct url_text input, bool opaque, struct cm_buf *to);

/* ---- percent-encoding and forms (url_encode.c) ---- */

enum url_set {
    URL_SET_C0,
    URL_SET_FRAGMENT,
    URL_SET_QUERY,
    URL_SET_SPECIAL_QUERY,
    URL_SET_PATH,
    URL_SET_USERINFO,
    URL_SET_FORM,
    URL_SETS
};

/* Appends the text in UTF-8 with every byte of the set as "%XX". */
int url_encode(struct url_text text, enum url_set set, struct cm_buf *to);

/* As url_encode() with URL_SET_FORM, but a space becomes "+". */
int url_encode_form(struct url_text text, struct cm_buf *to);

/* Appends the UTF-8 of the text. */
int url_utf8(struct url_text text, struct cm_buf *to);

/* Replaces each "%XX" in the bytes by what it stands for, and with `plus` each
 * "+" by a space; returns the new length. */
size_t url_percent_decode(uint8_t *bytes, size_t len, bool plus);

#endif
