import type { RunAnalytics, RunSummary } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { doneIn, endOf, tappedIn } from './done.ts'
import { findPlansOfRuns, listExercisesOfRun } from './payload-queries.ts'
import { type ClinicRun, findDetails, findParts, findReplay, type RunRow } from './reading-queries.ts'
import { bandOf } from './rules.ts'

const NO_PAIN = { reports: 0, max_severity: null }

/** Runs with what belongs to them, in the same order. */
export async function summarise<Row extends RunRow>(tx: TenantTx, rows: readonly Row[]): Promise<(Row & RunSummary)[]> {
  const ids = rows.map(({ id }) => id)
  const [plans, parts] = await Promise.all([findPlansOfRuns(tx, ids), findParts(tx, rows)])
  return rows.map((row) => {
    const plan = plans.get(row.id)
    if (!plan) throw new Error(`the plan of run ${row.id} is missing`)
    return {
      ...row,
      treatment_plan: { id: plan.treatment_plan_id, title: plan.treatment_plan_title },
      program_id: plan.program_id,
      session: { id: plan.plan_session_id, title: plan.plan_session_title },
      ...doneIn(row, parts.ends.get(row.id) ?? []),
      pain: parts.pain.get(row.id) ?? NO_PAIN,
      feedback: parts.feedback.get(row.id) ?? null,
      pose: parts.pose.get(row.id) ?? null,
      media: parts.media.get(row.id) ?? null,
    }
  })
}

export async function analyse(tx: TenantTx, run: ClinicRun): Promise<RunAnalytics> {
  const [[summary], exercises, details, replay] = await Promise.all([
    summarise(tx, [run]),
    listExercisesOfRun(tx, run.id),
    findDetails(tx, run.id),
    findReplay(tx, run.id),
  ])
  if (!summary) throw new Error('a run has no summary')
  return {
    ...summary,
    incomplete: summary.media && !summary.media.is_complete,
    replay_available: replay !== undefined,
    pain_reports: details.pain.map((report) => ({ ...report, band: bandOf(report.severity) })),
    exercise_results: exercises.map((exercise) => {
      const id = exercise.session_exercise_id
      const events = details.events.get(id) ?? []
      const end = endOf(events)
      const pose = details.pose.get(id) ?? null
      return {
        ...exercise,
        outcome: outcomeOf(end?.type),
        repetitions_tapped: end ? tappedIn(end.data, pose?.measured ?? false) : null,
        events,
        pose,
        repetitions: details.repetitions.get(id) ?? [],
        media: details.media.get(id) ?? null,
      }
    }),
  }
}

type Result = RunAnalytics['exercise_results'][number]

const outcomeOf = (type: Result['events'][number]['type'] | undefined): Result['outcome'] =>
  type === 'completed' || type === 'skipped' || type === 'abandoned' ? type : null
