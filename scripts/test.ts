// Runs tests against a real PostgreSQL of its own: all of them side by side on the machine's cores, or the files named.
import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { prepareTemplate, startTemporaryPostgres } from '@tendon/testing'

const MANY_FILES = 10
/** Far above what any test takes, the longest soak apart: one that hangs fails with its name. */
const TEST_MAX_MS = 300_000 * Number(process.env.SOAK_FACTOR ?? 1)

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('--'))
const named = args.filter((arg) => !arg.startsWith('--'))
const files =
  named.length > 0
    ? named
    : globSync(['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root }).sort()

const postgres = await startTemporaryPostgres()
process.env.TEST_DATABASE_URL = postgres.url
let failed = true
try {
  await prepareTemplate()
  const shares = files.length < MANY_FILES ? [files] : split(files, Math.min(4, Math.max(2, availableParallelism())))
  const results = await Promise.all(shares.map((share) => run(share, shares.length > 1)))
  failed = results.some(({ code }) => code !== 0)
  if (shares.length > 1) {
    const sum = (name: string) => results.reduce((total, { output }) => total + countOf(output, name), 0)
    console.log(`${sum('pass')} passed, ${sum('fail')} failed, ${sum('skipped')} skipped`)
  }
} finally {
  await postgres.remove()
}
process.exit(failed ? 1 : 0)

/** Shares of about the same size, the largest files first. */
function split(all: string[], count: number): string[][] {
  const shares = Array.from({ length: count }, () => ({ bytes: 0, files: [] as string[] }))
  const sized = all.map((file) => ({ file, bytes: statSync(join(root, file)).size })).sort((a, b) => b.bytes - a.bytes)
  for (const { file, bytes } of sized) {
    const least = shares.reduce((a, b) => (b.bytes < a.bytes ? b : a))
    least.bytes += bytes
    least.files.push(file)
  }
  return shares.map((share) => share.files)
}

/** One process for one share: the files in it run one after the other. The output of several is shown when each ends. */
function run(share: string[], later: boolean): Promise<{ code: number; output: string }> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      // A test that fails may leave a server open: the run ends all the same.
      '--test-force-exit',
      `--test-timeout=${TEST_MAX_MS}`,
      ...['untracked-promises', 'property-tests'].map(
        (name) => `--import=${join(root, `packages/testing/src/${name}.ts`)}`,
      ),
      ...flags,
      join(root, 'scripts/test-share.ts'),
      ...share,
    ],
    { cwd: root, stdio: later ? ['ignore', 'pipe', 'inherit'] : 'inherit' },
  )
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('exit', (exitCode) => {
      process.stdout.write(output)
      resolve({ code: exitCode ?? 1, output })
    })
  })
}

function countOf(output: string, name: string): number {
  return Number(new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(output)?.[1] ?? 0)
}
