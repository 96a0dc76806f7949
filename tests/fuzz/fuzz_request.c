/* A client that sends anything: requests as JSON text. */
#include "fuzz.h"

#include "base/text.h"
#include "codemode/executor.h"

#include <stdlib.h>
#include <string.h>

static void must_be_request(const struct cm_request *request)
{
    MUST(request->code_bytes > 0 && strlen(request->code) == request->code_bytes);
    MUST(cm_utf8_valid(request->code, request->code_bytes));
    MUST(request->timeout_ms >= 0);
    for (size_t i = 0; i < request->provider_count; i++) {
        const struct cm_provider *provider = &request->providers[i];

        MUST(*provider->name != '\0');
        for (size_t k = 0; k < provider->tool_count; k++)
            MUST(cm_utf8_valid(provider->tools[k], strlen(provider->tools[k])));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct cm_error err = CM_ERROR_INIT;
    struct cm_request *request = NULL;
    char *json = malloc(n); /* exactly its size: there is no NUL behind it */
    int r;

    MUST(json != NULL);
    memcpy(json, bytes, n);
    r = cm_request_parse(json, n, &request, &err);
    free(json);
    if (r == 0) {
        must_be_request(request);
    } else {
        MUST(r == CM_E_INVAL && err.code == CM_E_INVAL && request == NULL);
        MUST(*err.text != '\0' && cm_utf8_valid(err.text, strlen(err.text)));
    }
    cm_request_free(request);
    return 0;
}
