/* Targets and redirects. Runs in the host's process; URLs come from programs and
 * from the servers that they ask, so all of them are hostile. */
#include "executor/target.h"

#include "base/cleanup.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <string.h>
#include <strings.h>

/* The scheme is judged by target_is_http(), with a sentence. */
#define PARSE_FLAGS (CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)

static int from_curl(CURLUcode code)
{
    if (code == CURLUE_OK)
        return 0;
    return code == CURLUE_OUT_OF_MEMORY ? CM_E_NOMEM : CM_E_INVAL;
}

static int has_part(CURLU *url, CURLUPart part, bool *ret_has)
{
    char *text = NULL;
    CURLUcode code = curl_url_get(url, part, &text, 0);

    *ret_has = *ret_has || code == CURLUE_OK;
    curl_free(text);
    return code == CURLUE_OUT_OF_MEMORY ? CM_E_NOMEM : 0;
}

/* libcurl converts other names by the locale of the host's process, so they have to
 * come in ASCII: as what a program asks for does. */
static bool is_ascii(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text > 0x7f)
            return false;
    return true;
}

static int take_apart(CURLU *url, struct target *target)
{
    const struct {
        CURLUPart part;
        char **to;
        unsigned flags;
    } parts[] = {
        { CURLUPART_URL, &target->url, 0 },
        { CURLUPART_SCHEME, &target->scheme, 0 },
        { CURLUPART_HOST, &target->host, 0 },
        { CURLUPART_PORT, &target->port, CURLU_DEFAULT_PORT },
    };
    int r = from_curl(curl_url_set(url, CURLUPART_FRAGMENT, NULL, 0));

    for (size_t i = 0; r == 0 && i < CM_ARRAY_LEN(parts); i++) {
        CURLUcode code = curl_url_get(url, parts[i].part, parts[i].to, parts[i].flags);

        r = code == CURLUE_NO_PORT ? 0 : from_curl(code);
    }
    if (r == 0 && !is_ascii(target->host))
        r = CM_E_INVAL;
    if (r == 0)
        r = has_part(url, CURLUPART_USER, &target->credentials);
    if (r == 0)
        r = has_part(url, CURLUPART_PASSWORD, &target->credentials);
    return r;
}

int target_parse(const char *url, const char *base, struct target *ret_target)
{
    CURLU *handle = curl_url();
    struct target target = { 0 };
    int r = handle == NULL ? CM_E_NOMEM : 0;

    if (r == 0 && base != NULL)
        r = from_curl(curl_url_set(handle, CURLUPART_URL, base, PARSE_FLAGS));
    if (r == 0)
        r = from_curl(curl_url_set(handle, CURLUPART_URL, url, PARSE_FLAGS));
    if (r == 0)
        r = take_apart(handle, &target);
    curl_url_cleanup(handle);
    if (r < 0)
        target_done(&target);
    else
        *ret_target = target;
    return r;
}

void target_done(struct target *target)
{
    curl_free(target->url);
    curl_free(target->scheme);
    curl_free(target->host);
    curl_free(target->port);
    *target = (struct target){ 0 };
}

bool target_is_http(const struct target *target)
{
    return strcasecmp(target->scheme, "http") == 0 || strcasecmp(target->scheme, "https") == 0;
}

/* libcurl writes the odd forms of an IPv4 address (0x7f.1) as four numbers. */
bool target_is_address(const struct target *target)
{
    const char *host = target->host;
    char inner[INET6_ADDRSTRLEN] = "";
    struct in6_addr address;

    if (host[0] != '[')
        return inet_pton(AF_INET, host, &address) == 1;
    if (strlen(host) - 2 < sizeof(inner))
        memcpy(inner, host + 1, strlen(host) - 2);
    return inet_pton(AF_INET6, inner, &address) == 1;
}

bool target_same_origin(const struct target *a, const struct target *b)
{
    return strcasecmp(a->scheme, b->scheme) == 0 && strcasecmp(a->host, b->host) == 0 &&
           a->port != NULL && b->port != NULL && strcmp(a->port, b->port) == 0;
}

bool redirect_status(unsigned status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool redirect_makes_get(unsigned status, const char *method)
{
    if (status == 303)
        return strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0;
    return (status == 301 || status == 302) && strcmp(method, "POST") == 0;
}

static const struct {
    const char *name;
    bool of_body; /* of a body that is not sent again; else what is for one origin only */
} dropped[] = {
    { "content-encoding", true },     { "content-language", true }, { "content-location", true },
    { "content-type", true },         { "content-length", true },   { "authorization", false },
    { "proxy-authorization", false }, { "cookie", false },
};

bool redirect_drops_header(const char *name, bool made_get, bool cross_origin)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(dropped); i++)
        if (strcasecmp(dropped[i].name, name) == 0)
            return dropped[i].of_body ? made_get : cross_origin;
    return false;
}
