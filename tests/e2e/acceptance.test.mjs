// The acceptance cases that lie beside the project, as far as this version goes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const executor = process.env.CODEMODE_EXECUTOR
const shared = process.env.CM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url))
const script = join(shared, 'acceptance', 'run-cases.mjs')
const notYet = ['modules:', 'fetch:']

function runCases() {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, '--exec', `'${executor}' run`], (error, stdout, stderr) =>
      resolve({ stdout, stderr }))
  })
}

if (!existsSync(script) && process.env.CM_MUST_WORK !== '1') {
  console.log(`acceptance cases: none at ${script}, nothing to run (CM_SHARED names their folder)`)
} else {
  test('every acceptance case passes but those of modules and fetch', async () => {
    const { stdout, stderr } = await runCases()
    const failed = stdout.split('\n').filter((line) => line.startsWith('not ok  '))
      .filter((line) => !notYet.some((word) => line.startsWith(`not ok  ${word}`)))

    assert.match(stdout, /^\d+ passed, \d+ failed$/m, stderr)
    assert.deepEqual(failed, [])
  })
}
