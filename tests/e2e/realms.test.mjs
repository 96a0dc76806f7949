// Programs that have replaced everything that they can reach of the language, and then use
// an interface: it does what it does in an untouched realm, whether its global was there
// before the program (its text names it) or came on first touch (the name is put together).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { nothingLeft, run } from './harness.mjs'

after(nothingLeft)

// What a program keeps for itself. `list` is an iterable that needs no Array.
const kept = `
  const late = (a, b) => globalThis[a + b];
  const { asyncIterator, iterator } = Symbol;
  const U8 = Uint8Array, U16 = Uint16Array, MapOf = Map, DateOf = Date, Buffer = ArrayBuffer, PromiseOf = Promise, ErrorOf = Error;
  const list = (...items) => ({ __proto__: null, length: items.length, [iterator]() {
    let i = 0;
    return { next: () => i < items.length
      ? { __proto__: null, done: false, value: items[i++] } : { __proto__: null, done: true, value: undefined } };
  } });`

// Every function and getter of the language throws from here on, and every global of it is
// gone. Not `constructor` of a promise: `await` itself asks for it.
const replaceAll = `
  const g = globalThis;
  const { ownKeys, getOwnPropertyDescriptor: of, defineProperty: put, getPrototypeOf: up } = Reflect;
  const names = ['Array','ArrayBuffer','DataView','Date','Error','TypeError','RangeError','SyntaxError','EvalError','ReferenceError','URIError','AggregateError','JSON','Map','Math','Number','Object','Promise','RegExp','Reflect','Set','Symbol','String','Boolean','BigInt','Function','Proxy','WeakMap','WeakSet','WeakRef','FinalizationRegistry','Iterator','Intl','Int8Array','Int16Array','Int32Array','Uint8Array','Uint8ClampedArray','Uint16Array','Uint32Array','Float16Array','Float32Array','Float64Array','BigInt64Array','BigUint64Array','isFinite','isNaN','parseInt','parseFloat','decodeURIComponent','encodeURIComponent','escape','unescape'];
  const found = []; const seen = new Set();
  const see = (o) => { if (o !== null && (typeof o === 'object' || typeof o === 'function') && o !== g && !seen.has(o)) { seen.add(o); found.push(o); } };
  for (const n of names) see(g[n]);
  see((async () => {})()); see(async function* () {}()); see(function* () {}()); see([][Symbol.iterator]()); see(new Map().keys()); see(new Set().keys()); see('a'[Symbol.iterator]()); see('a'.matchAll(/a/g));
  const P = Promise.prototype;
  for (let i = 0; i < found.length; i++) { const o = found[i]; see(up(o)); for (const k of ownKeys(o)) { const d = of(o, k); see(d.value); see(d.get); see(d.set); } }
  const text = String;
  const fail = (k) => function () { throw new ErrorOf('patched ' + k); };
  const changes = [];
  for (const o of found) for (const k of ownKeys(o)) {
    const d = of(o, k);
    if (!d.configurable && (!d.writable || k === 'length')) continue;
    if (o === P && k === 'constructor') continue;
    if (typeof o === 'function' && (k === 'stackTraceLimit')) continue;
    const f = fail(text(k));
    changes.push([o, k, d.configurable ? ('get' in d ? { __proto__: null, get: f, set: f, configurable: true, enumerable: d.enumerable } : { __proto__: null, value: f, writable: true, configurable: true }) : { __proto__: null, value: f }]);
  }
  for (const n of names) changes.push([g, n, { __proto__: null, value: fail(n), writable: true, configurable: true }]);
  for (const k of ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', '0', '1', 'size', 'state']) changes.push([Object.prototype, k, { __proto__: null, get: fail(k), set: fail('set ' + k), configurable: true }]);
  changes.push([Array.prototype, '0', { __proto__: null, get: fail('[0]'), set: fail('set [0]'), configurable: true }]);
  for (let i = 0, n = changes.length; i < n; i++) { const c = changes[i]; const o = c[0], k = c[1], d = c[2]; put(o, k, d); }`

const cases = {
  'URL and URLSearchParams': `
    const u = new (late('U', 'RL'))('/p?a=1&b=2', 'http://h');
    u.searchParams.append('c', '3');
    u.searchParams.sort();
    u.searchParams.delete('a');
    const q = new (late('URL', 'SearchParams'))('x=%41&y');
    return u.toString() + " " + q.get('x')`,
  'URLPattern': `
    const p = new (late('URL', 'Pattern'))('https://{*.}?h/:a\\\\?b');
    return p.exec('https://h/1?b').pathname.groups.a`,
  'Headers': `
    const h = new (late('Hea', 'ders'))({ a: 'b' });
    h.append('A', 'c');
    let s = '';
    h.forEach((v, k) => { s += k + v });
    return s + h.get('a')`,
  'Request': `
    const r = new (late('Req', 'uest'))('http://h/', { method: 'POST', body: 'x' });
    return await r.clone().text() + r.method + r.url`,
  'Response': `
    const r = new (late('Resp', 'onse'))('héé', { status: 201 });
    const c = r.clone();
    return [await r.text(), (await c.arrayBuffer()).constructor === 1, r.status]`,
  'the stream of a body': `
    const R = late('Resp', 'onse');
    const reader = new R('abc').body.getReader();
    const a = await reader.read();
    const b = await reader.read();
    return [a.done, b.done, await new R(new R('xyz').body).text()]`,
  'JSON of a body': `
    const R = late('Resp', 'onse');
    return [await R.json({ a: 1 }).text(), await new R('{"b":[2]}').json()]`,
  'fetch without a network': `
    try { await late('fe', 'tch')('http://h/') } catch (e) { return 'fetch failed' }`,
  'fetch of data:': `
    const r = await late('fe', 'tch')('data:text/plain;base64,aGk=');
    return [await r.text(), r.headers.get('content-type')]`,
  'Blob': `
    const B = late('Bl', 'ob');
    const b = new B(list('ab', 'c'), { type: 'a/b' });
    return [b.size, await b.text(), await b.slice(1, 2).text(), (await b.arrayBuffer()) !== null]`,
  'the stream of a Blob': `
    const B = late('Bl', 'ob');
    const r = new B(list('ab')).stream().getReader();
    return (await r.read()).done`,
  'File': `
    const f = new (late('Fi', 'le'))(list('x'), 'n.txt', { lastModified: 5 });
    return f.name + f.lastModified + await f.text()`,
  'FormData': `
    const f = new (late('Form', 'Data'))();
    f.append('a', 'b');
    f.append('c', new (late('Bl', 'ob'))(list('z')), 'n');
    const R = late('Resp', 'onse');
    const back = await new R(f).formData();
    return back.get('a') + back.get('c').name`,
  'a ReadableStream and its reader': `
    const R = late('Readable', 'Stream');
    const s = new R({ start(c) { c.enqueue('a');
    c.enqueue('b');
    c.close() } });
    const r = s.getReader();
    let t = '';
    for (;;) { const x = await r.read();
    if (x.done) break;
    t += x.value } return t`,
  'a stream that is pulled and iterated': `
    let n = 0;
    const R = late('Readable', 'Stream');
    const s = new R({ pull(c) { if (++n > 3) c.close();
    else c.enqueue(n) } });
    let t = '';
    for await (const x of s) t += x;
    return t`,
  'a stream that is canceled': `
    let why;
    const R = late('Readable', 'Stream');
    const s = new R({ cancel(r) { why = r } });
    await s.cancel('w');
    return why`,
  'a byte stream read into a buffer': `
    const R = late('Readable', 'Stream');
    const s = new R({ type: 'bytes', pull(c) { const v = c.byobRequest.view;
    v[0] = 7;
    c.byobRequest.respond(1) } });
    const r = s.getReader({ mode: 'byob' });
    const x = await r.read(new U8(4));
    return [x.done, x.value[0]]`,
  'a byte stream read as words': `
    const R = late('Readable', 'Stream');
    const s = new R({ type: 'bytes', start(c) { c.enqueue(new U8(8));
    } });
    const r = s.getReader({ mode: 'byob' });
    const x = await r.read(new U16(2));
    return x.done`,
  'a byte stream that answers with a view': `
    const R = late('Readable', 'Stream');
    const s = new R({ type: 'bytes', pull(c) { c.byobRequest.respondWithNewView(c.byobRequest.view) } });
    const r = s.getReader({ mode: 'byob' });
    const x = await r.read(new U8(4));
    return x.done`,
  'a byte stream that allocates': `
    const R = late('Readable', 'Stream');
    const s = new R({ type: 'bytes', autoAllocateChunkSize: 16, pull(c) { const v = c.byobRequest.view;
    v[0] = 9;
    c.byobRequest.respond(2) } });
    const r = s.getReader();
    const x = await r.read();
    return x.value[0]`,
  'a byte stream that is filled': `
    const R = late('Readable', 'Stream');
    const s = new R({ type: 'bytes', start(c) { const b = new U8(2);
    b[1] = 4;
    c.enqueue(b);
    c.enqueue(new U8(1));
    c.close() } });
    const r = s.getReader();
    const x = await r.read();
    await r.read();
    return [x.value[1], (await r.read()).done]`,
  'tee()': `
    const R = late('Readable', 'Stream');
    const s = new R({ start(c) { c.enqueue('a');
    c.close() } });
    const t = s.tee();
    const { 0: x, 1: y } = { __proto__: null, 0: t[0], 1: t[1] };
    const a = await x.getReader().read();
    const b = await y.getReader().read();
    return a.value + b.value`,
  'tee() of a byte stream': `
    const R = late('Readable', 'Stream');
    const s = new R({ type: 'bytes', start(c) { const b = new U8(2);
    b[1] = 4;
    c.enqueue(b);
    c.close() } });
    const t = s.tee();
    const a = await t[0].getReader().read();
    const b = await t[1].getReader({ mode: 'byob' }).read(new U8(4));
    return a.value[1] + b.value[1]`,
  'a tee that is canceled': `
    let why;
    const R = late('Readable', 'Stream');
    const s = new R({ cancel(r) { why = r } });
    const t = s.tee();
    const p = t[0].cancel('x');
    await t[1].cancel('y');
    await p;
    return why[0] + why[1]`,
  'a WritableStream': `
    let t = '';
    const W = late('Writable', 'Stream');
    const s = new W({ write(c) { t += c }, close() { t += '.' } });
    const w = s.getWriter();
    await w.ready;
    w.write('a');
    w.write('b');
    await w.close();
    return t`,
  'a WritableStream that is aborted': `
    let why;
    const W = late('Writable', 'Stream');
    let signal;
    const s = new W({ start(c) { signal = c.signal }, abort(r) { why = r } });
    const w = s.getWriter();
    await w.abort('z');
    return [why, signal.aborted, signal.reason]`,
  'a TransformStream': `
    const T = late('Transform', 'Stream');
    const t = new T({ transform(x, c) { c.enqueue(x + x) }, flush(c) { c.enqueue('!') } });
    const w = t.writable.getWriter();
    w.write('a');
    w.close();
    let out = '';
    for await (const x of t.readable) out += x;
    return out`,
  'pipeThrough() and pipeTo()': `
    let t = '';
    const R = late('Readable', 'Stream'), W = late('Writable', 'Stream'), T = late('Transform', 'Stream');
    const s = new R({ start(c) { c.enqueue('a');
    c.enqueue('b');
    c.close() } });
    await s.pipeThrough(new T()).pipeTo(new W({ write(c) { t += c } }));
    return t`,
  'a pipe that a signal ends': `
    const R = late('Readable', 'Stream'), W = late('Writable', 'Stream');
    const A = new (late('Abort', 'Controller'))();
    let c1, c2;
    const p = new R({ cancel(r) { c1 = r } }).pipeTo(new W({ abort(r) { c2 = r } }), { signal: A.signal });
    A.abort('q');
    try { await p } catch (e) { return [e, c1, c2] }`,
  'ReadableStream.from()': `
    const R = late('Readable', 'Stream');
    const s = R.from({ __proto__: null, [asyncIterator]() { let n = 0;
    return { next() { return ++n > 2 ? { done: true, value: undefined } : { done: false, value: n } } } } });
    let t = 0;
    for await (const x of s) t += x;
    return t`,
  'a queuing strategy': `
    const C = late('Count', 'QueuingStrategy');
    const W = late('Writable', 'Stream');
    const s = new W({}, new C({ highWaterMark: 3 }));
    return s.getWriter().desiredSize`,
  'compression and decompression': `
    const C = new (late('Compression', 'Stream'))('gzip'), D = new (late('Decompression', 'Stream'))('gzip');
    const b = new U8(3);
    b[2] = 5;
    const w = C.writable.getWriter();
    w.write(b);
    w.close();
    let n = 0, last;
    for await (const x of C.readable.pipeThrough(D)) { last = x[2] } return last`,
  'the streams of encoding': `
    const E = new (late('TextEncoder', 'Stream'))(), D = new (late('TextDecoder', 'Stream'))();
    const w = E.writable.getWriter();
    w.write('h\\u00e9');
    w.close();
    let t = '';
    for await (const x of E.readable.pipeThrough(D)) t += x;
    return t`,
  'TextEncoder and TextDecoder': `
    const e = new (late('Text', 'Encoder'))().encode('h\\u00e9');
    return new (late('Text', 'Decoder'))().decode(e) + new (late('Text', 'Decoder'))('latin1').decode(e)`,
  'digest and random': `
    const c = late('cry', 'pto');
    const d = new U8(await c.subtle.digest('SHA-256', new U8(3)));
    return [d[0], c.randomUUID() !== '', c.getRandomValues(new U8(4)) !== null]`,
  'HMAC': `
    const { subtle } = late('cry', 'pto');
    const k = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, list('sign', 'verify'));
    const s = await subtle.sign('HMAC', k, new U8(3));
    const j = await subtle.exportKey('jwk', k);
    return [await subtle.verify('HMAC', k, s, new U8(3)), j.kty]`,
  'ECDSA': `
    const { subtle } = late('cry', 'pto');
    const k = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, list('sign', 'verify'));
    const s = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, k.privateKey, new U8(3));
    return await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, k.publicKey, s, new U8(3))`,
  'AES-GCM': `
    const { subtle } = late('cry', 'pto');
    const k = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, list('encrypt', 'decrypt'));
    const iv = new U8(12);
    const e = await subtle.encrypt({ name: 'AES-GCM', iv }, k, new U8(3));
    const d = await subtle.decrypt({ name: 'AES-GCM', iv }, k, e);
    return new U8(d)[2]`,
  'structuredClone()': `
    const c = late('structured', 'Clone');
    const m = new MapOf();
    const o = { a: list('x'), d: new DateOf(5), b: new U8(2), m, r: /x/g };
    o.self = o;
    const k = c(o);
    return [k.self === k, k.a.length, k.b[1], k.d !== o.d]`,
  'a buffer that is transferred': `
    const c = late('structured', 'Clone');
    const b = new Buffer(4);
    const k = c({ b }, { transfer: list(b) });
    return k.b !== b`,
  'a stream that is transferred': `
    const c = late('structured', 'Clone');
    const R = late('Readable', 'Stream');
    const s = new R({ start(c) { c.enqueue('a');
    c.close() } });
    const k = c(s, { transfer: list(s) });
    return (await k.getReader().read()).value`,
  'MessageChannel': `
    const c = new (late('Message', 'Channel'))();
    const x = await new PromiseOf((y) => { c.port2.onmessage = (e) => y(e.data.a);
    c.port1.postMessage({ a: 1 }) });
    c.port1.close();
    return x`,
  'AbortController': `
    const a = new (late('Abort', 'Controller'))();
    let n = 0;
    a.signal.addEventListener('abort', () => { n++ });
    a.signal.onabort = () => { n++ };
    a.abort();
    try { a.signal.throwIfAborted() } catch (e) { return [n, e.name, late('Abort', 'Signal').abort('x').reason] }`,
  'AbortSignal.timeout() and any()': `
    const s = late('Abort', 'Signal').timeout(1);
    const t = late('Abort', 'Signal').any(list(s));
    await new PromiseOf((y) => { t.addEventListener('abort', y) });
    return t.reason.name`,
  'EventTarget': `
    const t = new (late('Event', 'Target'))();
    let s = '';
    t.addEventListener('x', { handleEvent(e) { s += e.detail } }, { once: true });
    t.dispatchEvent(new (late('Custom', 'Event'))('x', { detail: 'd' }));
    return s`,
  'performance': `
    const p = late('perfor', 'mance');
    return p.now() >= 0 && p.timeOrigin > 0`,
  'atob() and btoa()': `
    return late('ato', 'b')(late('bto', 'a')('hi'))`,
  'an error of atob()': `
    try { late('ato', 'b')('*') } catch (e) { return e.name }`,
  'DOMException': `
    const e = new (late('DOM', 'Exception'))('m', 'AbortError');
    return [e.code, e.message]`,
  'queueMicrotask()': `
    let n = 0;
    late('queue', 'Microtask')(() => { n = 1 });
    await undefined;
    return n`,
  'setTimeout()': `
    await new PromiseOf((y) => late('set', 'Timeout')(y, 1));
    return 'fired'`,
  'reportError()': `
    late('report', 'Error')(new ErrorOf('w'));
    return 'reported'`,
  'self': `
    return late('se', 'lf') === globalThis`,
  'caches': `
    try { await late('ca', 'ches').open('x') } catch (e) { return typeof e.message }`,
}

const program = (...pieces) => `async () => { ${pieces.join('\n')} }`
const namesIn = (body) => [...body.matchAll(/late\('(\w+)', '(\w+)'\)/g)].map(([, a, b]) => a + b)
const outcome = async (network, ...pieces) => {
  const { stdout, stderr } = await run(program(...pieces), [...network, '--timeout', '10000'])
  return { stdout, stderr }
}

const expectSame = async (network, body) => {
  const expected = await outcome(network, kept, body)
  assert.doesNotMatch(expected.stderr, /^error: /m)
  assert.deepEqual(await outcome(network, kept, replaceAll, body), expected, 'its global comes on first touch')
  const named = `const unused = () => [${namesIn(body)}];`
  assert.deepEqual(await outcome(network, named, kept, replaceAll, body), expected, 'its global is there before')
  return expected.stdout
}

describe('in a realm where a program has replaced everything, unchanged:', { concurrency: 2 }, () => {
  for (const [name, body] of Object.entries(cases)) test(name, () => expectSame(['--no-network'], body))

  test('a body that comes while it is read', async () => {
    const held = []
    const server = createServer((request, response) => {
      if (request.url === '/held') {
        response.write('one')
        held.push(response)
      } else {
        for (const other of [...held.splice(0), response]) other.end('two')
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const stdout = await expectSame(['--outbound-mode', 'open'], `
      const get = (path) => late('fe', 'tch')('http://127.0.0.1:${server.address().port}' + path);
      const whole = await get('/held'), copied = await get('/held'), pieces = await get('/held'), left = await get('/held');
      const texts = [whole.text(), copied.clone().text()];
      const reader = pieces.body.getReader();
      const first = (await reader.read()).value[0];
      const next = reader.read();
      const canceled = await left.body.cancel();
      await get('/go');
      return [await texts[0], await texts[1], first, (await next).done, (await reader.read()).done]`)
    assert.equal(stdout, '["onetwo","onetwo",111,false,true]\n')
    server.close()
    server.closeAllConnections()
  })
})
