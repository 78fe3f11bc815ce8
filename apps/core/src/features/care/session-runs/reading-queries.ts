import type { List, RunAnalytics, RunSummary } from '@tendon/contracts'
import { CLINIC, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { EndOfExercise } from './done.ts'
import { EVENT_COLUMNS } from './queries.ts'
import type { StoredPainReport } from './recording-queries.ts'

const COLUMNS = [
  'session_runs.id',
  'session_runs.organization_id',
  'session_runs.patient_profile_id',
  'session_runs.status',
  'session_runs.started_at',
  'session_runs.ended_at',
  'session_runs.last_event_at',
] as const

export type RunRow = Pick<RunSummary, 'id' | 'status' | 'started_at' | 'ended_at' | 'last_event_at'> & {
  organization_id: string
  patient_profile_id: string
  exercises_total: number
}

const selectRuns = (tx: TenantTx) =>
  tx
    .selectFrom('session_runs')
    .select(COLUMNS)
    .select(sql<number>`cardinality(session_runs.session_exercise_ids)`.as('exercises_total'))

const page = { newest: 'session_runs.started_at', id: 'session_runs.id' }

/** One's own, at every clinic where one is a patient. */
export async function listMyRuns(tx: TenantTx, list: List) {
  const query = selectRuns(tx)
    .where(sql<boolean>`session_runs.patient_profile_id = any(current_app_profile_ids())`)
    .where(
      sql<boolean>`exists (select 1 from my_patient_records() p where p.organization_id = session_runs.organization_id
        and p.patient_profile_id = session_runs.patient_profile_id)`,
    )
  return readPage(query, list, page)
}

type Clinic = RunSummary['treatment_plan'] & { name: string; slug: string }

export async function findMyClinics(tx: TenantTx): Promise<Map<string, Omit<Clinic, 'title'>>> {
  const { rows } = await sql<Omit<Clinic, 'title'>>`
    select distinct organization_id as id, organization_name as name, organization_slug as slug
    from my_patient_records()`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Runs of the clinic in context. The filter is needed because policies also show callers their own runs at other clinics. */
const ofClinic = (tx: TenantTx) => selectRuns(tx).where('session_runs.organization_id', '=', CLINIC)

/** Lists runs of a patient, including those of linked records. */
export async function listRunsOf(tx: TenantTx, profileId: string, list: List) {
  const query = ofClinic(tx).where(
    sql<boolean>`session_runs.patient_profile_id = any(linked_profile_ids(${profileId}))`,
  )
  return readPage(query, list, page)
}

export type ClinicRun = RunRow & { patient: RunAnalytics['patient'] }

/** The run of a patient whom the caller may see. */
export async function findClinicRun(tx: TenantTx, runId: string): Promise<ClinicRun | undefined> {
  return ofClinic(tx)
    .innerJoin('patients', (join) =>
      join
        .onRef('patients.organization_id', '=', 'session_runs.organization_id')
        .onRef('patients.patient_profile_id', '=', 'session_runs.patient_profile_id'),
    )
    .select(
      sql<ClinicRun['patient']>`jsonb_build_object('id', patients.id,
        'name', patients.first_name || ' ' || patients.last_name)`.as('patient'),
    )
    .where('session_runs.id', '=', runId)
    .where(sql<boolean>`(patients.deleted_at is null or current_app_has_permission('data', 'view_deleted'))`)
    .executeTakeFirst()
}

type Of<Part> = Part & { run_id: string }
const byRun = <Part>(rows: readonly Of<Part>[]) => new Map(rows.map(({ run_id, ...part }) => [run_id, part]))

type RunId = Pick<RunRow, 'id' | 'organization_id'>

/** Each at its own clinic: a patient reads runs of several. */
function belongTo(runs: readonly RunId[], column: 'run_id' | 'session_run_id') {
  const organizationIds = [...new Set(runs.map(({ organization_id }) => organization_id))]
  const ids = runs.map(({ id }) => id)
  return sql`organization_id = any (${organizationIds}::uuid[]) and ${sql.ref(column)} = any (${ids}::uuid[])`
}

/** How the exercises of runs ended, by run. */
export async function findEnds(tx: TenantTx, runs: readonly RunId[]): Promise<Map<string, EndOfExercise[]>> {
  const { rows } = await sql<Of<EndOfExercise>>`
    select e.session_run_id as run_id, e.session_exercise_id, e.type, e.data, e.created_at,
      case when p.measured then p.repetitions end as measured_repetitions
    from (select * from session_run_events where ${belongTo(runs, 'session_run_id')}) e
    left join pose_session_metrics p on p.organization_id = e.organization_id and p.run_id = e.session_run_id
      and p.media_id = e.session_exercise_id::text
    where e.type in ('completed', 'skipped', 'abandoned')`.execute(tx)
  return Map.groupBy(rows, ({ run_id }) => run_id)
}

/** What belongs to runs, for their summaries. */
export async function findParts(tx: TenantTx, runs: readonly RunId[]) {
  const pain = sql<Of<RunSummary['pain']>>`
    select session_run_id as run_id, count(*) as reports, max(severity) as max_severity
    from pain_reports where ${belongTo(runs, 'session_run_id')} group by session_run_id`
  const feedback = sql<Of<NonNullable<RunSummary['feedback']>>>`
    select session_run_id as run_id, perceived_exertion, pain, comment, created_at, updated_at
    from session_feedback where ${belongTo(runs, 'session_run_id')}`
  const pose = sql<Of<NonNullable<RunSummary['pose']>>>`
    select run_id, count(*) filter (where measured) as exercises_measured,
      count(*) filter (where not measured) as exercises_not_measured, sum(repetitions)::integer as repetitions,
      sum(repetitions_to_target)::integer as repetitions_to_target, sum(not_visible_ms)::bigint as not_visible_ms,
      avg(range_mean_degrees) as range_mean_degrees, avg(confidence) filter (where measured) as confidence
    from pose_session_metrics where ${belongTo(runs, 'run_id')} group by run_id`
  const media = sql<Of<NonNullable<RunSummary['media']>>>`
    select run_id, is_complete, end_reason, started_at, ended_at, startup_ms, rebuffer_count, rebuffer_ms, rebuffer_pct,
      watch_seconds, unique_seconds, quality_switches, dropped_frame_pct, hidden_ms
    from media_session_metrics where ${belongTo(runs, 'run_id')}`
  const [ends, b, c, d, e] = await Promise.all([
    findEnds(tx, runs),
    pain.execute(tx),
    feedback.execute(tx),
    pose.execute(tx),
    media.execute(tx),
  ])
  return {
    ends,
    pain: byRun(b.rows),
    feedback: byRun(c.rows),
    pose: byRun(d.rows),
    media: byRun(e.rows),
  }
}

type Result = RunAnalytics['exercise_results'][number]
type OfMedia<Part> = Part & { media_id: string }

/** What happened to each exercise of a run, by its id. */
export async function findDetails(tx: TenantTx, runId: string) {
  const [events, pain, pose, repetitions, media] = await Promise.all([
    tx
      .selectFrom('session_run_events')
      .select(EVENT_COLUMNS)
      .where('organization_id', '=', CLINIC)
      .where('session_run_id', '=', runId)
      .orderBy('occurred_at')
      .orderBy('id')
      .execute(),
    sql<StoredPainReport>`
      select id, session_exercise_id, severity, action, note, warning_signs, client_event_id,
        coalesce(occurred_at, created_at) as occurred_at, created_at from pain_reports
      where organization_id = (select current_app_org_id()) and session_run_id = ${runId}
      order by created_at, id`.execute(tx),
    sql<OfMedia<NonNullable<Result['pose']>>>`
      select media_id, measured, reason, confidence, side, repetitions, repetitions_to_target, not_visible_ms,
        range_min_degrees, range_max_degrees, range_mean_degrees, tempo_seconds, symmetry, hold_seconds
      from pose_session_metrics where organization_id = (select current_app_org_id()) and run_id = ${runId}`.execute(
      tx,
    ),
    sql<OfMedia<Result['repetitions'][number]>>`
      select media_id, number, side, start_ms, peak_ms, end_ms, peak_degrees, range_degrees, tempo_seconds, hold_seconds,
        reached_target, feedback
      from pose_repetitions where organization_id = (select current_app_org_id()) and run_id = ${runId}
      order by media_id, number`.execute(tx),
    sql<OfMedia<NonNullable<Result['media']>>>`
      select media_id, watched_pct, started_at, ended_at, startup_ms, rebuffer_count, rebuffer_ms, rebuffer_pct,
        watch_seconds, unique_seconds, quality_switches, dropped_frame_pct, hidden_ms
      from media_item_metrics where organization_id = (select current_app_org_id()) and run_id = ${runId}`.execute(tx),
  ])
  return {
    events: Map.groupBy(events, (event) => event.session_exercise_id),
    pain: pain.rows,
    pose: new Map(pose.rows.map((row) => [row.media_id, row])),
    repetitions: Map.groupBy(repetitions.rows, (row) => row.media_id),
    media: new Map(media.rows.map((row) => [row.media_id, row])),
  }
}

interface StoredReplay {
  object_key: string
  bytes: number
  frame_count: number
  batch_count: number
}

export async function findReplay(tx: TenantTx, runId: string): Promise<StoredReplay | undefined> {
  return tx
    .selectFrom('replay_blobs')
    .select(['object_key', 'bytes', 'frame_count', 'batch_count'])
    .where('organization_id', '=', CLINIC)
    .where('run_id', '=', runId)
    .where('superseded_at', 'is', null)
    .orderBy('version', 'desc')
    .executeTakeFirst()
}
