/** quickjs-emscripten: a runtime and a context for each run, all in one WebAssembly module. */
import { getQuickJS } from 'quickjs-emscripten';

const quickjs = await getQuickJS();

export const name = 'quickjs-emscripten';

/** `store.call(...)` as a promise of the program's that the host settles later. */
function installStore(context, dispatch) {
  const call = context.newFunction('call', (...handles) => {
    const deferred = context.newPromise();

    dispatch(...handles.map(context.dump)).then((answer) => {
      context.newNumber(answer).consume((handle) => deferred.resolve(handle));
      context.runtime.executePendingJobs();
    });
    return deferred.handle;
  });
  const store = context.newObject();

  context.setProp(store, 'call', call);
  context.setProp(context.global, 'store', store);
  call.dispose();
  store.dispose();
}

/** The whole life of one runtime: made, used, disposed. */
export async function run(code, dispatch) {
  const runtime = quickjs.newRuntime();
  const context = runtime.newContext();

  try {
    if (dispatch) installStore(context, dispatch);

    const promise = context.unwrapResult(context.evalCode(`(\n${code}\n)()`));
    const settled = context.resolvePromise(promise);

    promise.dispose();
    runtime.executePendingJobs();
    return context.unwrapResult(await settled).consume(context.dump);
  } finally {
    context.dispose();
    runtime.dispose();
  }
}
