import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { type LanesOptions, runLanes } from './run-lanes.ts'

const root = join(import.meta.dirname, '..')
const IMPORT = `import { test } from 'node:test'`
const FILES = {
  good: `${IMPORT}\ntest('first', () => {})\ntest('second', () => {})\ntest('third', { skip: 'no reason' }, () => {})`,
  bad: `${IMPORT}\ntest('fails', () => { throw new Error('no') })\ntest('passes', () => {})`,
  leaves: `${IMPORT}\ntest('leaves with success', () => process.exit(0))`,
  killed: `${IMPORT}\ntest('is killed', () => process.kill(process.pid, 'SIGKILL'))`,
  hangs: `${IMPORT}\nimport { writeFileSync } from 'node:fs'
    test('hangs', () => new Promise(() => writeFileSync(new URL('started', import.meta.url), '')))`,
}

describe('the lanes of a test run', () => {
  let folder: string
  const fileOf = (name: keyof typeof FILES) => relative(root, join(folder, `${name}.test.ts`))
  const run = (names: readonly (keyof typeof FILES)[], options: Partial<LanesOptions> = {}) =>
    runLanes({ files: names.map(fileOf), lanes: 1, timeoutMs: 60_000, show: () => {}, ...options })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tendon-lanes-'))
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, `${name}.test.ts`), text)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('what passed, failed and was skipped is counted, and a failure fails the run', async () => {
    const [good, both] = await Promise.all([run(['good'], { lanes: 2 }), run(['good', 'bad'])])
    assert.deepEqual(good, { passed: 2, failed: 0, skipped: ['no reason'], endedEarly: [], ok: true })
    assert.deepEqual(both, { passed: 3, failed: 1, skipped: ['no reason'], endedEarly: [], ok: false })
  })

  test('tests that are named are counted; a name that fits none fails the run', async () => {
    const [some, none] = await Promise.all([
      run(['good'], { flags: ['--test-name-pattern=first'] }),
      run(['good'], { flags: ['--test-name-pattern=unknown'] }),
    ])
    assert.deepEqual([some.passed, some.ok], [1, true])
    assert.deepEqual([none.passed, none.ok], [0, false])
  })

  test('a lane that a test ends, by an exit with success too, fails the run and names the file', async () => {
    const [left, killed] = await Promise.all([run(['good', 'leaves']), run(['killed', 'good'])])
    assert.deepEqual(left.endedEarly, [`${fileOf('leaves')} ended with code 0`])
    assert.deepEqual(killed.endedEarly, [`${fileOf('killed')} ended with SIGKILL`, '1 files were not started'])
    assert.deepEqual([left.ok, killed.ok], [false, false])
    assert.deepEqual([left.passed, killed.passed], [0, 0])
  })

  test('a run that gets SIGTERM says that it ended early, starts no other file, and fails', async (context) => {
    const files = [fileOf('hangs'), fileOf('good')]
    const child = spawn(process.execPath, [join(root, 'scripts/test.ts'), ...files], {
      env: { ...process.env, TEST_LANES: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    context.after(() => child.kill('SIGKILL'))
    const output = text(child.stdout)
    await until(() => existsSync(join(folder, 'started')))
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 1)
    assert.match(await output, /SIGTERM[^]*ended early: .*hangs\.test\.ts ended with SIGTERM; 1 files were not started/)
  })
})
