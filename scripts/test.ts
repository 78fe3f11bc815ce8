// Runs tests against a real PostgreSQL of its own: all of them, or the files named.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { prepareTemplate, startTemporaryPostgres } from '@tendon/testing'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const files = args.filter((arg) => !arg.startsWith('--'))
const tests =
  files.length > 0
    ? files
    : globSync(['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root }).sort()

const postgres = await startTemporaryPostgres()
process.env.TEST_DATABASE_URL = postgres.url
let code = 1
try {
  await prepareTemplate()
  code = await run()
} finally {
  await postgres.remove()
}
process.exit(code)

function run(): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      '--test-isolation=none',
      // A test that fails may leave a server open: the run ends all the same.
      '--test-force-exit',
      `--import=${join(root, 'packages/testing/src/property-tests.ts')}`,
      ...args.filter((arg) => arg.startsWith('--')),
      ...tests,
    ],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (exitCode) => resolve(exitCode ?? 1)))
}
