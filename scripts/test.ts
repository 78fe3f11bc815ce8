// Runs tests against its own PostgreSQL: all of them in parallel on the machine's cores, or the named files. With
// TEST_LANES=<number>: so many files at a time, in the order in which they are named.
import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fastFolder, startMigratedPostgres } from '@tendon/testing'

const MIN_PARALLEL_FILES = 10
const MAX_LANES = 4
/** Far above the duration of any test except the longest soak: a hanging test fails with its name. */
const TEST_TIMEOUT_MS = 300_000 * Number(process.env.SOAK_FACTOR ?? 1)

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('--'))
const named = args.filter((arg) => !arg.startsWith('--')).map((file) => relative(root, resolve(file)))
const files =
  named.length > 0
    ? named
    : globSync(['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root }).sort()
const postgres = await startMigratedPostgres(console.log)
process.env.TEST_DATABASE_URL = postgres.url
// Also for files of the tests: many, small and short-lived. Searchable by others, for servers that run as another
// user.
process.env.TMPDIR = await mkdtemp(join(await fastFolder(), 'tendon-tests-'))
await chmod(process.env.TMPDIR, 0o711)
let failed = true
try {
  const wanted = Number(process.env.TEST_LANES ?? 0)
  const usual = files.length < MIN_PARALLEL_FILES ? 1 : Math.min(MAX_LANES, availableParallelism() + 1)
  const lanes = wanted || usual
  const waiting = wanted || lanes === 1 ? [...files] : files.toSorted(longestFirst)
  const results = await Promise.all(Array.from({ length: lanes }, () => runLane(waiting)))
  failed = results.some(({ code }) => code !== 0) || waiting.length > 0
  const sum = (name: string) => results.reduce((total, { output }) => total + countOf(output, name), 0)
  const skipped = results.flatMap(({ output }) => reasonsOf(output))
  console.log(
    `${Math.max(0, sum('pass') - files.length)} passed, ${sum('fail') + sum('cancelled')} failed, ${skipped.length} skipped`,
  )
  for (const reason of new Set(skipped))
    console.log(`Skipped ${skipped.filter((one) => one === reason).length}: ${reason}`)
} finally {
  await postgres.remove()
  await rm(process.env.TMPDIR, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/**
 * So that all lanes end at about the same time: features of core last, which are many and take about as long as they are
 * large. Of the others some are small and slow, because they start servers, ffmpeg or a browser.
 */
function longestFirst(a: string, b: string): number {
  const isFeature = (file: string) => Number(file.startsWith('apps/core/src/features'))
  return isFeature(a) - isFeature(b) || bytesOf(b) - bytesOf(a)
}

function bytesOf(file: string): number {
  return statSync(join(root, file)).size
}

/** One process that runs file after file. Their output is shown file by file. */
function runLane(waiting: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=64', // fewer collections: a twelfth of the time
      // Code that runs a few hundred times is not worth optimising: saves a thirtieth of the time.
      '--invocation-count-for-maglev=2000',
      '--invocation-count-for-turbofan=20000',
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      `--import=${join(root, 'packages/testing/src/property-tests.ts')}`,
      ...flags,
      join(root, 'scripts/test-lane.ts'),
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  let output = ''
  let shown = 0
  const show = () => {
    process.stdout.write(output.slice(shown))
    shown = output.length
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  child.on('message', () => {
    show()
    child.send({ file: waiting.shift() })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('close', (exitCode) => {
      show()
      resolve({ code: exitCode ?? 1, output })
    })
  })
}

/** Why each skipped test, or group of tests, was skipped. The runner's own number leaves out groups. */
function reasonsOf(output: string): string[] {
  return [...output.matchAll(/^ *﹣ .* # (.*)$/gm)].map(([, reason = '']) => reason)
}

function countOf(output: string, name: string): number {
  return Number(new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(output)?.[1] ?? 0)
}
