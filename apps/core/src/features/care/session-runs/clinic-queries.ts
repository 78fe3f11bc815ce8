import type { ClinicRun, List } from '@tendon/contracts'
import { CLINIC, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { doneIn } from './done.ts'
import { findEnds } from './reading-queries.ts'

const EXERCISES = sql<string[]>`(
  select array_agg(e.exercise_name order by e.position) from session_run_exercises(array[session_runs.id]) e)`
const SESSION_TITLE = sql<string>`(
  select p.plan_session_title from session_run_plans(array[session_runs.id]) p)`
const REPLAY = sql<boolean>`exists (
  select 1 from replay_blobs b
  where b.organization_id = session_runs.organization_id and b.run_id = session_runs.id and b.superseded_at is null)`

/** -1 without a report, so that descending order puts the highest pain first. */
const PAIN = sql<{ pain: number }>`(
  select greatest(
    coalesce((select max(severity) from pain_reports where session_run_id = session_runs.id), -1),
    coalesce((select pain from session_feedback where session_run_id = session_runs.id), -1)) as pain)`

const WARNING = sql<{ warning: boolean }>`(
  select exists (select 1 from pain_reports
    where session_run_id = session_runs.id and cardinality(warning_signs) > 0) as warning)`

const INCOMPLETE = sql<{ incomplete: boolean | null }>`(select not media_session_metrics.is_complete as incomplete)`

/** Runs of the clinic's patients, without deleted patients. Default order: warning signs, worst pain, incomplete, newest. */
export async function listClinicRuns(
  tx: TenantTx,
  { filters: { patient_id, lead_specialist_id: leads, ...filters }, ...list }: List,
): Promise<{ rows: ClinicRun[]; total: number }> {
  let query = tx
    .selectFrom('session_runs')
    .innerJoin('patients', (join) =>
      join
        .onRef('patients.organization_id', '=', 'session_runs.organization_id')
        .onRef('patients.patient_profile_id', '=', 'session_runs.patient_profile_id'),
    )
    .leftJoin('media_session_metrics', (join) =>
      join
        .onRef('media_session_metrics.organization_id', '=', 'session_runs.organization_id')
        .onRef('media_session_metrics.run_id', '=', 'session_runs.id'),
    )
    .innerJoinLateral(PAIN.as('worst'), (join) => join.onTrue())
    .innerJoinLateral(WARNING.as('signs'), (join) => join.onTrue())
    .innerJoinLateral(INCOMPLETE.as('telemetry'), (join) => join.onTrue())
    .select([
      'session_runs.id',
      'session_runs.organization_id',
      'session_runs.treatment_plan_id',
      'session_runs.plan_session_id',
      'session_runs.status',
      'session_runs.started_at',
      'session_runs.ended_at',
      'session_runs.last_event_at',
      sql<number>`cardinality(session_runs.session_exercise_ids)`.as('exercises_total'),
    ])
    .select([
      sql<ClinicRun['patient']>`jsonb_build_object('id', patients.id,
        'name', patients.first_name || ' ' || patients.last_name)`.as('patient'),
      SESSION_TITLE.as('session_title'),
      EXERCISES.as('exercise_names'),
      sql<number | null>`nullif(worst.pain, -1)`.as('worst_pain'),
      'signs.warning',
      'telemetry.incomplete',
      REPLAY.as('replay_available'),
    ])
    .where('session_runs.organization_id', '=', CLINIC)
    .where('patients.deleted_at', 'is', null)
  if (patient_id) query = query.where(sql<boolean>`patients.id = any(with_linked_patients(${patient_id}::uuid[]))`)
  if (leads) query = query.where(sql<boolean>`patients.lead_specialist_id = any(${leads}::uuid[])`)
  const page = await readPage(
    query,
    { ...list, filters },
    {
      id: 'session_runs.id',
      newest: 'session_runs.started_at',
      first: [sql`signs.warning desc`, sql`worst.pain desc`, sql`coalesce(media_session_metrics.is_complete, true)`],
      columns: {
        status: 'session_runs.status',
        treatment_plan_id: 'session_runs.treatment_plan_id',
        plan_session_id: 'session_runs.plan_session_id',
        worst_pain: 'worst.pain',
        incomplete: 'telemetry.incomplete',
        started_at: 'session_runs.started_at',
        ended_at: 'session_runs.ended_at',
      },
    },
  )
  const ends = await findEnds(tx, page.rows)
  const rows = page.rows.map(({ exercises_total, ...row }) => {
    const { exercises, repetitions } = doneIn({ ...row, exercises_total }, ends.get(row.id) ?? [])
    return { ...row, exercises, repetitions }
  })
  return { rows, total: page.total }
}
