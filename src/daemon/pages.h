/* The handlers of src/tables/routes.def. */
#ifndef CM_DAEMON_PAGES_H
#define CM_DAEMON_PAGES_H

#include "daemon/http.h"

typedef int http_handler(const struct http_request *request);

#define ROUTE(port, method, path, handler, help) http_handler handler;
#include "tables/routes.def"
#undef ROUTE

#endif
