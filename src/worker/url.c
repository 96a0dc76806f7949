/*
 * The URL parser of the URL Standard. Runs in a worker; every text is the
 * program's. The Standard's state machine reads one code point at a time; here a
 * function reads one component, and the names of its states are the names of the
 * functions. A parser that works for a setter reads its component and stops.
 */
#include "worker/url.h"

#include "base/cleanup.h"
#include "codemode/executor.h"

#include <stdio.h>
#include <string.h>

enum { URL_BYTES_MAX = 64 << 20, END = -1 };

struct url_scheme {
    const char *name;
    int32_t port; /* -1: file, which has none */
};

static const struct url_scheme special_rows[] = {
    { "http", 80 }, { "https", 443 }, { "file", -1 }, { "ftp", 21 }, { "ws", 80 }, { "wss", 443 },
};

struct parser {
    struct url *url;
    const struct url *base;
    struct url_text in;
    size_t at;
    bool setter;
    bool clears; /* the setter was given the empty string */
    int failed;  /* what a buffer said first: checked at the end */
};

/* ---- buffers ---- */

static void put(struct parser *p, struct cm_buf *to, const void *bytes, size_t len)
{
    int r = cm_buf_append(to, bytes, len);

    if (p->failed == 0)
        p->failed = r;
}

static void put_encoded(struct parser *p, struct cm_buf *to, struct url_text text, enum url_set set)
{
    int r = url_encode(text, set, to);

    if (p->failed == 0)
        p->failed = r;
}

static void copy(struct parser *p, struct cm_buf *to, const struct cm_buf *from)
{
    to->len = 0;
    put(p, to, cm_buf_bytes(from), from->len);
}

static bool is_text(const struct cm_buf *buf, const char *text)
{
    return buf->len == strlen(text) && memcmp(cm_buf_bytes(buf), text, buf->len) == 0;
}

/* ---- characters ---- */

static bool is_alpha(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int unit_at(struct url_text text, size_t at)
{
    return at < text.len ? text.units[at] : END;
}

static int peek(const struct parser *p)
{
    return unit_at(p->in, p->at);
}

static struct url_text slice(const struct parser *p, size_t start, size_t end)
{
    return (struct url_text){ p->in.units + start, end - start };
}

static bool is_special(const struct url *url)
{
    return url->special != NULL;
}

static bool is_file(const struct url *url)
{
    return is_special(url) && url->special->port < 0;
}

static bool is_slash(const struct parser *p, int c)
{
    return c == '/' || (c == '\\' && is_special(p->url));
}

static bool ends_authority(const struct parser *p, int c)
{
    return c == END || c == '?' || c == '#' || is_slash(p, c);
}

static bool has_credentials(const struct url *url)
{
    return url->username.len > 0 || url->password.len > 0;
}

static bool is_drive_letter(struct url_text text)
{
    return text.len == 2 && is_alpha(text.units[0]) &&
           (text.units[1] == ':' || text.units[1] == '|');
}

/* "C:" or "C|", and then nothing more of a segment. */
static bool starts_with_drive_letter(const struct parser *p)
{
    int behind = unit_at(p->in, p->at + 2);

    return p->in.len - p->at >= 2 && is_drive_letter(slice(p, p->at, p->at + 2)) &&
           (behind == END || behind == '/' || behind == '\\' || behind == '?' || behind == '#');
}

/* Whether the first segment of a path is a normalized drive letter. */
static bool path_has_drive(const struct cm_buf *path)
{
    const uint8_t *bytes = cm_buf_bytes(path);

    return path->len >= 3 && is_alpha(bytes[1]) && bytes[2] == ':' &&
           (path->len == 3 || bytes[3] == '/');
}

/* ---- query and fragment ---- */

static void read_fragment(struct parser *p)
{
    p->url->has_fragment = true;
    put_encoded(p, &p->url->fragment, slice(p, p->at, p->in.len), URL_SET_FRAGMENT);
    p->at = p->in.len;
}

static void read_query(struct parser *p)
{
    size_t start = p->at;

    while (peek(p) != END && (p->setter || peek(p) != '#'))
        p->at++;
    p->url->has_query = true;
    p->url->query.len = 0;
    put_encoded(p, &p->url->query, slice(p, start, p->at),
                is_special(p->url) ? URL_SET_SPECIAL_QUERY : URL_SET_QUERY);
}

/* What stands behind a path. */
static void read_tail(struct parser *p)
{
    if (peek(p) == '?') {
        p->at++;
        read_query(p);
    }
    if (peek(p) == '#') {
        p->at++;
        read_fragment(p);
    }
}

/* ---- paths ---- */

static void shorten(struct url *url)
{
    const uint8_t *bytes = cm_buf_bytes(&url->path);
    const uint8_t *last;

    if (url->path.len == 0 || (is_file(url) && url->path.len == 3 && path_has_drive(&url->path)))
        return;
    last = memrchr(bytes, '/', url->path.len);
    url->path.len = last == NULL ? 0 : (size_t)(last - bytes);
}

/* How many dots the segment is: "." and "%2e" alike; 0 when it is anything else. */
static unsigned dots_in(struct url_text segment)
{
    unsigned dots = 0;

    for (size_t at = 0; at < segment.len; dots++) {
        if (segment.units[at] == '.')
            at++;
        else if (segment.units[at] == '%' && unit_at(segment, at + 1) == '2' &&
                 (unit_at(segment, at + 2) | 0x20) == 'e')
            at += 3;
        else
            return 0;
        if (dots == 2)
            return 0;
    }
    return dots;
}

/* `last`: no slash follows. */
static void add_segment(struct parser *p, struct url_text segment, bool last)
{
    struct url *url = p->url;
    unsigned dots = dots_in(segment);
    bool is_drive = is_file(url) && url->path.len == 0 && is_drive_letter(segment);

    if (dots == 2)
        shorten(url);
    if (dots > 0) {
        if (last)
            put(p, &url->path, "/", 1);
        return;
    }
    put(p, &url->path, "/", 1);
    put_encoded(p, &url->path, segment, URL_SET_PATH);
    if (is_drive && p->failed == 0)
        cm_buf_bytes(&url->path)[2] = ':';
}

static bool ends_segment(const struct parser *p, int c)
{
    return c == END || is_slash(p, c) || (!p->setter && (c == '?' || c == '#'));
}

static void read_path(struct parser *p)
{
    for (;;) {
        size_t start = p->at;
        bool last;

        while (!ends_segment(p, peek(p)))
            p->at++;
        last = !is_slash(p, peek(p));
        add_segment(p, slice(p, start, p->at), last);
        if (last)
            break;
        p->at++;
    }
    if (!p->setter)
        read_tail(p);
}

static void read_path_start(struct parser *p)
{
    int c = peek(p);

    if (!is_special(p->url)) {
        if (c == END) {
            if (p->setter && !p->url->has_host)
                put(p, &p->url->path, "/", 1);
            return;
        }
        if (!p->setter && (c == '?' || c == '#')) {
            read_tail(p);
            return;
        }
    }
    if (is_slash(p, c))
        p->at++;
    read_path(p);
}

/* A space at the end would be lost when the URL is parsed again. */
static void read_opaque_path(struct parser *p)
{
    size_t start = p->at;
    bool space;

    while (peek(p) != END && peek(p) != '?' && peek(p) != '#')
        p->at++;
    space = peek(p) != END && p->at > start && p->in.units[p->at - 1] == ' ';
    p->url->opaque_path = true;
    put_encoded(p, &p->url->path, slice(p, start, p->at - space), URL_SET_C0);
    if (space)
        put(p, &p->url->path, "%20", 3);
    read_tail(p);
}

/* ---- authority ---- */

static int read_port(struct parser *p)
{
    size_t start = p->at;
    int32_t port = 0;

    for (; is_digit(peek(p)); p->at++)
        if (port <= UINT16_MAX)
            port = port * 10 + peek(p) - '0';
    if (!p->setter && !ends_authority(p, peek(p)))
        return CM_E_INVAL;
    if (port > UINT16_MAX)
        return CM_E_INVAL;
    if (p->at > start)
        p->url->port = is_special(p->url) && p->url->special->port == port ? -1 : port;
    if (!p->setter)
        read_path_start(p);
    return 0;
}

static int set_host(struct parser *p, struct url_text text, bool opaque)
{
    struct cm_buf host;
    int r;

    cm_buf_init(&host, URL_BYTES_MAX);
    r = url_host_parse(text, opaque, &host);
    if (r == 0) {
        copy(p, &p->url->host, &host);
        p->url->has_host = true;
    }
    cm_buf_done(&host);
    return r;
}

/* Moves behind the host: to its end or the ":" of a port. */
static void skip_host(struct parser *p)
{
    bool in_brackets = false;

    for (; !ends_authority(p, peek(p)) && (in_brackets || peek(p) != ':'); p->at++)
        if (peek(p) == '[' || peek(p) == ']')
            in_brackets = peek(p) == '[';
}

static int read_host(struct parser *p, bool with_port)
{
    size_t start = p->at;
    struct url *url = p->url;
    bool colon;
    int r;

    skip_host(p);
    colon = peek(p) == ':';
    if (p->at == start && (colon || is_special(url)))
        return CM_E_INVAL;
    if (p->at == start && p->setter && (has_credentials(url) || url->port >= 0))
        return CM_E_INVAL;
    if (colon && !with_port)
        return CM_E_INVAL;
    r = set_host(p, slice(p, start, p->at), !is_special(url));
    if (r < 0)
        return r;
    if (colon) {
        p->at++;
        return read_port(p);
    }
    if (!p->setter)
        read_path_start(p);
    return 0;
}

static void read_credentials(struct parser *p, struct url_text text)
{
    size_t colon = 0;
    struct url_text password = { text.units, 0 };

    while (colon < text.len && text.units[colon] != ':')
        colon++;
    if (colon < text.len)
        password = (struct url_text){ text.units + colon + 1, text.len - colon - 1 };
    text.len = colon;
    put_encoded(p, &p->url->username, text, URL_SET_USERINFO);
    put_encoded(p, &p->url->password, password, URL_SET_USERINFO);
}

static int read_authority(struct parser *p)
{
    size_t start = p->at;
    size_t sign = SIZE_MAX;

    for (size_t at = start; !ends_authority(p, unit_at(p->in, at)); at++)
        if (p->in.units[at] == '@')
            sign = at;
    if (sign != SIZE_MAX) {
        read_credentials(p, slice(p, start, sign));
        p->at = sign + 1;
        if (ends_authority(p, peek(p)))
            return CM_E_INVAL;
    }
    return read_host(p, true);
}

static int read_special_authority(struct parser *p)
{
    while (peek(p) == '/' || peek(p) == '\\')
        p->at++;
    return read_authority(p);
}

/* ---- file URLs ---- */

static int read_file_host(struct parser *p)
{
    size_t start = p->at;
    int r;

    while (!ends_authority(p, peek(p)))
        p->at++;
    if (!p->setter && is_drive_letter(slice(p, start, p->at))) {
        p->at = start; /* it is the first segment */
        read_path(p);
        return 0;
    }
    if (p->at == start) {
        p->url->host.len = 0;
        p->url->has_host = true;
    } else {
        r = set_host(p, slice(p, start, p->at), false);
        if (r < 0)
            return r;
        if (is_text(&p->url->host, "localhost"))
            p->url->host.len = 0;
    }
    if (!p->setter)
        read_path_start(p);
    return 0;
}

/* Behind one slash. */
static int read_file_slash(struct parser *p)
{
    if (is_slash(p, peek(p))) {
        p->at++;
        return read_file_host(p);
    }
    if (p->base != NULL && is_file(p->base)) {
        copy(p, &p->url->host, &p->base->host);
        if (!starts_with_drive_letter(p) && path_has_drive(&p->base->path))
            put(p, &p->url->path, cm_buf_bytes(&p->base->path), 3);
    }
    read_path(p);
    return 0;
}

/* What a relative URL without a path of its own takes over. */
static void copy_path(struct parser *p)
{
    copy(p, &p->url->path, &p->base->path);
    copy(p, &p->url->query, &p->base->query);
    p->url->has_query = p->base->has_query;
}

static void drop_query(struct url *url)
{
    url->query.len = 0;
    url->has_query = false;
}

static int read_file(struct parser *p)
{
    struct url *url = p->url;
    int c = peek(p);

    url->has_host = true;
    if (is_slash(p, c)) {
        p->at++;
        return read_file_slash(p);
    }
    if (p->base == NULL || !is_file(p->base)) {
        read_path(p);
        return 0;
    }
    copy(p, &url->host, &p->base->host);
    copy_path(p);
    if (c == END || c == '?' || c == '#') {
        read_tail(p);
        return 0;
    }
    drop_query(url);
    if (starts_with_drive_letter(p))
        url->path.len = 0;
    else
        shorten(url);
    read_path(p);
    return 0;
}

/* ---- from the start ---- */

static void set_scheme(struct parser *p, struct url_text text)
{
    struct url *url = p->url;

    url->scheme.len = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = (uint8_t)(is_alpha(text.units[i]) ? text.units[i] | 0x20 : text.units[i]);

        put(p, &url->scheme, &c, 1);
    }
    url->special = NULL;
    for (size_t i = 0; i < CM_ARRAY_LEN(special_rows); i++)
        if (is_text(&url->scheme, special_rows[i].name))
            url->special = &special_rows[i];
}

static void copy_authority(struct parser *p)
{
    copy(p, &p->url->username, &p->base->username);
    copy(p, &p->url->password, &p->base->password);
    copy(p, &p->url->host, &p->base->host);
    p->url->has_host = p->base->has_host;
    p->url->port = p->base->port;
}

static void copy_scheme(struct parser *p)
{
    copy(p, &p->url->scheme, &p->base->scheme);
    p->url->special = p->base->special;
}

/* Behind one slash. */
static int read_relative_slash(struct parser *p)
{
    if (is_slash(p, peek(p))) {
        p->at++;
        return is_special(p->url) ? read_special_authority(p) : read_authority(p);
    }
    copy_authority(p);
    read_path(p);
    return 0;
}

static int read_relative(struct parser *p)
{
    int c;

    copy_scheme(p);
    c = peek(p);
    if (is_slash(p, c)) {
        p->at++;
        return read_relative_slash(p);
    }
    copy_authority(p);
    copy_path(p);
    if (c == END || c == '?' || c == '#') {
        read_tail(p);
        return 0;
    }
    drop_query(p->url);
    shorten(p->url);
    read_path(p);
    return 0;
}

static int read_without_scheme(struct parser *p)
{
    const struct url *base = p->base;

    if (base == NULL || (base->opaque_path && peek(p) != '#'))
        return CM_E_INVAL;
    if (base->opaque_path) {
        copy_scheme(p);
        copy_path(p);
        p->url->opaque_path = true;
        read_tail(p);
        return 0;
    }
    if (!is_file(base))
        return read_relative(p);
    copy_scheme(p);
    return read_file(p);
}

/* Behind the ":". */
static int read_with_scheme(struct parser *p)
{
    struct url *url = p->url;
    bool two_slashes = peek(p) == '/' && unit_at(p->in, p->at + 1) == '/';

    if (is_file(url))
        return read_file(p);
    if (is_special(url)) {
        if (p->base != NULL && p->base->special == url->special && !two_slashes)
            return read_relative(p);
        return read_special_authority(p);
    }
    if (two_slashes) {
        p->at += 2;
        return read_authority(p);
    }
    if (peek(p) == '/') {
        p->at++;
        read_path(p);
    } else {
        read_opaque_path(p);
    }
    return 0;
}

/* How many characters of a scheme the text begins with. */
static size_t scheme_len(struct url_text text)
{
    size_t at = 0;

    while (is_alpha(unit_at(text, at)) ||
           (at > 0 && (is_digit(unit_at(text, at)) || unit_at(text, at) == '+' ||
                       unit_at(text, at) == '-' || unit_at(text, at) == '.')))
        at++;
    return at;
}

static int read_url(struct parser *p)
{
    size_t len = scheme_len(p->in);

    if (len == 0 || unit_at(p->in, len) != ':')
        return read_without_scheme(p);
    set_scheme(p, slice(p, 0, len));
    p->at = len + 1;
    return read_with_scheme(p);
}

/* ---- entry points ---- */

#define URL_BUFS(X) X(scheme) X(username) X(password) X(host) X(path) X(query) X(fragment)

void url_init(struct url *url)
{
    *url = (struct url){ .port = -1 };
#define BUF_INIT(name) cm_buf_init(&url->name, URL_BYTES_MAX);
    URL_BUFS(BUF_INIT)
#undef BUF_INIT
}

void url_done(struct url *url)
{
#define BUF_DONE(name) cm_buf_done(&url->name);
    URL_BUFS(BUF_DONE)
#undef BUF_DONE
}

static struct url_text trim(struct url_text text)
{
    while (text.len > 0 && text.units[0] <= ' ') {
        text.units++;
        text.len--;
    }
    while (text.len > 0 && text.units[text.len - 1] <= ' ')
        text.len--;
    return text;
}

static bool is_dropped(uint16_t unit)
{
    return unit == '\t' || unit == '\n' || unit == '\r';
}

/* The text without tabs and newlines: in *ret_copy, the caller's to free, if it
 * has any. */
static int drop_newlines(struct url_text *text, uint16_t **ret_copy)
{
    size_t kept = 0;
    uint16_t *units;

    while (kept < text->len && !is_dropped(text->units[kept]))
        kept++;
    if (kept == text->len)
        return 0;
    units = malloc(text->len * sizeof(*units));
    if (units == NULL)
        return CM_E_NOMEM;
    kept = 0;
    for (size_t i = 0; i < text->len; i++)
        if (!is_dropped(text->units[i]))
            units[kept++] = text->units[i];
    *text = (struct url_text){ units, kept };
    *ret_copy = units;
    return 0;
}

static int run(struct parser *p, int (*read)(struct parser *))
{
    CM_AUTO_FREE uint16_t *copied = NULL;
    int r = drop_newlines(&p->in, &copied);

    if (r == 0)
        r = read(p);
    return p->failed < 0 ? p->failed : r;
}

int url_parse(struct url *url, struct url_text input, const struct url *base)
{
    struct parser p = { .url = url, .base = base, .in = trim(input) };

    return run(&p, read_url);
}

/* ---- setters ---- */

static int set_protocol(struct parser *p)
{
    struct url *url = p->url;
    struct url old = *url;
    struct parser given = { .url = &old, .in = p->in };
    size_t len = scheme_len(p->in);
    int r = CM_E_INVAL;

    if (len == 0 || (len < p->in.len && p->in.units[len] != ':'))
        return r;
    cm_buf_init(&old.scheme, URL_BYTES_MAX);
    set_scheme(&given, slice(p, 0, len));
    if (is_special(&old) == is_special(url) &&
        !(is_file(&old) && (has_credentials(url) || url->port >= 0)) &&
        !(is_file(url) && url->host.len == 0)) {
        set_scheme(p, slice(p, 0, len));
        if (is_special(url) && url->special->port == url->port)
            url->port = -1;
        r = 0;
    }
    cm_buf_done(&old.scheme);
    return r;
}

static bool takes_credentials(const struct url *url)
{
    return url->has_host && url->host.len > 0 && !is_file(url);
}

static int set_username(struct parser *p)
{
    if (!takes_credentials(p->url))
        return CM_E_INVAL;
    p->url->username.len = 0;
    put_encoded(p, &p->url->username, p->in, URL_SET_USERINFO);
    return 0;
}

static int set_password(struct parser *p)
{
    if (!takes_credentials(p->url))
        return CM_E_INVAL;
    p->url->password.len = 0;
    put_encoded(p, &p->url->password, p->in, URL_SET_USERINFO);
    return 0;
}

static int set_host_and_port(struct parser *p)
{
    if (p->url->opaque_path)
        return CM_E_INVAL;
    return is_file(p->url) ? read_file_host(p) : read_host(p, true);
}

static int set_hostname(struct parser *p)
{
    if (p->url->opaque_path)
        return CM_E_INVAL;
    return is_file(p->url) ? read_file_host(p) : read_host(p, false);
}

static int set_port(struct parser *p)
{
    if (!takes_credentials(p->url))
        return CM_E_INVAL;
    if (p->clears)
        p->url->port = -1;
    return read_port(p);
}

static int set_pathname(struct parser *p)
{
    if (p->url->opaque_path)
        return CM_E_INVAL;
    p->url->path.len = 0;
    read_path_start(p);
    return 0;
}

static int set_search(struct parser *p)
{
    drop_query(p->url);
    if (!p->clears)
        read_query(p);
    return 0;
}

static int set_hash(struct parser *p)
{
    p->url->fragment.len = 0;
    p->url->has_fragment = false;
    if (!p->clears)
        read_fragment(p);
    return 0;
}

int url_set(struct url *url, enum url_field field, struct url_text value)
{
    static int (*const set_rows[URL_FIELDS])(struct parser *) = {
        [URL_PROTOCOL] = set_protocol, [URL_USERNAME] = set_username,
        [URL_PASSWORD] = set_password, [URL_HOST] = set_host_and_port,
        [URL_HOSTNAME] = set_hostname, [URL_PORT] = set_port,
        [URL_PATHNAME] = set_pathname, [URL_SEARCH] = set_search,
        [URL_HASH] = set_hash,
    };
    struct parser p = { .url = url, .in = value, .setter = true, .clears = value.len == 0 };
    int mark = field == URL_SEARCH ? '?' : field == URL_HASH ? '#' : END;

    if (mark != END && unit_at(value, 0) == mark)
        p.in = slice(&p, 1, value.len);
    /* These two are encoded as they are, newlines too. */
    if (field == URL_USERNAME || field == URL_PASSWORD) {
        int r = set_rows[field](&p);

        return p.failed < 0 ? p.failed : r;
    }
    return run(&p, set_rows[field]);
}

/* ---- writing ---- */

static void write_authority(struct parser *p, struct cm_buf *href, uint32_t *offsets)
{
    const struct url *url = p->url;
    char port[8];

    put(p, href, "//", 2);
    offsets[URL_USERNAME_START] = (uint32_t)href->len;
    put(p, href, cm_buf_bytes(&url->username), url->username.len);
    offsets[URL_USERNAME_END] = (uint32_t)href->len;
    if (url->password.len > 0) {
        put(p, href, ":", 1);
        put(p, href, cm_buf_bytes(&url->password), url->password.len);
    }
    offsets[URL_PASSWORD_END] = (uint32_t)href->len;
    if (has_credentials(url))
        put(p, href, "@", 1);
    offsets[URL_HOST_START] = (uint32_t)href->len;
    put(p, href, cm_buf_bytes(&url->host), url->host.len);
    offsets[URL_HOST_END] = (uint32_t)href->len;
    if (url->port >= 0) {
        int len = snprintf(port, sizeof(port), ":%d", (int)url->port);

        put(p, href, port, (size_t)len);
    }
}

int url_write(const struct url *url, struct cm_buf *href, uint32_t offsets[URL_OFFSETS])
{
    struct parser p = { .url = (struct url *)(uintptr_t)url }; /* for put(): it changes href only */

    put(&p, href, cm_buf_bytes(&url->scheme), url->scheme.len);
    offsets[URL_SCHEME_END] = (uint32_t)href->len;
    put(&p, href, ":", 1);
    for (unsigned i = URL_USERNAME_START; i <= URL_HOST_END; i++)
        offsets[i] = (uint32_t)href->len;
    if (url->has_host)
        write_authority(&p, href, offsets);
    offsets[URL_PORT_END] = (uint32_t)href->len;
    /* Else the path would be read as an authority. */
    if (!url->has_host && !url->opaque_path && url->path.len > 1 &&
        memcmp(cm_buf_bytes(&url->path), "//", 2) == 0)
        put(&p, href, "/.", 2);
    offsets[URL_PATH_START] = (uint32_t)href->len;
    put(&p, href, cm_buf_bytes(&url->path), url->path.len);
    offsets[URL_PATH_END] = (uint32_t)href->len;
    if (url->has_query) {
        put(&p, href, "?", 1);
        put(&p, href, cm_buf_bytes(&url->query), url->query.len);
    }
    offsets[URL_QUERY_END] = (uint32_t)href->len;
    if (url->has_fragment) {
        put(&p, href, "#", 1);
        put(&p, href, cm_buf_bytes(&url->fragment), url->fragment.len);
    }
    return p.failed;
}
