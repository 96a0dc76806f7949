/* Descriptors in the loop of libwebsockets, as "raw files". Runs in the daemon. A
 * copy is adopted, because libwebsockets closes what it adopts. */
#include "daemon/watch.h"

#include "base/cleanup.h"
#include "base/fail.h"

#include <errno.h>
#include <fcntl.h>

static const char protocol_name[] = "watch";

static int on_file(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t len)
{
    struct watch *watch = lws_get_opaque_user_data(wsi);

    (void)user;
    (void)in;
    (void)len;
    if (watch == NULL)
        return 0;
    if (reason == LWS_CALLBACK_RAW_RX_FILE || reason == LWS_CALLBACK_RAW_WRITEABLE_FILE) {
        watch->on_ready(watch);
        return lws_get_opaque_user_data(wsi) == NULL ? -1 : 0;
    }
    if (reason == LWS_CALLBACK_RAW_CLOSE_FILE) {
        watch->wsi = NULL;
        if (watch->on_hangup != NULL)
            watch->on_hangup(watch);
    }
    return 0;
}

const struct lws_protocols watch_protocol = { .name = protocol_name, .callback = on_file };

int watch_open(struct watch *watch, struct lws_vhost *vhost, int fd, struct cm_error *err)
{
    lws_sock_file_fd_type copy = { .filefd = fcntl(fd, F_DUPFD_CLOEXEC, 0) };

    if (copy.filefd < 0)
        return cm_fail(err, CM_E_SYSTEM, errno, "a descriptor for the loop");
    watch->wsi =
        lws_adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, copy, protocol_name, NULL);
    if (watch->wsi == NULL) {
        close(copy.filefd);
        return cm_fail(err, CM_E_SYSTEM, 0, "the loop does not take another descriptor");
    }
    lws_set_opaque_user_data(watch->wsi, watch);
    return 0;
}

/* libwebsockets lets go of it in its own time. */
void watch_close(struct watch *watch)
{
    if (watch->wsi == NULL)
        return;
    lws_set_opaque_user_data(watch->wsi, NULL);
    lws_set_timeout(watch->wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
    watch->wsi = NULL;
}

void watch_output(struct watch *watch)
{
    lws_callback_on_writable(watch->wsi);
}

void watch_pause(struct watch *watch, bool paused)
{
    lws_rx_flow_control(watch->wsi, !paused);
}
