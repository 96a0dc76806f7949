/* The zygote: makes the isolate once and forks workers that share it. */
#ifndef CM_WORKER_ZYGOTE_H
#define CM_WORKER_ZYGOTE_H

/* Serves the supervisor on `control_fd` until that is closed. Returns the exit
 * status of the process. */
int zygote_main(int control_fd);

#endif
