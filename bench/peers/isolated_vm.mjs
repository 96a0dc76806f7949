/** isolated-vm: an isolate and a context for each run, in this process, on its thread pool. */
import ivm from 'isolated-vm';

/** The bound that the executor has as its default, so that both heaps may grow alike. */
const MEMORY_LIMIT_MB = 128;

/** How a program's `store.call(...)` reaches the host: a promise over a Reference. */
const STORE = `globalThis.store = {
  call: (...args) =>
    $0.apply(undefined, args, { arguments: { copy: true }, result: { promise: true, copy: true } }),
};`;

export const name = 'isolated-vm';

/** The whole life of one isolate: made, used, disposed. */
export async function run(code, dispatch) {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_LIMIT_MB });

  try {
    const context = await isolate.createContext();

    if (dispatch) {
      await context.evalClosure(STORE, [dispatch], { arguments: { reference: true } });
    }
    return await context.eval(`(\n${code}\n)()`, { promise: true, copy: true });
  } finally {
    isolate.dispose();
  }
}
