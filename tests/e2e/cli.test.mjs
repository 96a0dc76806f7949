import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { call, directory, file, nothingLeft, run, start } from './harness.mjs'

afterEach(nothingLeft)

const json = (outcome) => {
  assert.match(outcome.stdout, /^[^\n]*\n$/, 'exactly one line')
  return JSON.parse(outcome.stdout)
}

// ---- what is printed ----

test('a result is printed as one line of JSON', async () => {
  assert.deepEqual(await run('async () => ({ answer: 6 * 7 })'),
    { status: 0, signal: null, stdout: '{"answer":42}\n', stderr: '' })
})

test('a program that returns undefined prints nothing', async () => {
  assert.deepEqual(await run('async () => {}'), { status: 0, signal: null, stdout: '', stderr: '' })
})

test('a program is read from a file', async () => {
  const { stdout } = await call(['run', file('six.js', 'async () => 6')])
  assert.equal(stdout, '6\n')
})

test('words after -- are no options', async () => {
  file('--odd.js', 'async () => "odd"')
  const { stdout } = await call(['run', '--', '--odd.js'])
  assert.equal(stdout, '"odd"\n')
})

test('a result keeps the text that the isolate wrote', async () => {
  const { stdout } = await run(`async () => ({ z: 1, a: 1e21, 2: 0.1, s: '\\ud800', deep: JSON.parse('['.repeat(3000) + ']'.repeat(3000)) })`)
  assert.equal(stdout, `{"2":0.1,"z":1,"a":1e+21,"s":"\\ud800","deep":${'['.repeat(3000)}${']'.repeat(3000)}}\n`)
})

test('log lines go to standard error with their level', async () => {
  const { stdout, stderr } = await run(`async () => { console.log('a\\n\\tb'); console.warn('c'); console.error('d') }`)
  assert.equal(stderr, 'a\n\tb\n[warn] c\n[error] d\n')
  assert.equal(stdout, '')
})

test('control characters of a program are shown and never reach the terminal', async () => {
  const { stderr } = await run(`async () => { console.log('\\x1b[31m\\r\\x07\\x9b1m\\x7f'); throw new Error('\\x1b]0;title') }`)
  assert.match(stderr, /^\\x1b\[31m\\r\\x07\\u009b1m\\x7f\nerror: \\x1b\]0;title\n/)
})

test('control characters in a result are escaped as JSON', async () => {
  const { stdout } = await run(`async () => '\\x1b\\x7f\\x9b\\u00e9'`)
  assert.equal(stdout, '"\\u001b\\u007f\\u009bé"\n')
})

test('log lines come while the program still runs', async () => {
  const gate = join(directory, 'gate')
  execFileSync('mkfifo', [gate])
  const running = start(['run', '-', '--provider', 'gate', '--tool-command', `read call; read answer < ${gate}; echo "$answer"; cat`],
    { input: `async () => { console.log('waiting'); return await gate.open() }` })

  await running.says('waiting')
  writeFileSync(gate, '{"id":1,"result":"open"}\n')
  assert.equal((await running.ended).stdout, '"open"\n')
})

test('a program that fails exits with 3 and prints its error and stack', async () => {
  const { status, stdout, stderr } = await run('async () => {\n  throw new TypeError("nope")\n}')
  assert.equal(status, 3)
  assert.equal(stdout, '')
  assert.match(stderr, /^error: nope\n {4}.*program\.js:2:\d+/)
})

test('a text that is no program exits with 3 and names its place', async () => {
  const { status, stderr } = await run('async () => 1;')
  assert.equal(status, 3)
  assert.match(stderr, /^error: .* \[program\.js:1(:\d+)?\]\n$/)
})

test('a fault exits with 1 and names its code', async () => {
  const { status, stderr } = await run('')
  assert.equal(status, 1)
  assert.match(stderr, /^fault: INVALID_REQUEST: code .*\n$/)
})

test('--json prints result and logs, and the log lines still go to standard error', async () => {
  const outcome = await run(`async () => { console.warn('hm'); return 1 }`, ['--json'])
  assert.deepEqual(json(outcome), { result: 1, logs: [{ level: 'warn', text: 'hm' }] })
  assert.equal(outcome.stderr, '[warn] hm\n')
})

test('--json leaves out the result of a program that returns undefined', async () => {
  assert.deepEqual(json(await run('async () => {}', ['--json'])), { logs: [] })
})

test('--json prints error, failure and stack of a program that fails', async () => {
  const outcome = await run('async () => { throw new Error("quote \\" \\u2028 \\x01") }', ['--json'])
  const { error, failure, stack, ...rest } = json(outcome)
  assert.equal(outcome.status, 3)
  assert.equal(outcome.stderr, '')
  assert.deepEqual({ error, failure, rest }, { error: 'quote " \u2028 \x01', failure: 'thrown', rest: { logs: [] } })
  assert.match(stack, /program\.js:1/)
})

test('--json prints a fault as an object of its own', async () => {
  const outcome = await run('', ['--json'])
  assert.equal(outcome.status, 1)
  assert.deepEqual(Object.keys(json(outcome).fault), ['code', 'message', 'retryable'])
})

test('output that cannot be written is an error', async () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = await run('async () => 1', [], { stdout: full })
  closeSync(full)
  assert.equal(status, 1)
  assert.equal(stderr, 'error: standard output could not be written\n')
})

// ---- requests ----

test('--request takes code, providers and bounds from a file', async () => {
  const request = file('request.json', { code: 'async () => { while (true) {} }', timeout: 50 })
  const { status, stderr } = await call(['run', '--request', request])
  assert.equal(status, 3)
  assert.match(stderr, /^error: Execution timed out at its 50 ms bound\./)
})

test('--request - reads the request from standard input', async () => {
  const { stdout } = await call(['run', '--request', '-'], { input: '{"code":"async () => 5"}' })
  assert.equal(stdout, '5\n')
})

test('a program file takes the place of the code of a request', async () => {
  const request = file('with.json', { code: 'async () => 1', providers: [{ name: 'store' }] })
  const { stdout } = await run('async () => typeof store + "\u{1F600}"', ['--request', request])
  assert.equal(stdout, '"object\u{1F600}"\n')
})

test('a program file serves a request that has no code', async () => {
  const { stdout } = await run('async () => 2', ['--request', file('bare.json', { timeout: 1000 })])
  assert.equal(stdout, '2\n')
})

test('program and request cannot both come from standard input', async () => {
  const { status, stderr } = await run('', ['--request', '-'])
  assert.equal(status, 1)
  assert.equal(stderr, 'error: program and request cannot both come from standard input\n')
})

for (const [what, text, sentence] of [
  ['is not JSON', '{"code":', /not valid JSON/],
  ['is not an object', '[]', /the request is an array/],
  ['has a bad field', '{"code":"async () => 1","timeout":-1}', /timeout is -1/],
  ['has an unknown field', '{"code":"async () => 1","color":1}', /color/],
]) {
  test(`a request that ${what} is fault INVALID_REQUEST`, async () => {
    const request = file('bad.json', text)
    const plain = await call(['run', '--request', request])
    assert.equal(plain.status, 1)
    assert.match(plain.stderr, /^fault: INVALID_REQUEST: [^\n]*\n$/)
    assert.match(plain.stderr, sentence)
    assert.equal(json(await call(['run', '--json', '--request', request])).fault.code, 'INVALID_REQUEST')
  })
}

// ---- bounds and settings ----

test('--timeout bounds a program and wins over the request', async () => {
  const request = file('slow.json', { code: 'async () => { while (true) {} }', timeout: 60000 })
  const { stderr } = await call(['run', '--request', request, '--timeout', '60'])
  assert.match(stderr, /^error: Execution timed out at its 60 ms bound\./)
})

test('--timeout none takes the default away', async () => {
  const { stdout } = await run('async () => 1', ['--timeout', 'none', '--default-timeout-ms=1'])
  assert.equal(stdout, '1\n')
})

test('--memory bounds a program', async () => {
  const { status, stderr } = await run('async () => { const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1)) }', ['--memory', '32'])
  assert.equal(status, 3)
  assert.match(stderr, /^error: (Execution exceeded its 32 MB memory bound\.|Out of memory)/)
})

test('a setting is an option', async () => {
  const { stderr } = await run(`async () => { console.log(1); console.log(2) }`, ['--console-lines', '1'])
  assert.match(stderr, /^1\n\[warn\] Console output stopped at its bound of 1 line\./)
})

test('a setting is read from the environment, and one that is empty is not set', async () => {
  const env = { CONSOLE_LINES: '1', CONSOLE_BYTES: '' }
  const { stderr } = await run(`async () => { console.log(1); console.log(2) }`, [], { env })
  assert.match(stderr, /^1\n\[warn\] Console output stopped/)
})

test('an option wins over the environment', async () => {
  const { stderr } = await run(`async () => { console.log(1); console.log(2) }`, ['--console-lines=2'], { env: { CONSOLE_LINES: '1' } })
  assert.equal(stderr, '1\n2\n')
})

test('--no-network is accepted', async () => {
  assert.equal((await run('async () => typeof fetch', ['--no-network'])).status, 0)
})

// ---- canned tools ----

test('--tools answers calls and names the providers', async () => {
  const tools = file('tools.json', '{"store.list":{"result":[1,{"__codemode_binary_v1__":"Uint8Array","data":"AQID"}]},"fx.rate":{},"fx.fail":{"error":{"name":"NotFound","message":"gone","code":"E404"}}}')
  const { stdout } = await run(`async () => {
    const [one, bytes] = await store.list()
    const failure = await fx.fail().catch((error) => [error.name, error.message, error.code])
    return [one, bytes[2], typeof (await fx.rate()), failure]
  }`, ['--tools', tools])
  assert.equal(stdout, '[1,3,"undefined",["NotFound","gone","E404"]]\n')
})

test('--tools hands on the text of an answer as it stands in the file', async () => {
  const tools = file('text.json', '{"t.number": {"result" : 123456789012345678901234567890 }, "t.\\u0061b": {"result": "}\\"]"}}')
  const { stdout } = await run('async () => [await t.number(), await t.ab()]', ['--tools', tools])
  assert.equal(stdout, '[1.2345678901234568e+29,"}\\"]"]\n')
})

test('a tool that the file does not have rejects and tells what there is', async () => {
  const tools = file('two.json', { 'store.a': {}, 'store.b': {} })
  const { status, stderr } = await run('async () => await store.c()', ['--tools', tools])
  assert.equal(status, 3)
  assert.match(stderr, /two\.json has no answer to store\.c\. It offers: store\.a, store\.b\.\n/)
})

test('a request that names providers keeps them', async () => {
  const request = file('named.json', { code: 'async () => [typeof store, typeof fx]', providers: [{ name: 'store' }] })
  const tools = file('more.json', { 'fx.rate': {} })
  assert.equal((await call(['run', '--request', request, '--tools', tools])).stdout, '["object","undefined"]\n')
})

test('--provider adds providers and without tools their calls reject', async () => {
  const { stderr } = await run('async () => [typeof store, await fx.rate()]', ['--provider', 'fx', '--provider', 'store', '--provider', 'fx'])
  assert.match(stderr, /^error: No dispatch function was given, so fx\.rate cannot be called\.\n/)
})

for (const [what, text, sentence] of [
  ['is not JSON', '{\n  "a.b": }', /bad-tools\.json is not valid JSON: line 2, column \d+: /],
  ['is not an object', '[]', /must hold a JSON object/],
  ['names a tool twice', '{"a.b":{},"a.b":{}}', /line 1, column \d+: duplicate object key/],
  ['has a key without a dot', '{"list":{}}', /the key "list" must read provider\.tool/],
  ['has an answer that is not wrapped', '{"a.b":[1]}', /the answer of "a\.b" must be/],
  ['has an answer with an unknown key', '{"a.b":{"value":1}}', /the answer of "a\.b" must be/],
  ['has both result and error', '{"a.b":{"result":1,"error":"x"}}', /the answer of "a\.b" must be/],
  ['has an error of a wrong type', '{"a.b":{"error":5}}', /the error of "a\.b" must be/],
  ['has an error without a message', '{"a.b":{"error":{"name":"Odd"}}}', /the error of "a\.b" must be a message or an object with a message/],
  ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8 text/],
]) {
  test(`a tools file that ${what} is one clear line`, async () => {
    const { status, stdout, stderr } = await run('async () => 1', ['--tools', file('bad-tools.json', text)])
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^error: [^\n]*\n$/)
    assert.match(stderr, sentence)
  })
}

// ---- tool command ----

// A tool command in JavaScript: `answer(call, write)` is called for every line.
const scripted = (body) => `${process.execPath} ${file('tools.mjs', `
  let rest = ''
  const write = (value) => process.stdout.write((typeof value === 'string' ? value : JSON.stringify(value)) + '\\n')
  const calls = []
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\\n')
    rest = lines.pop()
    for (const line of lines) answer(JSON.parse(line), line)
  })
  function answer(call, line) { ${body} }
`)}`
const withTools = (code, command, ...args) => run(code, ['--provider', 'store', '--tool-command', command, ...args])

test('--tool-command answers calls in any order and is started once', async () => {
  const command = scripted('calls.push(call); if (calls.length === 3) for (const c of calls.reverse()) write({ id: c.id, result: [process.pid, c.tool, c.args] })')
  const { stdout } = await withTools(`async () => {
    const all = await Promise.all([store.a(1), store.b('x', null), store.c()])
    return [new Set(all.map((one) => one[0])).size, all.map((one) => one.slice(1))]
  }`, command)
  assert.equal(stdout, '[1,[["a",[1]],["b",["x",null]],["c",[]]]]\n')
})

test('--tool-command sees exactly the four keys of a call', async () => {
  const { stdout } = await withTools('async () => await store.a(1)', scripted('write({ id: call.id, result: line })'))
  assert.deepEqual(JSON.parse(JSON.parse(stdout)), { id: 1, provider: 'store', tool: 'a', args: [1] })
})

test('an error of the tool command is a message or an object', async () => {
  const command = scripted('write({ id: call.id, error: call.args[0] })')
  const { stdout } = await withTools(`async () => {
    const told = async (error) => store.x(error).catch((e) => [e.name, e.message, e.code, e.data])
    return [await told('plain'), await told({ name: 'NotFound', message: 'gone', code: 'E404', data: [1] })]
  }`, command)
  assert.equal(stdout, '[["Error","plain",null,null],["NotFound","gone","E404",[1]]]\n')
})

test('values cross the tool command unchanged in both directions', async () => {
  const command = scripted('write(`{"result":${JSON.stringify(call.args)},"id":${call.id}}`)')
  const { stdout } = await withTools(`async () => {
    const [bytes, text, lone, number] = await store.echo(new Uint8Array([1, 2]), 'a\\u2028b\\u2029\\n', '\\ud83d', 1.5e300)
    return [bytes instanceof Uint8Array, bytes[1], text === 'a\\u2028b\\u2029\\n', lone === '\\ud83d', number === 1.5e300]
  }`, command)
  assert.equal(stdout, '[true,2,true,true,true]\n')
})

test('an answer without result and error is undefined, and blank lines are nothing', async () => {
  const { stdout } = await withTools('async () => typeof (await store.a())', scripted('write(""); write(" \\r"); write({ id: call.id })'))
  assert.equal(stdout, '"undefined"\n')
})

test('--tools answers what it has and the tool command the rest', async () => {
  const tools = file('some.json', { 'store.canned': { result: 'canned' } })
  const { stdout } = await withTools('async () => [await store.canned(), await store.live()]', scripted('write({ id: call.id, result: "live" })'), '--tools', tools)
  assert.equal(stdout, '["canned","live"]\n')
})

test('a malformed value in an answer rejects its call alone', async () => {
  const command = scripted('write(call.tool === "bad" ? `{"id":${call.id},"result":[1 2]}` : { id: call.id, result: 1 })')
  const { stdout } = await withTools('async () => [await store.bad().catch((e) => e.message), await store.good()]', command)
  assert.equal(stdout, `["The host's answer to store.bad is not valid JSON.",1]\n`)
})

for (const [what, command, why] of [
  ['exits', 'read call; exit 7', 'The tool command ended (exit status 7)'],
  ['is killed', 'read call; kill -9 $$', 'The tool command ended (signal 9)'],
  ['writes what is not JSON', 'read call; echo listening on 80; cat', 'The tool command wrote a line that is not an answer (listening on 80)'],
  ['writes what is not an object', 'read call; echo "[1]"; cat', 'The tool command wrote a line that is not an answer ([1])'],
  ['writes an object without an id', `read call; echo '{"result":1}'; cat`, 'The tool command wrote a line that is not an answer ({"result":1})'],
  ['writes bytes that are no text', `read call; printf '\\377\\n'; cat`, 'The tool command wrote a line that is not an answer (not UTF-8 text)'],
  ['answers a call that is not open', `read call; echo '{"id":99}'; cat`, 'The tool command answered call 99 (which is not open)'],
  ['closes its standard output', 'read call; exec >&-; read more', 'The tool command closed its standard output'],
]) {
  test(`a tool command that ${what} rejects the open calls and those that follow`, async () => {
    const { status, stdout, stderr } = await withTools(`async () => {
      const first = await store.a().catch((error) => error.message)
      return [first, await store.b().catch((error) => error.message)]
    }`, command)
    assert.deepEqual(JSON.parse(stdout), [`${why} before it answered store.a.`, `${why}, so store.b cannot be called.`])
    assert.equal(stderr, `error: ${why}\n`)
    assert.equal(status, 0)
  })
}

test('a tool command that writes an endless line is refused at the message bound', async () => {
  const { status, stderr } = await withTools('async () => await store.a()', 'read call; yes | tr -d "\\n"', '--message-limit-bytes', '100000')
  assert.equal(status, 3)
  assert.match(stderr, /^error: The tool command wrote a line of more than 100,000 bytes\n/)
})

test('a tool command that cannot be found is told by its exit status', async () => {
  const { status, stderr } = await withTools('async () => await store.a()', 'no-such-tool-command')
  assert.equal(status, 3)
  assert.match(stderr, /error: The tool command ended \(exit status 127\)/)
})

test('what a tool command writes before it exits still counts', async () => {
  const { stdout, stderr } = await withTools('async () => await store.a()', `read call; echo '{"id":1,"result":"last words"}'`)
  assert.equal(stdout, '"last words"\n')
  assert.equal(stderr, '')
})

test('a tool command that does not read holds up neither log lines nor the end', async () => {
  const { stdout, stderr } = await withTools(`async () => {
    for (let i = 0; i < 4; i++) store.take('x'.repeat(1 << 20)).catch(() => {})
    console.log('still here')
    return 'done'
  }`, 'exec sleep 1000')
  assert.equal(stdout, '"done"\n')
  assert.match(stderr, /^still here\n\[warn\] The run ended before 4 tool calls were answered/)
})

test('calls beyond what a tool command has not read are rejected', async () => {
  const { stdout } = await withTools(`async () => {
    const messages = new Set()
    const big = 'x'.repeat(900000)
    const calls = Array.from({ length: 4 }, () => store.take(big).catch((error) => messages.add(error.message)))
    await Promise.race(calls)
    return [...messages]
  }`, 'exec sleep 1000', '--message-limit-bytes', '1000000')
  assert.deepEqual(JSON.parse(stdout), ['The tool command has not read its earlier calls, so store.take cannot be called.'])
})

test('a tool command that ignores its end and SIGTERM is killed with its children', async () => {
  const { stdout } = await withTools('async () => await store.a()', `trap "" TERM; sleep 1000 & read call; echo '{"id":1,"result":1}'; while true; do sleep 1000; done`)
  assert.equal(stdout, '1\n')
})

test('children of a tool command that has exited are ended', async () => {
  const { stdout } = await withTools('async () => await store.a()', `sleep 1000 & read call; echo '{"id":1,"result":1}'`)
  assert.equal(stdout, '1\n')
})

for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]]) {
  test(`${signal} cancels the run, ends the tool command and exits with ${status}`, async () => {
    const running = start(['run', '-', '--json', '--provider', 'store', '--tool-command', 'sleep 1000 & cat > /dev/null; sleep 1000'],
      { input: `async () => { console.log('up'); await store.never() }` })
    await running.says('up')
    running.child.kill(signal)
    const outcome = await running.ended
    assert.equal(outcome.status, status)
    assert.equal(json(outcome).fault.code, 'CANCELLED')
  })
}

test('SIGINT ends a program in a busy loop', async () => {
  const running = start(['run', '-'], { input: `async () => { console.log('up'); while (true) {} }` })
  await running.says('up')
  running.child.kill('SIGINT')
  assert.equal((await running.ended).status, 130)
})

// ---- wrong words and files ----

mkdirSync(join(directory, 'folder'))
file('empty', '')
file('latin1.js', Buffer.from([0x27, 0xe9, 0x27]))
for (const [what, args, sentence] of [
  ['an unknown subcommand', ['fly'], /there is no subcommand 'fly'; there are serve, run and check/],
  ['run without a program', ['run'], /run takes a program: a FILE, - for standard input, or --request FILE/],
  ['two programs', ['run', 'a', 'b'], /run takes one FILE\|-; 'b' is a second one/],
  ['an unknown option', ['run', '--fast', 'a'], /run has no option --fast; it takes --request, .*--json/],
  ['an option of another subcommand', ['check', '--tools', 'a'], /check has no option --tools; it takes --memory, --connect, --token, --json/],
  ['an operand for check', ['check', 'a'], /check takes options only, not 'a'/],
  ['an option without its value', ['run', 'a', '--tools'], /--tools takes a value \(FILE\)/],
  ['a value for an option that takes none', ['run', 'a', '--json=1'], /--json takes no value/],
  ['a module without a name', ['run', '-', '--module', '=a.js'], /--module is '=a\.js', but takes NAME=FILE/],
  ['a module without a file', ['run', '-', '--module', 'a.js'], /--module is 'a\.js', but takes NAME=FILE/],
  ['a missing module', ['run', '-', '--module', 'a=missing.js'], /missing\.js cannot be read: No such file/],
  ['an unknown language', ['run', '-', '--language', 'python'], /--language is 'python', but takes javascript or typescript/],
  ['a URL that is no WebSocket\'s', ['run', '-', '--connect', 'http://127.0.0.1:9'], /--connect: the URL is 'http:\/\/127\.0\.0\.1:9'; it is like ws:\/\//],
  ['a bound of the daemon\'s', ['check', '--connect=ws://127.0.0.1:9', '--memory', '64'], /--memory has no meaning with --connect: the daemon's own holds/],
  ['a token for nobody', ['check', '--token', 'open-sesame'], /--token has no meaning without --connect/],
  ['a port that is none', ['serve', '--port', '65536'], /--port: PORT is '65536', but takes a whole number from 0 to 65,535/],
  ['a token\'s file that is missing', ['serve', '--auth-token-file', 'missing'], /--auth-token-file: AUTH_TOKEN_FILE is 'missing', but takes the path of a file/],
  ['a near miss of a setting', ['serve', '--worker-max', '2'], /serve has no option --worker-max; it takes --stdio, and the settings/],
  ['a missing program file', ['run', 'missing.js'], /missing\.js cannot be read: No such file or directory/],
  ['a program file of an odd name', ['run', 'a\nb\x1b[1m'], /a\\nb\\x1b\[1m cannot be read: No such file or directory/],
  ['a program file without a name', ['run', ''], /a file without a name cannot be read: No such file/],
  ['a directory as program', ['run', 'folder'], /folder cannot be read: Is a directory/],
  ['a program file whose reading fails', ['run', '/proc/self/mem'], /\/proc\/self\/mem cannot be read: Input\/output error/],
  ['a directory as module', ['run', '-', '--module', 'a=folder'], /folder cannot be read: Is a directory/],
  ['a directory as tools', ['run', '-', '--tools', 'folder'], /folder cannot be read: Is a directory/],
  ['tools that are not UTF-8', ['run', '-', '--tools', 'latin1.js'], /latin1\.js is not UTF-8 text/],
  ['a tools file that is empty', ['run', '-', '--tools', 'empty'], /empty is not valid JSON: line 1, column 0: /],
  ['a program that is not UTF-8', ['run', 'latin1.js'], /latin1\.js is not UTF-8 text/],
  ['a missing tools file', ['run', '-', '--tools', 'missing.json'], /missing\.json cannot be read: No such file/],
  ['a missing request', ['run', '--request', 'missing.json'], /missing\.json cannot be read: No such file/],
  ['a timeout that is no number', ['run', '-', '--timeout', '1s'], /--timeout is '1s', but takes milliseconds above 0, or none/],
  ['a timeout of 0', ['run', '-', '--timeout', '0'], /--timeout is '0', but takes/],
  ['a negative timeout', ['run', '-', '--timeout', '-5'], /--timeout is '-5', but takes/],
  ['no memory at all', ['run', '-', '--memory', '0'], /--memory: MEMORY_LIMIT_MB is '0', but takes a whole number of MB from 16/],
  ['too little memory', ['check', '--memory-limit-mb', '1'], /--memory-limit-mb: MEMORY_LIMIT_MB is '1', but takes a whole number of MB from 16/],
  ['an empty number', ['run', '-', '--memory='], /--memory: MEMORY_LIMIT_MB is '', but takes/],
  ['a setting that is no number', ['check', '--workers-max=many'], /--workers-max: WORKERS_MAX is 'many', but takes/],
]) {
  test(`${what} is one clear line and exit 1`, async () => {
    const { status, stdout, stderr } = await call(args)
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^error: [^\n]*\n$/)
    assert.match(stderr, sentence)
  })
}

test('a program that is empty is one clear line and exit 1', async () => {
  for (const args of [['run', 'empty'], ['run', '-']]) {
    const { status, stdout, stderr } = await call(args)
    assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: '', stderr: 'fault: INVALID_REQUEST: code is empty; it is a non-empty string\n' })
  }
})

test('a bad value in the environment is one clear line and exit 1', async () => {
  const { status, stderr } = await run('async () => 1', [], { env: { MEMORY_LIMIT_MB: 'lots' } })
  assert.equal(status, 1)
  assert.match(stderr, /^error: MEMORY_LIMIT_MB is 'lots', but takes [^\n]*\n$/)
})

for (const [what, path] of [['is missing', '/nonexistent/codemode-worker'], ['is another program', '/bin/true']]) {
  test(`a worker that ${what} is one clear line and exit 1`, async () => {
    const { status, stdout, stderr } = await run('async () => 1', [], { env: { CODEMODE_WORKER_PATH: path } })
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^fault: INTERNAL: No sandbox worker could be started: [^\n]*\n$/)
  })
}

// ---- check, help, version ----

test('check draws each layer and ends with its verdict', async () => {
  const { status, stdout } = await call(['check'])
  assert.equal(status, 0)
  for (const layer of ['seccomp filter', 'user namespace', 'network namespace', 'Landlock', 'resource limits']) assert.match(stdout, new RegExp(`^│  . ${layer} `, 'm'))
  assert.match(stdout, /engine {3}JavaScriptCore \d/)
  assert.match(stdout, /answered 42 after [\d.]+ ms/)
  assert.equal(stdout.split('\n').at(-2), '└  This machine can run sandboxed code.')
})

test('check --json is one object with the verdict', async () => {
  const verdict = json(await call(['check', '--json']))
  assert.equal(verdict.ok, true)
  assert.match(verdict.runtime, new RegExp(`^codemode-executor/${verdict.version} JavaScriptCore/\\d`))
  assert.equal(verdict.answer, 42)
  assert.ok(verdict.duration > 0)
  assert.equal('failure' in verdict, false)
  assert.equal(verdict.layers.find((layer) => layer.name === 'seccomp filter').inForce, true)
})

test('check names what is missing and exits with 5', async () => {
  const env = { CODEMODE_WORKER_PATH: '/nonexistent/codemode-worker' }
  const { status, stdout } = await call(['check'], { env })
  assert.equal(status, 5)
  assert.match(stdout, /✗ No sandbox worker could be started: /)
  assert.match(stdout, /→ codemode-worker: /)
  assert.equal(stdout.split('\n').at(-2), '└  This machine cannot run sandboxed code.')
})

test('check --json says what failed where the sandbox did not answer', async () => {
  const env = { CODEMODE_WORKER_PATH: '/bin/true' }
  const outcome = await call(['check', '--json'], { env })
  const verdict = json(outcome)
  assert.equal(outcome.status, 5)
  assert.equal(verdict.ok, false)
  assert.equal(typeof verdict.failure, 'string')
  assert.match(verdict.runtime, /^codemode-executor\//)
  assert.equal('answer' in verdict || 'duration' in verdict, false)
})

test('--version prints the version', async () => {
  const version = readFileSync(new URL('../../VERSION', import.meta.url), 'utf8').trim()
  assert.equal((await call(['--version'])).stdout, `codemode-executor ${version}\n`)
})

test('--help names every option, setting and exit code and nothing that is not there', async () => {
  const { status, stdout } = await call(['--help'])
  const rows = readFileSync(new URL('../../src/cli/options.def', import.meta.url), 'utf8')
  const settings = readFileSync(new URL('../../src/tables/settings.def', import.meta.url), 'utf8')

  assert.equal(status, 0)
  for (const [, word] of rows.matchAll(/^CLI_OPTION\(\w+, "([^"]+)"/gm)) assert.ok(stdout.includes(`  ${word}`), word)
  for (const [, name] of settings.matchAll(/^CM_SETTING\(\w+, (\w+)/gm)) assert.ok(stdout.includes(`  --${name.toLowerCase().replaceAll('_', '-')} `), name)
  const daemon = readFileSync(new URL('../../src/tables/daemon.def', import.meta.url), 'utf8')
  for (const [, name] of daemon.matchAll(/^DAEMON_\w+\(\w+, (\w+)/gm)) assert.ok(stdout.includes(`  --${name.toLowerCase().replaceAll('_', '-')} `), name)
  for (const [, code] of rows.matchAll(/^CLI_EXIT\(\w+, (\d+)/gm)) assert.match(stdout, new RegExp(`^  ${code} `, 'm'))
  for (const [, word] of rows.matchAll(/^CLI_LATER\("([^"]+)"/gm)) assert.doesNotMatch(stdout, new RegExp(`${word}(?![a-z-])`))
  for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line)
})

test('--help of a subcommand is the same help', async () => {
  assert.equal((await call(['run', '--help'])).stdout, (await call(['-h'])).stdout)
})

test('the example of the repository runs with its canned tools and with its tool command', async () => {
  const example = (name) => new URL(`../../examples/${name}`, import.meta.url).pathname
  const canned = await call(['run', example('orders.js'), '--tools', example('orders.tools.json')])
  const live = await call(['run', example('orders.js'), '--provider', 'store', '--provider', 'fx',
    '--tool-command', `${process.execPath} ${example('orders.tools.mjs')}`])

  assert.equal(JSON.parse(canned.stdout).best, 'Grace')
  assert.deepEqual(JSON.parse(live.stdout).customers, JSON.parse(canned.stdout).customers)
})
