// Few rules, all of them about mistakes: layout is nobody's argument here.
const surface = ['AbortController', 'AbortSignal', 'ReadableStream', 'Request', 'Response', 'TextDecoder', 'TextEncoder', 'URL', 'atob',
  'btoa', 'clearTimeout', 'setTimeout']
const node = ['Buffer', 'URLSearchParams', 'WebSocket', 'clearInterval', 'console', 'fetch', 'performance', 'process',
  'queueMicrotask', 'setImmediate', 'setInterval', 'structuredClone']
/** @param {string[]} names */
const globals = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']))

const rules = {
  'array-callback-return': 'error',
  'constructor-super': 'error',
  'eqeqeq': ['error', 'always'],
  'for-direction': 'error',
  'getter-return': 'error',
  'no-async-promise-executor': 'error',
  'no-class-assign': 'error',
  'no-compare-neg-zero': 'error',
  'no-const-assign': 'error',
  'no-constant-binary-expression': 'error',
  'no-dupe-args': 'error',
  'no-dupe-class-members': 'error',
  'no-dupe-else-if': 'error',
  'no-dupe-keys': 'error',
  'no-duplicate-case': 'error',
  'no-empty-pattern': 'error',
  'no-eval': 'error',
  'no-ex-assign': 'error',
  'no-fallthrough': 'error',
  'no-func-assign': 'error',
  'no-implied-eval': 'error',
  'no-new-wrappers': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-throw-literal': 'error',
  'no-undef': 'error',
  'no-unreachable': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-negation': 'error',
  'no-unsafe-optional-chaining': 'error',
  'no-unused-private-class-members': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'no-var': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'valid-typeof': 'error',
}

export default [
  { ignores: ['**/node_modules/', 'build*/', 'packages/*/types/', 'bench/kernels/', 'bench/programs/', 'tests/programs/', 'tests/conformance/modules/test262/', 'examples/*.js'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' }, rules },
  // The two packages that connect run where Node.js is not.
  { files: ['packages/*/src/**'], languageOptions: { globals: globals(...surface) } },
  { files: ['packages/codemode-executor/src/**', 'packages/*/test/**', '{tests,examples,bench,scripts}/**', 'runtime/**/*.mjs'],
    languageOptions: { globals: globals(...surface, ...node) } },
  { files: ['tests/**'], rules: { 'no-eval': 'off' } }, // a program of a test's own
  // What each chunk is called with, and what runtime/intrinsics.mjs binds.
  { files: ['runtime/surface/**'], languageOptions: { globals: globals('internals', 'TypedArray') } },
  { files: ['packages/{codemode-executor-protocol,cloudflare-codemode-executor}/src/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['node:*'] }] } },
]
