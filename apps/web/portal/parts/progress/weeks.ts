import type { MyRunSummary } from '@tendon/sdk'
import { addDays, dayIn, mondayOf } from '#ui/format/dates.ts'

export type Run = Pick<MyRunSummary, 'started_at' | 'exercises' | 'repetitions' | 'pain' | 'feedback'>

export interface Week {
  /** The Monday of the week, as YYYY-MM-DD in the clinic's time zone. */
  monday: string
  /** Sessions with at least one completed exercise. */
  sessions: number
  /** Percentage of completed exercises; null without exercises. */
  completed: number | null
  /** The worst pain in reports and feedback; null when none was reported. */
  worst_pain: number | null
  /** Repetitions counted by the camera; null when none was measured. */
  measured: number | null
  /** Repetitions that the patient counted; null when none was reported. */
  tapped: number | null
}

/** The last weeks, oldest first, including weeks without a session. */
export function weeksOf(runs: readonly Run[], zone: string, now: number, count = 8): Week[] {
  const last = mondayOf(dayIn(zone, new Date(now)))
  return Array.from({ length: count }, (_, index) => {
    const monday = addDays(last, -7 * (count - 1 - index))
    return weekOf(
      monday,
      runs.filter(({ started_at }) => mondayOf(dayIn(zone, new Date(started_at))) === monday),
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
    sessions: runs.filter(({ exercises }) => exercises.completed > 0).length,
    completed: total === 0 ? null : Math.round((100 * sum(({ exercises }) => exercises.completed)) / total),
    worst_pain: known.length === 0 ? null : Math.max(...known),
    measured: sumOfKnown(runs.map(({ repetitions }) => repetitions.measured)),
    tapped: sumOfKnown(runs.map(({ repetitions }) => repetitions.tapped)),
  }
}

function sumOfKnown(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((one) => one !== null)
  return known.length === 0 ? null : known.reduce((total, one) => total + one, 0)
}
