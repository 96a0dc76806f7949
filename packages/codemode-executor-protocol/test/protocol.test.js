import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CODES, ExecutorError, PROTOCOL, parseValue, stringifyValue } from '@supolka/codemode-executor-protocol'

const crossed = (value) => parseValue(stringifyValue(value))

test('a fault has a name, a code, a message and whether to try again', () => {
  const fault = new ExecutorError('OVERLOADED', 'The executor is overloaded.')

  assert.ok(fault instanceof Error)
  assert.equal(`${fault.name} | ${fault.code} | ${fault.message} | ${fault.retryable}`,
    'ExecutorError | OVERLOADED | The executor is overloaded. | true')
  assert.equal(new ExecutorError('CONNECTION_BROKEN', 'x').retryable, false)
  assert.equal(new ExecutorError('CONNECTION_BROKEN', 'x', { retryable: true }).retryable, true)
  assert.equal(new ExecutorError('INTERNAL', 'x', { cause: fault }).cause, fault)
  assert.deepEqual(Object.keys(fault), ['code', 'retryable'])
})

test('the codes are those of the C library, and so is what can be tried again', () => {
  const header = new URL('../../../include/codemode/executor.h', import.meta.url)
  if (!existsSync(header)) throw new Error('the header must lie beside the packages')
  const text = readFileSync(header, 'utf8')
  const map = text.slice(text.indexOf('CM_FAULT_MAP(X)')).split('enum cm_fault')[0]
  const rows = [...map.matchAll(/X\((\w+), (\d)\)/g)].map(([, name, retryable]) => [name, { retryable: retryable === '1' }])

  assert.deepEqual(Object.entries(CODES), rows)
})

test('the protocol has a number', () => assert.equal(PROTOCOL, 1))

test('plain data crosses as JSON', () => {
  const value = { n: 1, s: 'a\u2028', list: [1, [null, {}]], 'then': 1, constructor: 2 }

  assert.equal(stringifyValue(value), JSON.stringify(value))
  assert.deepEqual(crossed(value), value)
  assert.equal(stringifyValue(undefined), undefined)
})

test('bytes cross as themselves, other views as the bytes that they view', () => {
  const bytes = new Uint8Array([0, 1, 2, 253, 254, 255])

  assert.deepEqual(crossed(bytes), bytes)
  assert.deepEqual(crossed(bytes.buffer), bytes.buffer)
  assert.deepEqual(crossed(new Float32Array([1.5])), new Uint8Array([0, 0, 192, 63]))
  assert.deepEqual(crossed(new DataView(bytes.buffer, 1, 2)), new Uint8Array([1, 2]))
  assert.deepEqual(crossed(bytes.subarray(2, 4)), new Uint8Array([2, 253]))
  assert.deepEqual(crossed(new Uint8Array(0)), new Uint8Array(0))
})

test('a Buffer crosses as bytes, although it has a toJSON', () => {
  assert.deepEqual(crossed({ deep: [Buffer.from('abc')] }), { deep: [new Uint8Array([97, 98, 99])] })
})

test('megabytes cross', () => {
  const bytes = new Uint8Array(3 << 20).map((_, at) => at * 31)

  assert.deepEqual(crossed({ bytes }).bytes, bytes)
})

test('the kind of an envelope names what it holds', () => {
  assert.equal(stringifyValue(new Uint8Array([1])), '{"__codemode_binary_v1__":"Uint8Array","data":"AQ=="}')
  assert.equal(stringifyValue(new ArrayBuffer(1)), '{"__codemode_binary_v1__":"ArrayBuffer","data":"AA=="}')
  assert.equal(stringifyValue(new Int16Array(1)), '{"__codemode_binary_v1__":"ArrayBufferView","data":"AAA="}')
})

test('what only looks like an envelope is data', () => {
  const tag = '__codemode_binary_v1__'
  for (const value of [
    { [tag]: 'Uint8Array', data: 'not base64!' },
    { [tag]: 'Uint8Array', data: 'AQ' },
    { [tag]: 'Uint8Array', data: 'A=Q=' },
    { [tag]: 'Uint8Array', data: 'AQ== ' },
    { [tag]: 'Uint8Array', data: 1 },
    { [tag]: 'Uint8Array' },
    { [tag]: 'Buffer', data: 'AQ==' },
    { [tag]: 'Uint8Array', data: 'AQ==', more: 1 },
    { [tag]: null, data: 'AQ==' },
  ]) assert.deepEqual(parseValue(JSON.stringify([value])), [value])
})

test('an envelope under __proto__ sets no prototype', () => {
  const value = parseValue('{"__proto__":{"__codemode_binary_v1__":"Uint8Array","data":"AQ=="}}')

  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.deepEqual(Object.getOwnPropertyDescriptor(value, '__proto__').value, new Uint8Array([1]))
})

test('an envelope is found however deep it lies', () => {
  const depth = 50_000
  const text = '['.repeat(depth) + '{"__codemode_binary_v1__":"Uint8Array","data":"AQ=="}' + ']'.repeat(depth)
  let value = parseValue(text)

  for (let at = 0; at < depth; at++) value = value[0]
  assert.deepEqual(value, new Uint8Array([1]))
})
