// `npm run test:hard [-- --eighth N] [-- --seed N] [-- --busy 8] [-- <files>]`: every test file with the clock of Node and
// PostgreSQL shifted to when days, months and the time of Bucharest change, in a random order, beside busy loops. What
// fails here and passes in `npm test` depends on the hour, on the load or on its neighbours.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './quick-checks.ts'
import { type HardRun, hardClocks, planHard } from './test-hard/plan.ts'

/** More than processors: the busy loops take most of their time. */
const LANES = 6

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { eighth: { type: 'string' }, seed: { type: 'string' }, busy: { type: 'string', default: '8' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const eighth = values.eighth === undefined ? undefined : Number(values.eighth)
const library = globSync(['/usr/lib/*/faketime/libfaketime.so.1', '/usr/lib64/faketime/libfaketime.so.1'])[0]
const folder = mkdtempSync(join(tmpdir(), 'tendon-hard-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const epollWait = buildEpollWait()
if (library === undefined || epollWait === undefined) {
  console.log(
    'Skipped: test:hard needs libfaketime and a C compiler (Debian and Ubuntu: apt-get install faketime gcc).',
  )
  process.exit(0)
}
const preload = `${epollWait}:${library}`
const named = positionals.map((file) => relative(root, resolve(file)))
const files =
  named.length > 0
    ? named
    : globSync(['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root }).sort()
const runs = planHard({ files, clocks: hardClocks(new Date()), seed, eighth })
const repeat = ['--seed', String(seed), ...(eighth === undefined ? [] : ['--eighth', String(eighth)]), ...named]
const loops = Array.from({ length: Number(values.busy) }, startBusyLoop)
const failed: string[] = []
for (const run of runs) {
  removeLeftovers()
  console.log(`\n${run.files.length} files at ${run.clock.name}, ${run.clock.startsAt.toISOString()}`)
  if (!(await passes(run))) failed.push(run.clock.name)
}
for (const loop of loops) loop.kill()
removeLeftovers()
console.log(
  `test:hard ${failed.length === 0 ? 'passed' : `FAILED at ${failed.join(', ')}`}. Repeat with: npm run test:hard -- ${repeat.join(' ')}`,
)
process.exit(failed.length === 0 ? 0 : 1)

function passes({ clock, files }: HardRun): Promise<boolean> {
  const seconds = Math.round((clock.startsAt.getTime() - Date.now()) / 1000)
  const shifted = { LD_PRELOAD: preload, FAKETIME: `+${seconds}`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/test.ts', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_CLOCK: JSON.stringify(shifted), TEST_LANES: String(LANES) },
  })
  return new Promise((done) => child.on('exit', (code) => done(code === 0)))
}

/** Undefined without a C compiler. */
function buildEpollWait(): string | undefined {
  const to = join(folder, 'epoll-wait.so')
  const from = join(root, 'scripts/test-hard/epoll-wait.c')
  const { status } = spawnSync('cc', ['-shared', '-nostdlib', '-fPIC', '-o', to, from], { stdio: 'inherit' })
  if (status !== 0) return undefined
  for (const path of [folder, to]) chmodSync(path, 0o755) // PostgreSQL runs as another user.
  return to
}

/** A process that was killed leaves what libfaketime shares with its children; a later one with its number would fail. */
function removeLeftovers(): void {
  for (const path of globSync('/dev/shm/*faketime_{sem,shm}_*')) {
    const pid = /\d+$/.exec(path)?.[0]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    rmSync(path, { force: true })
  }
}

/** Ends with this process, however it ends: the pipe to it closes. */
function startBusyLoop() {
  const code = `process.stdin.on('close', () => process.exit()).resume()
    const spin = () => { const end = performance.now() + 50; while (performance.now() < end); setImmediate(spin) }
    spin()`
  return spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'ignore'] })
}
