/** The pause before a program that goes over a connection and is timed by itself. */
import { setTimeout as sleep } from 'node:timers/promises';

/** After a run its worker makes the next isolate, and the pool asks for it after 3 ms of quiet. */
const REST_MS = 25;

export const rest = () => sleep(REST_MS);
