/* bench_echo - a WebSocket server that sends every message back and does nothing else: what
 * libwebsockets and the system leave to reach for a daemon. Prints its port as
 * {"port": N}, and runs until it is killed. */
#include <libwebsockets.h>

#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES_MAX = 4096 };

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    unsigned char message[LWS_PRE + MESSAGE_BYTES_MAX];

    (void)user;
    if (reason != LWS_CALLBACK_RECEIVE)
        return 0;
    if (len > MESSAGE_BYTES_MAX)
        return -1;
    memcpy(message + LWS_PRE, in, len);
    return lws_write(wsi, message + LWS_PRE, len, LWS_WRITE_TEXT) < (int)len ? -1 : 0;
}

int main(void)
{
    static const struct lws_protocols protocols[] = {
        { .name = "echo", .callback = on_event, .rx_buffer_size = MESSAGE_BYTES_MAX },
        { .name = NULL }
    };
    const struct lws_context_creation_info info = { .port = 0,
                                                    .iface = "127.0.0.1",
                                                    .protocols = protocols };
    struct lws_context *context;

    lws_set_log_level(0, NULL);
    context = lws_create_context(&info);
    if (context == NULL)
        return 1;
    printf("{\"port\":%d}\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
    fflush(stdout);
    while (lws_service(context, 0) >= 0)
        ;
    lws_context_destroy(context);
    return 0;
}
