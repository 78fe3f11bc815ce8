import { existsSync, readFileSync } from 'node:fs'
import { at, load } from './load.ts'
import type { Report } from './report.ts'

const ROUNDS = 16
const MIN_ROUNDS = 6
const READS_PER_SECOND = 300
const WARM_UP_SECONDS = 4
/** The reads alone leave more of the cores idle than this; otherwise something else runs on the machine. */
const MIN_IDLE = 0.6
/** Share that the host of a virtual machine may steal in a slice: its stalls exceed any p99. */
const MAX_STOLEN = 0.01
const PROCESSOR_TIMES = '/proc/stat'

type Work = (stopped: () => boolean) => Promise<void>

interface Neighbours {
  port: number
  connections: number
  request: (connection: number) => string
  /** Duration of one slice; a round has three. */
  seconds: number
  /** Both run until stopped. */
  rebuild: Work
  spin: Work
}

interface Round {
  quiet: number[]
  rebuild: number[]
  spin: number[]
  /** Whether nothing else ran on the machine. */
  counts: boolean
}

const NAMES = ['quiet', 'rebuild', 'spin'] as const

/**
 * The effect of rebuilds on other clinics: many short alternating slices, idle, during rebuilds, and beside a backend
 * that only spins. The last one is the yardstick: the cost of a busy core on this machine. Rounds in which something
 * else ran, or the host stole time, do not count.
 */
export async function benchNeighbours(report: Report, neighbours: Neighbours): Promise<void> {
  const { port, connections, request, rebuild, spin, seconds } = neighbours
  const works = { quiet: async () => {}, rebuild, spin }
  const reads = async (time: number) => {
    const result = await load({ port, connections, seconds: time, rate: READS_PER_SECOND, request })
    if (result.refused > 0) throw new Error(`${result.refused} reads refused`)
    return result.latencies
  }

  async function measure(turn: number): Promise<Round> {
    const round: Round = { quiet: [], rebuild: [], spin: [], counts: true }
    for (const index of NAMES.keys()) {
      // The slice after the rebuilds meets their after-effects: rotate the order.
      const name = NAMES[(index + turn) % NAMES.length] ?? 'quiet'
      let over = false
      const work = works[name](() => over)
      const before = processorTimes()
      round[name] = await reads(seconds)
      const { idle, stolen } = sharesOf(before, processorTimes())
      if (stolen > MAX_STOLEN || (name === 'quiet' && idle < MIN_IDLE)) round.counts = false
      over = true
      await work
    }
    return round
  }

  await reads(WARM_UP_SECONDS)
  const rounds: Round[] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) rounds.push(await measure(turn))
  show(report, rounds)
}

function show(report: Report, rounds: readonly Round[]): void {
  const counted = rounds.filter(({ counts }) => counts)
  const verdict = counted.length < MIN_ROUNDS ? ': VOID' : ''
  report.text(`${counted.length} of ${rounds.length} rounds had the machine to themselves${verdict}`)
  const overall = (name: (typeof NAMES)[number]) =>
    at(
      counted.flatMap((round) => round[name]),
      0.99,
    )
  const inPairs = (name: (typeof NAMES)[number]) =>
    at(
      counted.map((round) => at(round[name], 0.99) / at(round.quiet, 0.99)),
      0.5,
    )
  const figures = NAMES.map((name) => `${name} ${overall(name).toFixed(1)} ms`).join(', ')
  report.text(`p99 of other clinics’ reads: ${figures}`)
  report.below('p99 of other clinics’ reads, during ÷ without rebuilds', overall('rebuild') / overall('quiet'), 1.5)
  report.ratio('  median of the rounds', inPairs('rebuild'))
  report.ratio('the same beside a backend that only spins', overall('spin') / overall('quiet'))
  report.ratio('  median of the rounds', inPairs('spin'))
}

/**
 * Of all cores: user, nice, system, idle, waiting, two kinds of interrupts, stolen. Undefined where the system does
 * not report them.
 */
function processorTimes(): number[] {
  const [line = ''] = existsSync(PROCESSOR_TIMES) ? readFileSync(PROCESSOR_TIMES, 'utf8').split('\n') : []
  return line.trim().split(/ +/).slice(1, 9).map(Number)
}

function sharesOf(before: readonly number[], after: readonly number[]): { idle: number; stolen: number } {
  const spent = after.map((value, index) => value - (before[index] ?? 0))
  const all = spent.reduce((sum, one) => sum + one, 0)
  return all === 0 ? { idle: 1, stolen: 0 } : { idle: (spent[3] ?? 0) / all, stolen: (spent[7] ?? 0) / all }
}
