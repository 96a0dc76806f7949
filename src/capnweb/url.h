/* URLs as values: checked for their form, not taken apart. */
#ifndef CM_CAPNWEB_URL_H
#define CM_CAPNWEB_URL_H

#include "capnweb/tree.h"

/*
 * Scheme and host get lower case, and an empty path of http and its like becomes "/";
 * the text is in the tree. CM_E_INVAL: this is no absolute URL; CM_E_NOMEM.
 */
int rpc_url_normalize(struct capnweb_tree *tree, struct capnweb_text url,
                      struct capnweb_text *ret_url);

#endif
