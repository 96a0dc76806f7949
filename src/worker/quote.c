/* JSON quoting, for texts too long to leave it to the engine, which reserves six
 * times their length. Runs in a worker; the text is the program's. */
#include "worker/quote.h"

#include "codemode/executor.h"

#include <stdbool.h>

enum { BYTES_A_UNIT = 6 }; /* \u0000 */

static bool is_high(uint16_t unit)
{
    return (unit & 0xFC00) == 0xD800;
}

static bool is_low(uint16_t unit)
{
    return (unit & 0xFC00) == 0xDC00;
}

static uint8_t *put_escape(uint8_t *at, uint16_t unit)
{
    static const char digits[] = "0123456789abcdef";

    *at++ = '\\';
    *at++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4)
        *at++ = (uint8_t)digits[(unit >> shift) & 0xF];
    return at;
}

static uint8_t *put_ascii(uint8_t *at, uint16_t unit)
{
    static const char shorts[] = { [8] = 'b', [9] = 't', [10] = 'n', [12] = 'f', [13] = 'r' };

    if (unit == '"' || unit == '\\') {
        *at++ = '\\';
    } else if (unit < 0x20) {
        if (unit >= sizeof(shorts) || shorts[unit] == 0)
            return put_escape(at, unit);
        *at++ = '\\';
        unit = (uint8_t)shorts[unit];
    }
    *at++ = (uint8_t)unit;
    return at;
}

static uint8_t *put_pair(uint8_t *at, uint16_t high, uint16_t low)
{
    uint32_t point = 0x10000u + ((high & 0x3FFu) << 10 | (low & 0x3FFu));

    *at++ = (uint8_t)(0xF0 | point >> 18);
    *at++ = (uint8_t)(0x80 | (point >> 12 & 0x3F));
    *at++ = (uint8_t)(0x80 | (point >> 6 & 0x3F));
    *at++ = (uint8_t)(0x80 | (point & 0x3F));
    return at;
}

static uint8_t *put_wide(uint8_t *at, uint16_t unit)
{
    if (is_high(unit) || is_low(unit))
        return put_escape(at, unit);
    if (unit >= 0x800) {
        *at++ = (uint8_t)(0xE0 | unit >> 12);
        *at++ = (uint8_t)(0x80 | (unit >> 6 & 0x3F));
    } else {
        *at++ = (uint8_t)(0xC0 | unit >> 6);
    }
    *at++ = (uint8_t)(0x80 | (unit & 0x3F));
    return at;
}

int quote_append(struct cm_buf *to, const uint16_t *units, size_t count)
{
    int r = count > SIZE_MAX / BYTES_A_UNIT ? CM_E_LIMIT : cm_buf_reserve(to, count * BYTES_A_UNIT);
    uint8_t *at;

    if (r < 0)
        return r;
    cm_buf_populate(to, count);
    at = cm_buf_tail(to);
    for (size_t i = 0; i < count; i++) {
        if (units[i] < 0x80) {
            at = put_ascii(at, units[i]);
        } else if (is_high(units[i]) && i + 1 < count && is_low(units[i + 1])) {
            at = put_pair(at, units[i], units[i + 1]);
            i++;
        } else {
            at = put_wide(at, units[i]);
        }
    }
    to->len += (size_t)(at - cm_buf_tail(to));
    return 0;
}
