import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { BrokenRule } from './rules.ts'

// Requested full evaluations are rows; the job only wakes up a worker. A running evaluation holds
// the lock of its row: a row that is `running` and not locked was abandoned, and runs again.

const PATIENTS_PER_SECOND = 50_000
const RETENTION_DAYS = 30

/** The evaluation that waits for the segment: the one there is, or a new one. */
export async function queueEvaluation(tx: TenantTx, segmentId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into segment_evaluations (segment_id) values (${segmentId})
    on conflict (segment_id) where status = 'queued' do update set queued_at = segment_evaluations.queued_at
    returning id`.execute(tx)
  const [queued] = rows
  if (!queued) throw new Error('the evaluation was not queued')
  return queued.id
}

/** The segments that count from today and were last evaluated on another day, of all clinics. */
export async function listOutdatedSegments(tx: TenantTx, now: Date) {
  const { rows } = await sql<{ organization_id: string; segment_id: string }>`
    select organization_id, segment_id from list_outdated_segments(${now.toISOString()})`.execute(tx)
  return rows
}

/** The clinics with evaluations that have waited or run since before this time, and that started none since. */
export async function listWaitingClinics(tx: TenantTx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from list_waiting_evaluations(${before.toISOString()})`.execute(tx)
  return rows.map(({ organization_id }) => organization_id)
}

/** In seconds: as long as it took the last time, else by the number of patients. */
export async function estimateSeconds(tx: TenantTx, segmentId: string): Promise<number> {
  const { rows } = await sql<{ ms: number | null; patients: number }>`
    select (select duration_ms from segment_evaluations where segment_id = ${segmentId} and status = 'completed'
        order by id desc limit 1) as ms,
      (select count(*) from patients where organization_id = (select current_app_org_id())) as patients`.execute(tx)
  const { ms = null, patients = 0 } = rows[0] ?? {}
  return Math.max(1, Math.ceil(ms === null ? patients / PATIENTS_PER_SECOND : ms / 1000))
}

export type StartedEvaluation = RowOf<'segment_evaluations', 'id' | 'segment_id' | 'attempts'>

/** Starts the next evaluation that nobody is at, but for those already tried. */
export async function startNextEvaluation(
  tx: TenantTx,
  tried: string[],
  now: Date,
): Promise<StartedEvaluation | undefined> {
  const { rows } = await sql<StartedEvaluation>`
    update segment_evaluations set status = 'running', started_at = ${now.toISOString()}, attempts = attempts + 1
    where id = (
      select id from segment_evaluations
      where organization_id = (select current_app_org_id()) and status in ('queued', 'running') and id <> all(${tried}::uuid[])
      order by id limit 1 for update skip locked)
    returning id, segment_id, attempts`.execute(tx)
  return rows[0]
}

/** False when somebody else is at it, or it is done. */
export async function lockEvaluation(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from segment_evaluations where id = ${id} and status = 'running' for update skip locked`.execute(tx)
  return rows.length > 0
}

/** For an evaluation that was not queued because the caller waits for it. */
export async function insertRunningEvaluation(tx: TenantTx, segmentId: string, now: Date): Promise<string> {
  const { id } = await tx
    .insertInto('segment_evaluations')
    .values({ segment_id: segmentId, status: 'running', started_at: now.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Old ones go. */
export async function completeEvaluation(
  tx: TenantTx,
  id: string,
  { added, removed }: { added: number; removed: number },
  now: Date,
  durationMs: number,
): Promise<void> {
  await sql`
    update segment_evaluations set status = 'completed', completed_at = ${now.toISOString()},
      duration_ms = ${Math.round(durationMs)}, members_added = ${added}, members_removed = ${removed}, failure = null
    where id = ${id}`.execute(tx)
  await sql`
    delete from segment_evaluations e using segment_evaluations done
    where done.id = ${id} and e.segment_id = done.segment_id and e.status in ('completed', 'failed')
      and e.completed_at < ${now.toISOString()}::timestamptz - make_interval(days => ${RETENTION_DAYS})`.execute(tx)
}

export async function failEvaluation(
  tx: TenantTx,
  id: string,
  failure: BrokenRule | { failing_rule: null; error: string },
  now: Date,
): Promise<void> {
  await sql`
    update segment_evaluations set status = 'failed', completed_at = ${now.toISOString()},
      failure = ${JSON.stringify(failure)}::jsonb
    where id = ${id} and status = 'running'`.execute(tx)
}

/** Claims the fresh evaluation that a segment gets in this time: 0, or the seconds until the next. Undefined: it is gone. */
export async function claimFreshEvaluation(
  tx: TenantTx,
  segmentId: string,
  now: Date,
  everyMs: number,
): Promise<number | undefined> {
  const claimed = await sql`
    update segments set fresh_asked_at = ${now.toISOString()}
    where id = ${segmentId}
      and coalesce(fresh_asked_at, '-infinity') <= ${new Date(now.getTime() - everyMs).toISOString()}::timestamptz`.execute(
    tx,
  )
  if (claimed.numAffectedRows === 1n) return 0
  const { rows } = await sql<{ left_ms: number }>`
    select extract(epoch from fresh_asked_at - ${now.toISOString()}::timestamptz)::float8 * 1000 + ${everyMs} as left_ms
    from segments where id = ${segmentId}`.execute(tx)
  return rows[0] && Math.max(1, Math.ceil(rows[0].left_ms / 1000))
}

/** When all members were last found. */
export async function findEvaluatedAt(tx: TenantTx, segmentId: string): Promise<string | null> {
  const { rows } = await sql<{ completed_at: string }>`
    select completed_at from segment_evaluations where segment_id = ${segmentId} and status = 'completed'
    order by id desc limit 1`.execute(tx)
  return rows[0]?.completed_at ?? null
}
