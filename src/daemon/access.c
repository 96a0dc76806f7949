/* Who may come in. Runs in the daemon; every header is hostile. */
#include "daemon/access.h"

#include <string.h>
#include <strings.h>

static bool same(const char *text, size_t len, const char *other)
{
    return strlen(other) == len && strncasecmp(text, other, len) == 0;
}

bool access_origin(const char *allowed, const char *origin)
{
    while (*allowed != '\0') {
        size_t len = strcspn(allowed, ",");

        if (same(allowed, len, origin))
            return true;
        allowed += len;
        allowed += *allowed == ',' ? 1 : 0;
    }
    return false;
}

bool access_same_origin(const char *host, const char *origin)
{
    static const char scheme[] = "http://";

    return strncasecmp(origin, scheme, sizeof(scheme) - 1) == 0 &&
           strcasecmp(origin + sizeof(scheme) - 1, host) == 0;
}

/* The host without its port, and without the brackets of an IPv6 address. */
static const char *host_name(const char *host, size_t *ret_len)
{
    const char *end;

    if (host[0] == '[') {
        end = strchr(host, ']');
        *ret_len = end == NULL ? 0 : (size_t)(end - host) - 1;
        return host + 1;
    }
    *ret_len = strcspn(host, ":");
    return host;
}

bool access_host(const char *host, const char *local_address, const char *configured)
{
    size_t len;
    const char *name = host_name(host, &len);

    return len > 0 && (same(name, len, "localhost") || same(name, len, local_address) ||
                       same(name, len, configured));
}

bool access_token(const char *token, const char *given, size_t given_bytes)
{
    size_t bytes = strlen(token);
    unsigned char different = bytes != given_bytes;

    for (size_t i = 0; i < given_bytes; i++)
        different |= (unsigned char)(given[i] ^ token[i < bytes ? i : 0]);
    return different == 0;
}

const char *access_bearer(const char *authorization)
{
    static const char scheme[] = "Bearer ";

    if (strncasecmp(authorization, scheme, sizeof(scheme) - 1) != 0)
        return NULL;
    return authorization + sizeof(scheme) - 1;
}
