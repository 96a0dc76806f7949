/* The address policy: each row of tables/addresses.def at its first and last
 * address, what lies beside it, and the forms in which IPv6 carries IPv4. */
#include "executor/address.h"

#include "base/cleanup.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

static bool is_public4(uint32_t address)
{
    struct sockaddr_in four = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(address) };

    return address_is_public((struct sockaddr *)&four, sizeof(four));
}

static bool is_public6(const struct in6_addr *address)
{
    struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = *address };

    return address_is_public((struct sockaddr *)&six, sizeof(six));
}

static bool is_public(const char *text)
{
    struct in6_addr six;
    struct in_addr four;

    if (inet_pton(AF_INET, text, &four) == 1)
        return is_public4(ntohl(four.s_addr));
    assert_int_equal(inet_pton(AF_INET6, text, &six), 1);
    return is_public6(&six);
}

static void each_range_of_ipv4_is_refused_from_its_first_to_its_last_address(void **state)
{
    static const struct {
        uint32_t first;
        unsigned bits;
    } rows[] = {
#define CM_ADDRESS4(a, b, c, d, bits, why) \
    { (uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d), bits },
#define CM_ADDRESS6(text, bits, why)
#include "tables/addresses.def"
#undef CM_ADDRESS4
#undef CM_ADDRESS6
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        uint32_t rest = rows[i].bits == 32 ? 0 : UINT32_MAX >> rows[i].bits;

        assert_int_equal(rows[i].first & rest, 0);
        assert_false(is_public4(rows[i].first));
        assert_false(is_public4(rows[i].first | rest));
        assert_false(is_public4(rows[i].first | rest / 2));
    }
}

static void each_range_of_ipv6_is_refused_from_its_first_to_its_last_address(void **state)
{
    static const struct {
        const char *text;
        unsigned bits;
    } rows[] = {
#define CM_ADDRESS4(a, b, c, d, bits, why)
#define CM_ADDRESS6(text, bits, why) { text, bits },
#include "tables/addresses.def"
#undef CM_ADDRESS4
#undef CM_ADDRESS6
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(rows); i++) {
        struct in6_addr address;

        assert_int_equal(inet_pton(AF_INET6, rows[i].text, &address), 1);
        assert_false(is_public6(&address));
        for (unsigned bit = rows[i].bits; bit < 128; bit++)
            address.s6_addr[bit / 8] |= (uint8_t)(0x80u >> bit % 8);
        assert_false(is_public6(&address));
    }
}

static void addresses_beside_the_ranges_are_public(void **state)
{
    static const char *const addresses[] = {
        "1.0.0.0",          "9.255.255.255",   "11.0.0.0",       "100.63.255.255",
        "100.128.0.0",      "126.255.255.255", "128.0.0.0",      "168.63.129.15",
        "168.63.129.17",    "169.253.255.255", "169.255.0.0",    "172.15.255.255",
        "172.32.0.0",       "191.255.255.255", "192.0.1.0",      "192.0.3.0",
        "192.167.255.255",  "192.169.0.0",     "198.17.255.255", "198.20.0.0",
        "198.51.99.255",    "198.51.101.0",    "203.0.112.255",  "203.0.114.0",
        "223.255.255.255",  "93.184.216.34",   "8.8.8.8",        "2001:200::",
        "2001:db7:ffff::",  "2001:db9::",      "2003::",         "2606:4700::1111",
        "2a00:1450:4001::", "3ffe:ffff::",     "3fff:1000::",
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(addresses); i++)
        if (!is_public(addresses[i]))
            fail_msg("%s is refused", addresses[i]);
}

static void other_forms_of_ipv4_and_special_addresses_are_refused(void **state)
{
    static const char *const addresses[] = {
        "::",                 /* unspecified */
        "::1",                /* loopback */
        "::ffff:127.0.0.1",   /* IPv4-mapped */
        "::ffff:8.8.8.8",     /* the same, of a public one: no server has it */
        "::127.0.0.1",        /* IPv4-compatible */
        "::ffff:0:127.0.0.1", /* IPv4-translated */
        "64:ff9b::7f00:1",    /* NAT64 */
        "64:ff9b::8.8.8.8",   /* the same */
        "64:ff9b:1::a00:1",   /* NAT64 of a network's own */
        "2002:7f00:1::",      /* 6to4 */
        "2002:a9fe:a9fe::1",  /* 6to4 of a metadata address */
        "2001:0:4136:e378::", /* Teredo */
        "100::1",             /* discard */
        "fc00::1",            /* unique local */
        "fd00:ec2::254",      /* metadata of a cloud */
        "fe80::1",            /* link-local */
        "fec0::1",            /* site-local */
        "ff02::1",            /* multicast */
        "5f00::1",            /* segment routing */
        "169.254.169.254",    /* metadata of most clouds */
        "169.254.170.2",      /* of containers */
        "100.100.100.200",    /* of another */
        "255.255.255.255",    /* broadcast */
    };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(addresses); i++)
        if (is_public(addresses[i]))
            fail_msg("%s is let through", addresses[i]);
}

static void other_families_and_short_addresses_are_refused(void **state)
{
    struct sockaddr_in four = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x08080808) };
    struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
    struct sockaddr local = { .sa_family = AF_UNIX };

    (void)state;
    six.sin6_addr.s6_addr[0] = 0x2a;
    assert_true(address_is_public((struct sockaddr *)&four, sizeof(four)));
    assert_false(address_is_public((struct sockaddr *)&four, sizeof(four) - 1));
    assert_true(address_is_public((struct sockaddr *)&six, sizeof(six)));
    assert_false(address_is_public((struct sockaddr *)&six, sizeof(six) - 1));
    assert_false(address_is_public(&local, sizeof(local)));
}

static void ports_of_other_protocols_are_blocked_and_those_of_web_servers_are_not(void **state)
{
    static const uint16_t blocked[] = {
#define CM_PORT(number, service) number,
#include "tables/ports.def"
#undef CM_PORT
        0
    };
    static const uint16_t open[] = { 80, 443, 3000, 8080, 8443, 65535 };
    struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
    struct sockaddr_in four = { .sin_family = AF_INET };

    (void)state;
    for (size_t i = 0; i < CM_ARRAY_LEN(blocked); i++) {
        four.sin_port = six.sin6_port = htons(blocked[i]);
        assert_true(address_port_is_blocked((struct sockaddr *)&four, sizeof(four)));
        assert_true(address_port_is_blocked((struct sockaddr *)&six, sizeof(six)));
    }
    for (size_t i = 0; i < CM_ARRAY_LEN(open); i++) {
        four.sin_port = six.sin6_port = htons(open[i]);
        assert_false(address_port_is_blocked((struct sockaddr *)&four, sizeof(four)));
        assert_false(address_port_is_blocked((struct sockaddr *)&six, sizeof(six)));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_range_of_ipv4_is_refused_from_its_first_to_its_last_address),
        cmocka_unit_test(each_range_of_ipv6_is_refused_from_its_first_to_its_last_address),
        cmocka_unit_test(addresses_beside_the_ranges_are_public),
        cmocka_unit_test(other_forms_of_ipv4_and_special_addresses_are_refused),
        cmocka_unit_test(other_families_and_short_addresses_are_refused),
        cmocka_unit_test(ports_of_other_protocols_are_blocked_and_those_of_web_servers_are_not),
    };

    return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
