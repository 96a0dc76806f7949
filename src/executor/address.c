/* The address policy. Runs in the host's process; the addresses come from names
 * that a program has chosen, so every one of them is hostile. */
#include "executor/address.h"

#include "base/cleanup.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

static const struct range4 {
    uint8_t prefix[4];
    unsigned bits;
} ranges4[] = {
#define CM_ADDRESS4(a, b, c, d, bits, why) { { a, b, c, d }, bits },
#define CM_ADDRESS6(text, bits, why)
#include "tables/addresses.def"
#undef CM_ADDRESS4
#undef CM_ADDRESS6
};

static const struct range6 {
    const char *prefix;
    unsigned bits;
} ranges6[] = {
#define CM_ADDRESS4(a, b, c, d, bits, why)
#define CM_ADDRESS6(text, bits, why) { text, bits },
#include "tables/addresses.def"
#undef CM_ADDRESS4
#undef CM_ADDRESS6
};

static bool begins_with(const uint8_t *address, const uint8_t *prefix, unsigned bits)
{
    unsigned rest = bits % 8;
    uint8_t mask = (uint8_t)(0xff00u >> rest);

    if (memcmp(address, prefix, bits / 8) != 0)
        return false;
    return rest == 0 || ((address[bits / 8] ^ prefix[bits / 8]) & mask) == 0;
}

static bool is_public4(const struct in_addr *address)
{
    for (size_t i = 0; i < CM_ARRAY_LEN(ranges4); i++)
        if (begins_with((const uint8_t *)&address->s_addr, ranges4[i].prefix, ranges4[i].bits))
            return false;
    return true;
}

static bool is_public6(const struct in6_addr *address)
{
    if ((address->s6_addr[0] & 0xe0) != 0x20)
        return false;
    for (size_t i = 0; i < CM_ARRAY_LEN(ranges6); i++) {
        struct in6_addr prefix;

        if (inet_pton(AF_INET6, ranges6[i].prefix, &prefix) != 1 ||
            begins_with(address->s6_addr, prefix.s6_addr, ranges6[i].bits))
            return false;
    }
    return true;
}

bool address_is_public(const struct sockaddr *address, size_t bytes)
{
    struct sockaddr_in6 six;
    struct sockaddr_in four;

    if (bytes >= sizeof(four) && address->sa_family == AF_INET) {
        memcpy(&four, address, sizeof(four));
        return is_public4(&four.sin_addr);
    }
    if (bytes >= sizeof(six) && address->sa_family == AF_INET6) {
        memcpy(&six, address, sizeof(six));
        return is_public6(&six.sin6_addr);
    }
    return false;
}

static const uint16_t blocked_ports[] = {
#define CM_PORT(number, service) number,
#include "tables/ports.def"
#undef CM_PORT
};

/* 0, which nothing listens at, for what is no address of IPv4 or IPv6. */
static uint16_t port_of(const struct sockaddr *address, size_t bytes)
{
    struct sockaddr_in6 six;
    struct sockaddr_in four;

    if (bytes >= sizeof(four) && address->sa_family == AF_INET) {
        memcpy(&four, address, sizeof(four));
        return ntohs(four.sin_port);
    }
    if (bytes >= sizeof(six) && address->sa_family == AF_INET6) {
        memcpy(&six, address, sizeof(six));
        return ntohs(six.sin6_port);
    }
    return 0;
}

bool address_port_is_blocked(const struct sockaddr *address, size_t bytes)
{
    uint16_t port = port_of(address, bytes);

    for (size_t i = 0; i < CM_ARRAY_LEN(blocked_ports); i++)
        if (port == blocked_ports[i])
            return true;
    return port == 0;
}
