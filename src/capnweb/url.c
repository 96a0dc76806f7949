/* URLs as values. The text is a peer's. Whoever opens a URL parses it itself: this
 * only keeps out what is none. */
#include "capnweb/url.h"

#include "base/cleanup.h"

#include "codemode/executor.h"

#include <string.h>

/* The schemes whose URLs have a host and a path, always. */
static const char *const hosted[] = { "http", "https", "ws", "wss", "ftp" };

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length of the scheme in front of the first colon; 0: there is none. */
static size_t scheme_length(struct capnweb_text url)
{
    size_t n = 0;

    if (url.bytes == 0 || !is_alpha(url.data[0]))
        return 0;
    while (n < url.bytes && (is_alpha(url.data[n]) || (url.data[n] >= '0' && url.data[n] <= '9') ||
                             (url.data[n] != '\0' && strchr("+-.", url.data[n]) != NULL)))
        n++;
    return n < url.bytes && url.data[n] == ':' ? n : 0;
}

static void lower(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            text[i] = (char)(text[i] - 'A' + 'a');
}

static bool is_hosted(const char *scheme, size_t n)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(hosted); i++)
        if (strlen(hosted[i]) == n && memcmp(hosted[i], scheme, n) == 0)
            return true;
    return false;
}

/* The host begins behind "://" and what names a user. NULL: it is empty. */
static char *find_host(char *text, size_t scheme, size_t *ret_n)
{
    char *host = text + scheme + 3;
    size_t n;
    char *at;

    if (strncmp(text + scheme, "://", 3) != 0)
        return NULL;
    n = strcspn(host, "/?#");
    at = memrchr(host, '@', n);
    if (at != NULL) {
        n -= (size_t)(at + 1 - host);
        host = at + 1;
    }
    *ret_n = n;
    return n == 0 || host[0] == ':' || memchr(host, ' ', n) != NULL ? NULL : host;
}

int rpc_url_normalize(struct capnweb_tree *tree, struct capnweb_text url,
                      struct capnweb_text *ret_url)
{
    size_t scheme = scheme_length(url);
    size_t n = url.bytes;
    char *text = scheme == 0 ? NULL : rpc_tree_alloc(tree, n + 2); /* a slash, a NUL */
    char *host;
    char *path;
    size_t host_bytes;

    if (scheme == 0 || memchr(url.data, '\0', n) != NULL)
        return CM_E_INVAL;
    if (text == NULL)
        return CM_E_NOMEM;
    memcpy(text, url.data, n);
    text[n] = '\0';
    lower(text, scheme);
    if (is_hosted(text, scheme)) {
        host = find_host(text, scheme, &host_bytes);
        if (host == NULL)
            return CM_E_INVAL;
        lower(host, host_bytes);
        path = host + host_bytes;
        if (*path != '/') {
            memmove(path + 1, path, (size_t)(text + n - path) + 1);
            *path = '/';
            n++;
        }
    }
    *ret_url = (struct capnweb_text){ text, n };
    return 0;
}
