import { spawn } from 'node:child_process'
import { join } from 'node:path'

// Runs test files in processes, the lanes, each of which requests and runs file after file (scripts/test-lane.ts).

const root = join(import.meta.dirname, '..')

export interface LanesOptions {
  files: readonly string[]
  lanes: number
  /** For Node, such as `--test-name-pattern=…`. */
  flags?: readonly string[]
  timeoutMs: number
  show(text: string): void
  /** Ends the run before its files are through. */
  ended?: AbortSignal
}

export interface LanesResult {
  passed: number
  failed: number
  /** Why each skipped test, or group of tests, was skipped. */
  skipped: string[]
  /** How lanes ended that did not come to their summary: what they had found is not counted. */
  endedEarly: string[]
  /** Everything was run and nothing failed. False also when there was nothing to run. */
  ok: boolean
}

export async function runLanes(options: LanesOptions): Promise<LanesResult> {
  const waiting = [...options.files]
  const lanes = await Promise.all(Array.from({ length: options.lanes }, () => runLane(waiting, options)))
  const summaries = lanes.filter(({ endedEarly }) => endedEarly === undefined)
  const sum = (name: string) => summaries.reduce((total, { output }) => total + countOf(output, name), 0)
  const files = summaries.reduce((total, { output }) => total + countFiles(output, options.files), 0)
  const [passed, failed] = [sum('pass') - files, sum('fail') + sum('cancelled')]
  const skipped = lanes.flatMap(({ output }) => reasonsOf(output))
  const endedEarly = lanes.flatMap((lane) => lane.endedEarly ?? [])
  if (waiting.length > 0) endedEarly.push(`${waiting.length} files were not started`)
  return {
    passed,
    failed,
    skipped,
    endedEarly,
    ok: endedEarly.length === 0 && failed === 0 && passed + skipped.length > 0 && lanes.every(({ code }) => code === 0),
  }
}

interface Lane {
  code: number | null
  output: string
  endedEarly: string | undefined
}

/** Output is shown file by file. */
function runLane(waiting: string[], { flags = [], timeoutMs, show, ended }: LanesOptions): Promise<Lane> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      // Fewer collections: 0.92 and 0.95 of the processor time of eight files of tests, two alternating pairs.
      '--max-semi-space-size=64',
      // Code that runs a few hundred times is not worth optimising: 1.00 and 0.91 beside the flag above alone.
      '--invocation-count-for-maglev=2000',
      '--invocation-count-for-turbofan=20000',
      `--test-timeout=${timeoutMs}`,
      `--import=${join(root, 'packages/testing/src/property-tests.ts')}`,
      ...flags,
      join(root, 'scripts/test-lane.ts'),
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  let output = ''
  let shown = 0
  let running: string | undefined
  let hasTests = false
  const showRest = () => {
    show(output.slice(shown))
    shown = output.length
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  child.on('message', () => {
    showRest()
    running = ended?.aborted ? undefined : waiting.shift()
    hasTests ||= running !== undefined
    child.send({ file: running })
  })
  const end = () => child.kill()
  ended?.addEventListener('abort', end)
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      ended?.removeEventListener('abort', end)
      showRest()
      // A lane that found no file left prints no summary.
      const isThrough = hasTests ? /^ℹ duration_ms/m.test(output) : code === 0
      const isWhole = isThrough && running === undefined && !ended?.aborted
      const how = `${running ?? 'a lane'} ended with ${signal ?? `code ${code}`}`
      resolve({ code, output, endedEarly: isWhole ? undefined : how })
    })
  })
}

/** Each file adds a test with its own name, which passes when the tests of the file are over. */
function countFiles(output: string, files: readonly string[]): number {
  const passed = new Set([...output.matchAll(/^✔ (.*) \([\d.]+ms\)$/gm)].map(([, name]) => name))
  return files.filter((file) => passed.has(file)).length
}

/** The runner's own number leaves out groups. */
function reasonsOf(output: string): string[] {
  return [...output.matchAll(/^ *﹣ .* # (.*)$/gm)].map(([, reason = '']) => reason)
}

function countOf(output: string, name: string): number {
  return Number(new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(output)?.[1] ?? 0)
}
