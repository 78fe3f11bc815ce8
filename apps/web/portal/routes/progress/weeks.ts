import type { MyRunSummary } from '@tendon/sdk'

export type Run = Pick<MyRunSummary, 'started_at' | 'exercises' | 'pain' | 'feedback' | 'pose'>

export interface Week {
  /** The Monday of the week, as YYYY-MM-DD in the clinic's time zone. */
  monday: string
  sessions: number
  /** Percentage of completed exercises; null without exercises. */
  completed: number | null
  /** The worst pain in reports and feedback; null when none was reported. */
  worst_pain: number | null
  /** Repetitions counted by the camera. */
  repetitions: number
}

const DAY_MS = 86_400_000

/** Today's date in a time zone. */
export const dateIn = (instant: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(instant)

export function mondayOf(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7
  return new Date(time - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}

/** The last weeks, oldest first, including weeks without a session. */
export function weeksOf(runs: readonly Run[], zone: string, now: number, count = 8): Week[] {
  const last = Date.parse(`${mondayOf(dateIn(now, zone))}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) => {
    const monday = new Date(last - (count - 1 - index) * 7 * DAY_MS).toISOString().slice(0, 10)
    return weekOf(
      monday,
      runs.filter(({ started_at }) => mondayOf(dateIn(Date.parse(started_at), zone)) === monday),
    )
  })
}

function weekOf(monday: string, runs: readonly Run[]): Week {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0)
  const total = sum(({ exercises }) => exercises.total)
  const pains = runs.flatMap(({ pain, feedback }) => [pain.max_severity, feedback?.pain ?? null])
  const known = pains.filter((pain) => pain !== null)
  return {
    monday,
    sessions: runs.length,
    completed: total === 0 ? null : Math.round((100 * sum(({ exercises }) => exercises.completed)) / total),
    worst_pain: known.length === 0 ? null : Math.max(...known),
    repetitions: sum(({ pose }) => pose?.repetitions ?? 0),
  }
}
