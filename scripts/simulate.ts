// `npm run simulate`: patients who do their sessions in front of a camera, against the system started by `npm start`.
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@tendon/config'
import { progressOf, summaryOf } from './simulate/report.ts'
import { simulate } from './simulate/simulate.ts'
import { newTally } from './simulate/tally.ts'
import { localTokens } from './start/api.ts'
import { ADMIN } from './start/demo.ts'

const USAGE = `Usage: npm run simulate -- [--patients 5] [--sessions 1] [--speed 60] [--seed n]

  --patients   number of patients, all at once (1 to 1000)
  --sessions   sessions of each patient, one after the other (1 to 100)
  --speed      speed factor, limited by the quotas (1 to 1000; 1 is real time)
  --seed       the same seed gives the same sessions`

/** Shown as a sentence, without a stack. */
class SimulationRefused extends Error {}

const PROGRESS_INTERVAL_MS = { terminal: 200, plain: 5_000 }

try {
  process.exitCode = await main()
} catch (error) {
  const expected = error instanceof SimulationRefused || error instanceof ConfigError
  console.error(expected ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const { patients, sessions, speed, seed } = readOptions(process.argv.slice(2))
  const config = readConfig(process.env)
  if (config.NODE_ENV === 'production' || config.AUTH_ISSUER !== undefined)
    throw new SimulationRefused('Simulated patients sign in at the local identity provider: run this beside npm start.')
  const ready = await fetch(`${config.publicUrl}/health/ready`).catch(() => undefined)
  if (!ready?.ok) throw new SimulationRefused(`No response from ${config.publicUrl}. Start the system first: npm start`)

  console.log(`Patients: ${patients}, sessions of each: ${sessions}, seed: ${seed}. Their data is kept.`)
  const tally = newTally()
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const line = () => progressOf(tally, patients * sessions, seconds())
  const stopShowing = show(line)
  try {
    const tokenOf = localTokens(config, () => undefined)
    await simulate({ coreUrl: config.publicUrl, tokenOf, staff: ADMIN, patients, sessions, speed, seed, tally })
  } finally {
    stopShowing()
  }
  console.log(summaryOf(tally, seconds()).join('\n'))
  return tally.problems.length === 0 ? 0 : 1
}

/** One line that is rewritten; without a terminal, a line now and then. */
function show(line: () => string): () => void {
  const { stdout } = process
  const print = stdout.isTTY
    ? () => stdout.write(`\r\x1b[K${line().slice(0, stdout.columns - 1)}`)
    : () => console.log(line())
  const timer = setInterval(print, stdout.isTTY ? PROGRESS_INTERVAL_MS.terminal : PROGRESS_INTERVAL_MS.plain)
  return () => {
    clearInterval(timer)
    print()
    if (stdout.isTTY) stdout.write('\n')
  }
}

function readOptions(args: string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const options = {
    patients: text('5'),
    sessions: text('1'),
    speed: text('60'),
    seed: text(String(Date.now() % 1_000_000)),
  }
  const { values } = parse(args, { ...options, help: { type: 'boolean', default: false } })
  if (values.help) throw new SimulationRefused(USAGE)
  const number = (name: keyof typeof options, max: number, fits: (value: number) => boolean): number => {
    const value = Number(values[name])
    if (!fits(value) || value > max) throw new SimulationRefused(`--${name} cannot be "${values[name]}".\n\n${USAGE}`)
    return value
  }
  const isCount = (value: number) => Number.isInteger(value) && value >= 1
  return {
    patients: number('patients', 1_000, isCount),
    sessions: number('sessions', 100, isCount),
    speed: number('speed', 1_000, (value) => value >= 1),
    seed: number('seed', Number.MAX_SAFE_INTEGER, Number.isInteger),
  }
}

function parse<const Options extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, options })
  } catch (error) {
    throw new SimulationRefused(`${(error as Error).message}\n\n${USAGE}`)
  }
}
