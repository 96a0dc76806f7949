/**
 * The WebSocket alone: a message to a server that sends it back stands for a program. What a peer on
 * the other end of a connection cannot be faster than.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** As many as programs/calls.js makes. */
const CALLS = 2000;

const server = spawn(process.env.BENCH_ECHO, { stdio: ['ignore', 'pipe', 'inherit'] });

process.on('exit', () => server.kill('SIGKILL'));

const [line] = await once(server.stdout, 'data');
const socket = new WebSocket(`ws://127.0.0.1:${JSON.parse(line).port}`);
let arrived;

socket.onmessage = ({ data }) => arrived(data);
await once(socket, 'open');

function echo(text) {
  return new Promise((resolve) => {
    arrived = resolve;
    socket.send(text);
  });
}

export async function run(code, dispatch) {
  if (dispatch === undefined) return echo(code);
  for (let i = 0; i < CALLS; i++) await echo(JSON.stringify({ result: await dispatch(i) }));
}

export async function close() {
  socket.close();
  server.kill('SIGKILL');
  await once(server, 'exit');
}
