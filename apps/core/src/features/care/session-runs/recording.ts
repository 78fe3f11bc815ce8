import type { ExerciseEvent, NewExerciseEvent, NewPainReport, PainReport } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { rateLimited, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { sessionRunEnded } from './errors.ts'
import type { OwnRun } from './queries.ts'
import {
  findEvent,
  findOutcome,
  findPainReport,
  findWait,
  insertEvent,
  insertPainReport,
  type StoredPainReport,
  touchRun,
} from './recording-queries.ts'
import { bandOf, EXERCISE_EVENTS_PER_HOUR, isRunning, PAIN_REPORTS_PER_HOUR } from './rules.ts'
import { endRun, record, refuseWithdrawn } from './run.ts'

/** The stored event: the one sent, the one sent earlier under this id, or the existing end of the exercise. */
export async function recordEvent(
  request: FastifyRequest,
  tx: TenantTx,
  run: OwnRun,
  event: NewExerciseEvent,
): Promise<ExerciseEvent> {
  const known = await findEvent(tx, run.id, event.client_event_id)
  if (known) return known
  refuseForeign(run, event.session_exercise_id)
  refuseContradiction(event)
  await refuseWithdrawn(tx, run, event.occurred_at)
  if (!isRunning(run)) throw sessionRunEnded({ status: run.status })
  refuseTooMany(await findWait(tx, 'session_run_events', run.id, EXERCISE_EVENTS_PER_HOUR))
  const recorded = await insertEvent(tx, run, event)
  if (!recorded) return (await findOutcome(tx, run.id, event.session_exercise_id)) ?? missing()
  await touchRun(tx, run.id)
  const changes = [{ field: 'exercise_event', before: null, after: recorded }]
  await record.eventRecorded(request, tx, run, { changes })
  return recorded
}

/**
 * Pain is written down whatever the state of the run: a report may arrive after its end. Skipping and ending are done to a
 * run in progress.
 */
export async function reportPain(
  request: FastifyRequest,
  tx: TenantTx,
  run: OwnRun,
  report: NewPainReport,
): Promise<PainReport> {
  const { client_event_id, session_exercise_id, action } = report
  const known = client_event_id ? await findPainReport(tx, run.id, client_event_id) : undefined
  if (known) return withBand(known)
  if (session_exercise_id) refuseForeign(run, session_exercise_id)
  await refuseWithdrawn(tx, run, report.occurred_at)
  refuseTooMany(await findWait(tx, 'pain_reports', run.id, PAIN_REPORTS_PER_HOUR))
  const recorded = withBand(await insertPainReport(tx, run, report))
  await touchRun(tx, run.id)
  const changes = [{ field: 'pain_report', before: null, after: recorded }]
  const { id: pain_report_id, session_exercise_id: exercise, band } = recorded
  const payload = {
    pain_report_id,
    session_exercise_id: exercise,
    severity_band: band,
    warning: recorded.warning_signs.length > 0,
  }
  await record.painReported(request, tx, run, { changes, payload })
  if (isRunning(run) && action === 'skip_exercise' && session_exercise_id)
    await insertEvent(tx, run, { session_exercise_id, type: 'skipped', client_event_id: null })
  if (isRunning(run) && action === 'end_session') await endRun(request, tx, run, 'ended_explicit')
  return recorded
}

const withBand = (report: StoredPainReport): PainReport => ({ ...report, band: bandOf(report.severity) })

/** The same refusal for an exercise of another run and for one that does not exist. */
function refuseForeign(run: OwnRun, sessionExerciseId: string): void {
  if (run.session_exercise_ids.includes(sessionExerciseId.toLowerCase())) return
  throw validationFailed({ fields: { session_exercise_id: 'must be an exercise of this run (see its payload)' } })
}

/** Every reader shows both numbers. */
function refuseContradiction({
  data: { repetitions_completed: all, repetitions_tapped: tapped = 0 } = {},
}: NewExerciseEvent): void {
  if (all === undefined || tapped <= all) return
  throw validationFailed({ fields: { 'data.repetitions_tapped': 'must not be more than repetitions_completed' } })
}

function refuseTooMany(waitSeconds: number | undefined): void {
  if (waitSeconds !== undefined) throw rateLimited({}, { 'retry-after': String(waitSeconds) })
}

function missing(): never {
  throw new Error('an event conflicts with none')
}
