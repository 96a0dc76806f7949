// The acceptance cases that lie beside the project.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const executor = process.env.CODEMODE_EXECUTOR
const shared = process.env.CM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url))
const script = join(shared, 'acceptance', 'run-cases.mjs')

function runCases() {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, '--exec', `'${executor}' run`], (error, stdout, stderr) =>
      resolve({ stdout, stderr }))
  })
}

if (!existsSync(script) && process.env.CM_MUST_WORK !== '1') {
  console.log(`acceptance cases: none at ${script}, nothing to run (CM_SHARED names their folder)`)
} else {
  test('every acceptance case passes', async () => {
    const { stdout, stderr } = await runCases()
    const failed = stdout.split('\n').filter((line) => line.startsWith('not ok  '))

    assert.match(stdout, /^\d+ passed, \d+ failed$/m, stderr)
    assert.deepEqual(failed, [])
  })
}
