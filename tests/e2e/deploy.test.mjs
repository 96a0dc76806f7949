// What deploy/ has for those who run the daemon.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { executor, file } from './harness.mjs'

const deploy = join(dirname(fileURLToPath(import.meta.url)), '../../deploy')
const read = (name) => readFileSync(join(deploy, name), 'utf8')
const unit = read('codemode-executor.service')

test('the unit is sections of settings, and systemd finds nothing wrong with it', () => {
  for (const line of unit.split('\n')) assert.match(line, /^(|#.*|\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*)$/)
  const here = file('codemode-executor.service', unit.replace('/usr/local/bin/codemode-executor', executor))
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', here], { encoding: 'utf8' })
  if (error === undefined) assert.deepEqual([status, stderr], [0, ''])
})

test('what the unit and the container start is what is installed', () => {
  const installed = Object.values(JSON.parse(execFileSync('meson', ['introspect', '--installed', join(dirname(executor), '..')])))
  const [program, worker] = ['codemode-executor', 'codemode-worker'].map((name) => installed.find((path) => path.endsWith(`/${name}`)))
  assert.ok(unit.includes(`ExecStart=${program} serve\n`))
  assert.ok(read('Containerfile').includes(`ENTRYPOINT ["${program}"]`))
  assert.ok(read('Containerfile').includes(`--from=build ${dirname(worker)}/ ${dirname(worker)}/`))
})

test('the settings that deploy/ names exist', () => {
  const help = execFileSync(executor, ['--help'], { encoding: 'utf8' })
  const text = unit + read('README.md')
  for (const [, name] of text.matchAll(/\b([A-Z]+_[A-Z_]+)\b(?!`)/g)) {
    if (/^(AF_|CAP_|SYS_)/.test(name)) continue
    assert.ok(help.includes(`--${name.toLowerCase().replaceAll('_', '-')} `), name)
  }
})
