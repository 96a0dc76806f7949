/* Runs in the daemon; headers and bodies are hostile. */
#include "daemon/http_parse.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>

bool http_has_word(const char *list, const char *word)
{
    size_t word_len = strlen(word);

    while (*list != '\0') {
        size_t len;

        list += strspn(list, " \t,");
        len = strcspn(list, " \t,");
        if (len == word_len && strncasecmp(list, word, len) == 0)
            return true;
        list += len;
    }
    return false;
}

bool http_parse_maintenance(const char *body, size_t bytes, bool *ret_on)
{
    json_t *json = json_loadb(body, bytes, JSON_REJECT_DUPLICATES, NULL);
    json_t *on = json_object_get(json, "on");
    bool is_valid = json_is_boolean(on) && json_object_size(json) == 1;

    if (is_valid)
        *ret_on = json_is_true(on);
    json_decref(json);
    return is_valid;
}
