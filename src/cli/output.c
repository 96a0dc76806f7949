/* What codemode-executor prints of a run. Texts are hostile: control characters
 * but newline and tab are shown, never sent. A line of standard error is put
 * together first and written at once, for a program's lines may come while the
 * tool command writes its own there. */
#include "cli/output.h"

#include "base/cleanup.h"
#include "cli/json.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Writes text for a person: "\x1b" for an escape character. */
void output_put_text(FILE *out, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == 0xC2 && i + 1 < bytes && (unsigned char)text[i + 1] < 0xA0)
            fprintf(out, "\\u%04x", (unsigned char)text[++i]);
        else if (c == '\r')
            fputs("\\r", out);
        else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
}

/* The same on one line: "\n" for a newline. */
static void put_text_in_line(FILE *out, const char *text, size_t bytes)
{
    const char *end;

    while ((end = memchr(text, '\n', bytes)) != NULL) {
        output_put_text(out, text, (size_t)(end - text));
        fputs("\\n", out);
        bytes -= (size_t)(end - text) + 1;
        text = end + 1;
    }
    output_put_text(out, text, bytes);
}

typedef void put_text(FILE *out, const char *text, size_t bytes);

static void put_line(const char *prefix, put_text *put, const char *text, size_t bytes)
{
    CM_AUTO_FREE char *line = NULL;
    size_t line_bytes = 0;
    FILE *out = open_memstream(&line, &line_bytes);

    if (out == NULL)
        return;
    fputs(prefix, out);
    put(out, text, bytes);
    fputc('\n', out);
    if (fclose(out) == 0)
        fwrite(line, 1, line_bytes, stderr);
}

/* Names of files and other words of the user's are in it. */
void output_error(const char *text)
{
    put_line("error: ", put_text_in_line, text, strlen(text));
}

void output_log(const struct cm_log *line)
{
    char prefix[16] = "";

    if (line->level != CM_LEVEL_LOG)
        snprintf(prefix, sizeof(prefix), "[%s] ", cm_level_name(line->level));
    put_line(prefix, output_put_text, line->text, line->text_bytes);
}

static void put_stack(const char *stack, size_t bytes)
{
    while (bytes > 0) {
        const char *end = memchr(stack, '\n', bytes);
        size_t len = end == NULL ? bytes : (size_t)(end - stack);

        if (len > 0)
            put_line("    ", output_put_text, stack, len);
        len += end == NULL ? 0 : 1;
        stack += len;
        bytes -= len;
    }
}

void output_outcome(const struct cm_outcome *outcome)
{
    if (outcome->fault != CM_FAULT_NONE) {
        char prefix[64];

        snprintf(prefix, sizeof(prefix), "fault: %s: ", cm_fault_name(outcome->fault));
        put_line(prefix, output_put_text, outcome->message, strlen(outcome->message));
    } else if (outcome->error != NULL) {
        put_line("error: ", output_put_text, outcome->error, outcome->error_bytes);
        if (outcome->stack != NULL)
            put_stack(outcome->stack, outcome->stack_bytes);
    } else if (outcome->result != NULL) {
        json_put_value(stdout, outcome->result, outcome->result_bytes);
        fputc('\n', stdout);
    }
}

static void put_fault(const struct cm_outcome *outcome)
{
    printf("{\"fault\":{\"code\":\"%s\",\"message\":", cm_fault_name(outcome->fault));
    json_put_string(stdout, outcome->message, strlen(outcome->message));
    printf(",\"retryable\":%s}}\n", outcome->retryable ? "true" : "false");
}

static void put_logs(const struct cm_outcome *outcome)
{
    fputs("\"logs\":[", stdout);
    for (size_t i = 0; i < outcome->log_count; i++) {
        const struct cm_log *line = &outcome->logs[i];

        printf("%s{\"level\":\"%s\",\"text\":", i == 0 ? "" : ",", cm_level_name(line->level));
        json_put_string(stdout, line->text, line->text_bytes);
        fputc('}', stdout);
    }
    fputs("]}\n", stdout);
}

static void put_failure(const struct cm_outcome *outcome)
{
    fputs("\"error\":", stdout);
    json_put_string(stdout, outcome->error, outcome->error_bytes);
    printf(",\"failure\":\"%s\",", cm_failure_name(outcome->failure));
    if (outcome->stack == NULL)
        return;
    fputs("\"stack\":", stdout);
    json_put_string(stdout, outcome->stack, outcome->stack_bytes);
    fputc(',', stdout);
}

void output_outcome_json(const struct cm_outcome *outcome)
{
    if (outcome->fault != CM_FAULT_NONE) {
        put_fault(outcome);
        return;
    }
    fputc('{', stdout);
    if (outcome->error != NULL) {
        put_failure(outcome);
    } else if (outcome->result != NULL) {
        fputs("\"result\":", stdout);
        json_put_value(stdout, outcome->result, outcome->result_bytes);
        fputc(',', stdout);
    }
    put_logs(outcome);
}
