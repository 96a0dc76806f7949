export { CodemodeAdapter } from './adapter.js'
export { connect, RemoteExecutor } from './remote.js'
export { normalizeCode } from './normalize.js'

/** @typedef {import('./remote.js').ConnectOptions} ConnectOptions */
