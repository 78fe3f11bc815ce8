// Runs tests against its own PostgreSQL: all of them in parallel on the machine's cores, or the named files. With
// TEST_LANES=<number>: so many files at a time, in the order in which they are named.
import { globSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fastFolder, startMigratedPostgres } from '@tendon/testing'
import { type LanesResult, runLanes } from './run-lanes.ts'

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

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.abort(signal))

// The clock of `npm run test:hard`, for what is started from here on.
Object.assign(process.env, JSON.parse(process.env.TEST_CLOCK ?? '{}'))
const postgres = await startMigratedPostgres(console.log)
process.env.TEST_DATABASE_URL = postgres.url
// Also for files of the tests: many, small and short-lived. Searchable by others, for servers that run as another
// user.
process.env.TMPDIR = await mkdtemp(join(await fastFolder(), 'tendon-tests-'))
await chmod(process.env.TMPDIR, 0o711)
let ok = false
try {
  const wanted = Number(process.env.TEST_LANES ?? 0)
  const usual = files.length < MIN_PARALLEL_FILES ? 1 : Math.min(MAX_LANES, availableParallelism() + 1)
  const lanes = wanted || usual
  const result = await runLanes({
    files: wanted || lanes === 1 ? files : files.toSorted(longestFirst),
    lanes,
    flags,
    timeoutMs: TEST_TIMEOUT_MS,
    show: (text) => process.stdout.write(text),
    ended: ended.signal,
  })
  report(result)
  ok = result.ok
} finally {
  await postgres.remove()
  await rm(process.env.TMPDIR, { recursive: true, force: true })
}
process.exit(ok ? 0 : 1)

function report({ passed, failed, skipped, endedEarly }: LanesResult): void {
  const anyRan = passed + failed + skipped.length > 0
  if (ended.signal.aborted) console.log(`The run got ${ended.signal.reason}.`)
  if (endedEarly.length > 0) console.log(`FAIL: the run ended early: ${endedEarly.join('; ')}. Without that:`)
  if (anyRan) console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  else console.log('FAIL: no test came to an end.')
  for (const reason of new Set(skipped))
    console.log(`Skipped ${skipped.filter((one) => one === reason).length}: ${reason}`)
}

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
