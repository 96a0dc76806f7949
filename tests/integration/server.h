/* An HTTP server for tests of fetch, on a port of its own at 127.0.0.1, in a
 * process of its own. It answers by the path:
 *
 *   /text           200, "hello", and some headers
 *   /echo           200, the request as it came
 *   /serial         200, the number of the connection, which stays open
 *   /status/NNN     that status, "body" where it is 400 or above
 *   /to/NNN/URL     that status with the Location URL, which may be relative
 *   /a/relative     302 with the Location ../text
 *   /loop           302 to itself
 *   /bytes/N        200, N bytes of 'x'
 *   /gzip           200, "hello" in gzip
 *   /bomb           200, 4 MiB of zeros in gzip
 *   /interim        103 and then 200 "hello"
 *   /head           200 and 600 KiB of headers
 *   /silent         nothing, and the connection stays open
 *   /stuck          the head and five bytes of ten, and the connection stays open
 *   /cut            the head and five bytes of ten, and the connection is closed
 *   /die            the connection is closed
 *   /junk           what is not HTTP
 *   /steps/N        the head of a form, and then the digits 1 to N, each after a
 *                   server_step(); the end comes with the last
 *   /held           the head and "hello", and server_await_gone() tells when the
 *                   connection is closed
 *   /flood/N        N bytes of 'y', as fast as they are taken; server_sent() counts
 *                   them, and server_await_gone() tells when the connection is closed
 */
#ifndef CM_TESTS_INTEGRATION_SERVER_H
#define CM_TESTS_INTEGRATION_SERVER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct server {
    pid_t pid;
    uint16_t port;
    int steps; /* a byte for each */
    int gone;
    atomic_size_t *sent; /* shared with its processes */
};

void server_start(struct server *server);
void server_stop(struct server *server);

void server_step(const struct server *server);
void server_await_gone(const struct server *server);
size_t server_sent(const struct server *server);

#endif
