// What the tests of test262 expect of their host, as a module that is imported before
// them: the assertions that they use, and run(), which tells how one has ended.

class Test262Error extends Error {
  name = 'Test262Error'
}

const show = (value) => {
  try {
    return String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

const fail = (message, told) => {
  throw new Test262Error(told === undefined ? message : `${told}: ${message}`)
}

const assert = (value, told) => {
  if (value !== true) fail(`expected true, got ${show(value)}`, told)
}

assert.sameValue = (actual, expected, told) => {
  if (!Object.is(actual, expected)) fail(`expected ${show(expected)}, got ${show(actual)}`, told)
}

assert.notSameValue = (actual, unexpected, told) => {
  if (Object.is(actual, unexpected)) fail(`did not expect ${show(actual)}`, told)
}

assert.compareArray = (actual, expected, told) => {
  const same = actual.length === expected.length && expected.every((value, i) => Object.is(value, actual[i]))
  if (!same) fail(`expected [${expected.map(show)}], got [${Array.from(actual, show)}]`, told)
}

const expectKind = (thrown, Kind, told) => {
  if (thrown?.constructor !== Kind) fail(`expected a ${Kind.name}, got ${show(thrown)}`, told)
}

assert.throws = (Kind, body, told) => {
  try {
    body()
  } catch (thrown) {
    expectKind(thrown, Kind, told)
    return
  }
  fail(`expected a ${Kind.name}, and nothing was thrown`, told)
}

assert.throwsAsync = async (Kind, body, told) => {
  try {
    await body()
  } catch (thrown) {
    expectKind(thrown, Kind, told)
    return
  }
  fail(`expected a ${Kind.name}, and nothing was thrown`, told)
}

const verifyProperty = (object, name, expected) => {
  const own = Object.getOwnPropertyDescriptor(object, name)
  for (const key of Object.keys(expected)) assert.sameValue(own?.[key], expected[key], `${String(name)}: ${key}`)
}

let finish
const finished = new Promise((resolve, reject) => {
  finish = (error) => (error === undefined ? resolve() : reject(error))
})

Object.assign(globalThis, {
  Test262Error,
  assert,
  compareArray: (a, b) => a.length === b.length && a.every((value, i) => Object.is(value, b[i])),
  verifyProperty,
  fnGlobalObject: () => globalThis,
  reportCompare: assert.sameValue, // where the tests come from, each ends with it
  asyncTest: (body) => body().then(() => finish(), finish),
  $DONE: finish,
  $DONOTEVALUATE: () => fail('the test was evaluated'),
})

// null, or [name, message] of what the test has thrown.
export const run = async (load, isAsync) => {
  try {
    await load()
    if (isAsync) await finished
    return null
  } catch (thrown) {
    return [thrown?.constructor?.name ?? typeof thrown, show(thrown?.message ?? thrown)]
  }
}
