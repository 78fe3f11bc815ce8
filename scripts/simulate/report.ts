import { percentile, type Service, type Tally } from './tally.ts'

const number = (value: number) => Math.round(value).toLocaleString('en')
const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${name} ${number(count)}`).join(', ')

export function progressOf(tally: Tally, sessions: number, seconds: number): string {
  const { mediaEvents, frames, refusals, problems } = tally
  const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0)
  return [
    `${Math.round(seconds)} s`,
    `${tally.sessions} of ${sessions} sessions`,
    `${number(mediaEvents)} events`,
    `${number(frames)} frames`,
    `${number(refused)} refusals`,
    `${number(problems.length)} problems`,
  ].join(' · ')
}

/** Lines for people; each begins with its topic. */
export function summaryOf(tally: Tally, seconds: number): string[] {
  const { endings, exercises, repetitions, refusals, problems } = tally
  const notMeasured = listed(exercises.notMeasured)
  const rows: [string, string][] = [
    [
      'sessions',
      `${tally.sessions}: ${endings.completed} completed, ${endings.left} left early, ${endings.pain} ended by pain`,
    ],
    ['time', `${seconds.toFixed(1)} s for ${number(tally.seconds)} s of sessions`],
    ['media events', `${number(tally.mediaEvents)} accepted`],
    [
      'pose frames',
      `${number(tally.frames)} accepted in ${number(tally.batches)} batches, ${number(tally.framesShed)} shed`,
    ],
    ['repetitions', `${number(repetitions.done)} done, ${number(repetitions.measured)} measured`],
    ['', `${exercises.exact} exercises exact, ${exercises.off} off; not measured: ${notMeasured || 'none'}`],
    ...(['core', 'media', 'pose'] as const).map((service): [string, string] => [
      `${service} answers`,
      timesOf(tally, service),
    ]),
    ['refusals', refusals.size === 0 ? 'none' : listed(refusals)],
    ...(refusals.has(RATE_LIMITED) ? [HINT] : []),
    ['readers', problems.length === 0 ? 'all acknowledged data can be read' : `${problems.length} problems`],
  ]
  return [
    ...rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`),
    ...problems.slice(0, PROBLEMS_SHOWN).map((problem) => `  - ${problem}`),
    ...(problems.length > PROBLEMS_SHOWN ? [`  - and ${problems.length - PROBLEMS_SHOWN} more`] : []),
  ]
}

const PROBLEMS_SHOWN = 20
const RATE_LIMITED = 'core: 429 rate_limited'
const HINT: [string, string] = [
  '',
  'requests exceeded a rate limit and had to wait; raise RATE_LIMIT_ENTRY_PER_MINUTE and RATE_LIMIT_ORGANIZATION_PER_MINUTE to avoid it',
]

function timesOf({ milliseconds }: Tally, service: Service): string {
  const all = milliseconds[service]
  return `p50 ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms (${number(all.length)})`
}
