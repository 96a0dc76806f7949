export { CODES, ExecutorError } from './errors.js'
export { parseValue, stringifyValue } from './values.js'
export { PROTOCOL } from './types.js'

// What the two executor packages and their hosts share, by name.
/** @typedef {import('./errors.js').ExecutorErrorCode} ExecutorErrorCode */
/** @typedef {import('./types.js').ExecuteRequest} ExecuteRequest */
/** @typedef {import('./types.js').ExecuteResult} ExecuteResult */
/** @typedef {import('./types.js').Executor} Executor */
/** @typedef {import('./types.js').ExecutorDefaults} ExecutorDefaults */
/** @typedef {import('./types.js').FailureKind} FailureKind */
/** @typedef {import('./types.js').Hello} Hello */
/** @typedef {import('./types.js').InvokeResult} InvokeResult */
/** @typedef {import('./types.js').LogLine} LogLine */
/** @typedef {import('./types.js').ModuleMap} ModuleMap */
/** @typedef {import('./types.js').ModuleSource} ModuleSource */
/** @typedef {import('./types.js').OutboundFetchFn} OutboundFetchFn */
/** @typedef {import('./types.js').OutboundRequest} OutboundRequest */
/** @typedef {import('./types.js').OutboundResponse} OutboundResponse */
/** @typedef {import('./types.js').ProviderDescriptor} ProviderDescriptor */
/** @typedef {import('./types.js').ToolDispatchFn} ToolDispatchFn */
