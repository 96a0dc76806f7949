export { IsolateExecutor } from './isolate.js'

/** @typedef {import('./isolate.js').IsolateOptions} IsolateOptions */
