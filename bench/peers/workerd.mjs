/** workerd: a Dynamic Worker for each run, over one WebSocket to the Worker that loads it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import workerd from 'workerd';

const config = fileURLToPath(new URL('workerd.capnp', import.meta.url));
const server = spawn(workerd.default, ['serve', config, '--experimental', '--control-fd=3'], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});

process.on('exit', () => server.kill('SIGKILL'));

/** Its first line says where it listens. */
async function listening() {
  const line = await Promise.race([once(server.stdio[3], 'data'), once(server, 'exit')]);

  return JSON.parse(String(line[0])).port;
}

const socket = new WebSocket(`ws://127.0.0.1:${await listening()}`);
const waiting = new Map();
let runs = 0;

await new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = reject;
});
socket.onmessage = ({ data }) => {
  const { id, result, error } = JSON.parse(data);
  const { resolve, reject } = waiting.get(id);

  waiting.delete(id);
  if (error === undefined) resolve(result);
  else reject(new Error(error));
};

export function run(code) {
  return new Promise((resolve, reject) => {
    waiting.set(++runs, { resolve, reject });
    socket.send(JSON.stringify({ id: runs, code }));
  });
}

export async function close() {
  socket.close();
  server.kill('SIGKILL'); // a polite signal waits for every Worker
  await once(server, 'exit');
}
