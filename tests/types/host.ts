// What a host in TypeScript may write, and what it may not. Compiled, never run.
import { IsolateExecutor } from '@supolka/codemode-executor'
import { CODES, ExecutorError, parseValue, stringifyValue, type ExecuteRequest, type ExecuteResult, type Executor, type ToolDispatchFn } from '@supolka/codemode-executor-protocol'
import { CodemodeAdapter, connect, normalizeCode, type RemoteExecutor } from '@supolka/cloudflare-codemode-executor'
import type { Executor as CodemodeExecutor } from '@cloudflare/codemode'

class Executions {
  private executor: RemoteExecutor | undefined

  async start(): Promise<void> {
    this.executor = await connect(process.env.EXECUTOR_URL ?? 'ws://127.0.0.1:8080', { token: 'x', rotateAfterExecutions: 5 })
  }

  async stop(): Promise<void> {
    await this.executor?.dispose()
  }
}

const dispatch: ToolDispatchFn = async (provider, tool, argsJson, signal) => {
  signal.throwIfAborted()
  return stringifyValue({ result: [provider, tool, parseValue(argsJson)] }) ?? '{}'
}

export async function host(executor: Executor): Promise<string> {
  const request: ExecuteRequest = {
    code: normalizeCode('6 * 7'), providers: [{ name: 'store' }], dispatch, timeout: null, outbound: null,
    modules: { 'a.js': 'export const a = 1', 'b.json': { json: { b: 1 } } }, signal: AbortSignal.timeout(5),
  }
  const outcome: ExecuteResult = await executor.execute(request)

  try {
    await executor.execute({ code: '1', outbound: async ({ url }) => ({ status: 200, body: url }) })
  } catch (failure) {
    if (failure instanceof ExecutorError && failure.code === 'OVERLOADED') return String(failure.retryable)
  }
  // @ts-expect-error code is required
  await executor.execute({})
  // @ts-expect-error a timeout is a number
  await executor.execute({ code: '1', timeout: '5' })
  // @ts-expect-error there is no such code
  throw new ExecutorError('NO_SUCH', outcome.error ?? outcome.failure ?? '')
}

export async function main(): Promise<void> {
  await using isolate = new IsolateExecutor({ timeout: 30_000, outbound: null, memoryLimit: 64 })
  const { executionId = '' } = await isolate.execute({ code: '1', retainHandles: true })
  const response: Response = await isolate.handle(executionId).fetch('https://app/', { method: 'POST' })
  const adapter: CodemodeExecutor = new CodemodeAdapter(isolate, { timeout: 5 })

  await host(isolate)
  await host(await connect('ws://127.0.0.1:8080'))
  await adapter.execute('1', { add: async (a, b) => Number(a) + Number(b) })
  // @ts-expect-error no request moves the memory limit
  await isolate.execute({ code: '1', memoryLimit: 5 })
  console.log(response.status, CODES.INTERNAL.retryable, new Executions())
}
