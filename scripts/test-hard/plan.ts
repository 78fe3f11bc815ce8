import { randomFrom } from '@tendon/testing'
import { Temporal } from 'temporal-polyfill'

interface HardClock {
  name: string
  /** What the clocks of Node and PostgreSQL show when the tests begin. */
  startsAt: Date
}

export interface HardRun {
  clock: HardClock
  files: string[]
}

export const EIGHTHS = 8

/** The zone of most clinics in tests. */
const ZONE = 'Europe/Bucharest'
/** A run comes to the change while it tests. */
const LEAD_MINUTES = 5

/** The next ones: PostgreSQL starts from a copy with rows of today, which must not lie in the future. */
export function hardClocks(now: Date): HardClock[] {
  const monthEnd = new Date(now.getFullYear(), now.getMonth() + 1, 0, 23, 50)
  if (monthEnd < now) monthEnd.setMonth(monthEnd.getMonth() + 2, 0)
  return [{ name: '23:50 on the last day of a month', startsAt: monthEnd }, ...clockChanges(now)]
}

function clockChanges(now: Date): HardClock[] {
  let zoned = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(ZONE)
  return [1, 2].map(() => {
    const next = zoned.getTimeZoneTransition('next')
    if (next === null) throw new Error(`${ZONE} has no daylight saving time any more`)
    const isSummer = next.offsetNanoseconds > zoned.offsetNanoseconds
    zoned = next
    return {
      name: `the change to ${isSummer ? 'summer' : 'winter'} time in ${ZONE}`,
      startsAt: new Date(next.epochMilliseconds - LEAD_MINUTES * 60_000),
    }
  })
}

interface PlanOptions {
  files: readonly string[]
  clocks: readonly HardClock[]
  seed: number
  /** From 1 to 8; everything without it. */
  eighth?: number | undefined
}

/** Every file with every clock, or an eighth of these pairs; the files of each clock in an order of the seed. */
export function planHard({ files, clocks, seed, eighth }: PlanOptions): HardRun[] {
  const random = randomFrom(seed)
  return clocks.flatMap((clock, number) => {
    // With each clock another eighth of the files.
    const chosen = files.filter((_, index) => eighth === undefined || (index + number) % EIGHTHS === eighth - 1)
    return chosen.length === 0 ? [] : [{ clock, files: shuffled(chosen, random) }]
  })
}

function shuffled(files: readonly string[], random: () => number): string[] {
  return files
    .map((file) => ({ file, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file)
}
