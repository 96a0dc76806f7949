/* Anybody who reaches a port of the daemon: what of a request is judged by code of our
 * own. A line each: Host, Origin, Authorization, Connection; behind them the body of a PUT. */
#include "fuzz.h"

#include "daemon/access.h"
#include "daemon/http_parse.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { HEADERS = 4 };

static const char *const origins[] = { "https://one.example", "http://two.example:8080" };
static const char allowed[] = "https://one.example,http://two.example:8080";
static const char token[] = "0123456789abcdef";
static const char address[] = "10.0.0.7";
static const char name[] = "admin.internal";

/* What is let in begins with one of the three names and has nothing but a port behind
 * it, as far as a name can be told from a port. */
static void judge_host(const char *host)
{
    static const char *const names[] = { "localhost", address, name };
    const char *at = host[0] == '[' ? host + 1 : host;
    bool known = false;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        size_t len = strlen(names[i]);

        known |= strncasecmp(at, names[i], len) == 0 &&
                 (at[len] == '\0' || at[len] == ':' || at[len] == ']');
    }
    MUST(!access_host(host, address, name) || known);
    access_host(host, "::1", "");
}

static void judge_origin(const char *host, const char *origin)
{
    bool known = false;

    for (size_t i = 0; i < sizeof(origins) / sizeof(*origins); i++)
        known |= strcasecmp(origin, origins[i]) == 0;
    MUST(access_origin(allowed, origin) == known);
    MUST(!access_origin("", origin));
    if (access_same_origin(host, origin))
        MUST(strlen(origin) == strlen("http://") + strlen(host));
}

static void judge_authorization(const char *authorization)
{
    const char *given = access_bearer(authorization);

    if (given == NULL)
        return;
    MUST(given >= authorization && given <= authorization + strlen(authorization));
    MUST(access_token(token, given, strlen(given)) == (strcmp(given, token) == 0));
}

static void judge_body(const char *body, size_t n)
{
    bool on = false;

    if (http_parse_maintenance(body, n, &on))
        MUST(memmem(body, n, on ? "true" : "false", on ? 4 : 5) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *headers[HEADERS];
    size_t at = 0;
    char *body;

    for (size_t i = 0; i < HEADERS; i++) {
        const uint8_t *end = at == n ? NULL : memchr(bytes + at, '\n', n - at);
        size_t len = end == NULL ? n - at : (size_t)(end - bytes) - at;

        headers[i] = strndup((const char *)bytes + at, len);
        MUST(headers[i] != NULL);
        at += len + (end != NULL);
    }
    body = malloc(n - at); /* exactly its size: there is no NUL behind it */
    MUST(body != NULL || n == at);
    if (n > at)
        memcpy(body, bytes + at, n - at);
    judge_host(headers[0]);
    judge_origin(headers[0], headers[1]);
    judge_authorization(headers[2]);
    MUST(!http_has_word(headers[3], "upgrade") || strcasestr(headers[3], "upgrade") != NULL);
    judge_body(body, n - at);
    free(body);
    for (size_t i = 0; i < HEADERS; i++)
        free(headers[i]);
    return 0;
}
