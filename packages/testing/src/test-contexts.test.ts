import assert from 'node:assert/strict'
import { executionAsyncId } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { processEnv } from './process-env.ts'

const FAILING = `
import { describe, test } from 'node:test'
const wait = () => new Promise((resolve) => setTimeout(resolve, 50))
describe('suite', () => {
  test('timer', async () => { setTimeout(() => { throw new Error('a') }, 5); await wait() })
  test('promise', async () => { setTimeout(async () => { throw new Error('b') }, 5); await wait() })
  test('passing', wait)
})
test('parent', (t) => t.test('child', async () => { await wait(); throw new Error('c') }))
`

describe('the test runner', () => {
  test('does not follow the promises of a test', async () => {
    await Promise.resolve()
    assert.equal(executionAsyncId(), 0)
  })

  test('fails the test whose callback throws, and no other', async () => {
    const file = join(tmpdir(), `failing-${process.pid}.mjs`)
    await writeFile(file, FAILING)
    const args = [`--import=${import.meta.resolve('./test-contexts.ts')}`, '--test-reporter=tap', file]
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, args, { env: processEnv() }, (_error, out) => resolve(out)),
    )
    assert.deepEqual(
      [...output.matchAll(/^( *)(not )?ok \d+ - (\w+)/gm)].map(
        ([, indent, not, name]) => `${indent}${not ?? ''}${name}`,
      ),
      ['    not timer', '    not promise', '    passing', 'not suite', '    not child', 'not parent'],
    )
  })
})
