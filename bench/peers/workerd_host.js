/** Inside workerd. A message on the WebSocket is one program; each gets a Dynamic Worker of its own. */
/* global WebSocketPair */

const workerOf = (code) => `
  import { WorkerEntrypoint } from 'cloudflare:workers';

  export default class extends WorkerEntrypoint {
    async evaluate() {
      return await (\n${code}\n)();
    }
  }`;

function evaluate(loader, code) {
  const worker = loader.load({
    compatibilityDate: '2026-01-01',
    mainModule: 'program.js',
    modules: { 'program.js': workerOf(code) },
    globalOutbound: null,
  });

  return worker.getEntrypoint().evaluate();
}

async function answer(socket, loader, { id, code }) {
  try {
    socket.send(JSON.stringify({ id, result: await evaluate(loader, code) }));
  } catch (error) {
    socket.send(JSON.stringify({ id, error: String(error) }));
  }
}

export default {
  fetch(request, { LOADER }) {
    const { 0: theirs, 1: ours } = new WebSocketPair();

    ours.accept();
    ours.addEventListener('message', ({ data }) => answer(ours, LOADER, JSON.parse(data)));
    return new Response(null, { status: 101, webSocket: theirs });
  },
};
