import type { SegmentDefinition } from '@tendon/contracts'
import { type RowOf, type TenantTx, UNNAMED } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { ACTIVE_PATIENTS } from './matching-queries.ts'

// The evaluation of segments, which runs with every right.
//
// A full evaluation is one statement: it finds who matches, and writes what differs from the members there are. Readers see
// the members before it or after it, never between. Its lock on the segment is exclusive; the evaluation of one patient
// shares it, and leaves out a segment that is being rebuilt. Both read rules and patients after they have their locks, so
// that the last writer has read last: no older evaluation overwrites a newer one.

interface EvaluatedSegment extends SegmentDefinition {
  id: string
  name: string
}

/** How long to wait for a running evaluation of the segment, and for each statement. */
export interface Times {
  lockWaitMs: number
  timeoutMs: number
}

// Why somebody is no longer a member, for events.
const PATIENT_DELETED = 'patient_deleted'
const PROCESSING_RESTRICTED = 'processing_restricted'
const NO_LONGER_MATCHES = 'no_longer_matches'

const lockOf = (kind: string, id: RawBuilder<unknown>) => sql`hashtextextended(${kind} || ${id}::text, 0)`

export async function findZone(tx: TenantTx): Promise<string> {
  const { time_zone } = await tx.selectFrom('organizations').select('time_zone').executeTakeFirstOrThrow()
  return time_zone
}

/**
 * For statements over all patients of a clinic. How many a rule lets in cannot be foreseen: with 20,000 patients a rebuild
 * takes 19 times as long where the planner may guess nested loops, and twice as long with JIT (PostgreSQL 15). In one
 * process, and on a bounded share of memory: other clinics read meanwhile.
 */
async function planForAll(tx: TenantTx, { lockWaitMs, timeoutMs }: Times): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true),
    set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('enable_nestloop', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true),
    set_config('jit', 'off', true)`.execute(tx)
}

/** The segment stays until the end of the transaction. False: it is gone. Before all other locks: a deletion waits for it. */
export async function holdSegment(tx: TenantTx, id: string): Promise<boolean> {
  return (await sql`select 1 from segments where id = ${id} for key share`.execute(tx)).rows.length > 0
}

/** Waits until nobody else evaluates the segment, then reads it. */
export async function lockSegment(tx: TenantTx, id: string, times: Times): Promise<EvaluatedSegment | undefined> {
  await planForAll(tx, times)
  if (!(await holdSegment(tx, id))) return undefined
  await sql`select pg_advisory_xact_lock(${lockOf('segment ', sql`${id}`)})`.execute(tx)
  const { rows } =
    await sql<EvaluatedSegment>`select id, name, match_mode, rules from segments where id = ${id}`.execute(tx)
  return rows[0]
}

/** Locks the patient, and the segments that nobody rebuilds just now; how many others there are. */
export async function lockPatient(tx: TenantTx, patientId: string): Promise<{ free: string[]; left: number }> {
  const { rows: tried } = await sql<{ id: string; free: boolean }>`
    with locked as materialized (select pg_advisory_xact_lock(${lockOf('segments of ', sql`${patientId}`)}))
    select s.id, pg_try_advisory_xact_lock_shared(${lockOf('segment ', sql`s.id`)}) as free
    from locked, segments s where s.organization_id = (select current_app_org_id())`.execute(tx)
  const free = tried.filter((one) => one.free).map(({ id }) => id)
  return { free, left: tried.length - free.length }
}

/** Read after they are locked. Member rows are not locked: an unchanged membership writes nothing. */
export async function listEvaluatedSegments(tx: TenantTx, ids: readonly string[]): Promise<EvaluatedSegment[]> {
  const { rows } = await sql<EvaluatedSegment>`
    select id, name, match_mode, rules from segments where id = any(${ids}::uuid[])`.execute(tx)
  return rows
}

export async function listSegmentIds(tx: TenantTx, patientId: string): Promise<string[]> {
  const { rows } = await sql<{ segment_id: string }>`
    select segment_id from segment_members
    where organization_id = (select current_app_org_id()) and patient_id = ${patientId}`.execute(tx)
  return rows.map(({ segment_id }) => segment_id)
}

interface EvaluatedPatient extends RowOf<'patients', 'id' | 'patient_profile_id'> {
  /** Why no rule can match them. */
  barred: string | null
}

export async function findEvaluatedPatient(tx: TenantTx, id: string): Promise<EvaluatedPatient | undefined> {
  const { rows } = await sql<EvaluatedPatient>`
    select id, patient_profile_id, case when deleted_at is not null then ${PATIENT_DELETED}
      when restricted_at is not null then ${PROCESSING_RESTRICTED} end as barred
    from patients where organization_id = (select current_app_org_id()) and id = ${id}`.execute(tx)
  return rows[0]
}

/** Makes `matching` the members of the segment, with an event for each one who joined or left. */
export async function replaceMembers(
  tx: TenantTx,
  segment: EvaluatedSegment,
  matching: RawBuilder<unknown>,
  now: Date,
): Promise<{ added: number; removed: number }> {
  const matchedAt = now.toISOString()
  const told = sql`'segment_id', ${segment.id}::uuid, 'segment_name', ${segment.name}::text, 'patient_id', patient_id`
  const { rows } = await sql<{ added: number; removed: number }>`${sql.raw(UNNAMED)}
    with matching as (${matching}),
    removed as (
      delete from segment_members m
      where m.segment_id = ${segment.id} and not exists (select 1 from matching where matching.id = m.patient_id)
      returning m.patient_id),
    added as (
      insert into segment_members (segment_id, patient_id, matched_at)
      select ${segment.id}, matching.id, ${matchedAt} from matching
      where not exists (select 1 from segment_members m where m.segment_id = ${segment.id} and m.patient_id = matching.id)
      order by matching.id
      returning patient_id),
    told as (
      insert into outbox_events (type, payload)
      select 'segment.member.added', jsonb_build_object(${told}, 'matched_at', ${matchedAt}::text) from added
      union all
      select 'segment.member.removed', jsonb_build_object(${told}, 'reason',
        case when p.deleted_at is not null then ${PATIENT_DELETED} when p.restricted_at is not null then ${PROCESSING_RESTRICTED}
          else ${NO_LONGER_MATCHES} end)
      from removed join patients p on p.id = patient_id)
    select (select count(*) from added) as added, (select count(*) from removed) as removed`.execute(tx)
  return rows[0] ?? { added: 0, removed: 0 }
}

/** Puts the patient into segments and takes them out of others, but for those deleted meanwhile. Events tell of it. */
export async function movePatient(
  tx: TenantTx,
  patient: EvaluatedPatient,
  { added_to, removed_from }: { added_to: readonly string[]; removed_from: readonly string[] },
  now: Date,
): Promise<{ added_to: string[]; removed_from: string[] }> {
  const matchedAt = now.toISOString()
  const told = sql`'segment_id', s.id, 'segment_name', s.name, 'patient_id', ${patient.id}::uuid`
  const { rows } = await sql<{ came: boolean; segment_id: string }>`
    with held as materialized (select id from segments where id = any(${added_to}::uuid[]) for key share),
    removed as (
      delete from segment_members where organization_id = (select current_app_org_id()) and patient_id = ${patient.id}
        and segment_id = any(${removed_from}::uuid[])
      returning segment_id),
    added as (
      insert into segment_members (segment_id, patient_id, matched_at)
      select id, ${patient.id}, ${matchedAt} from held returning segment_id),
    told as (
      insert into outbox_events (type, payload)
      select 'segment.member.added', jsonb_build_object(${told}, 'matched_at', ${matchedAt}::text)
      from added join segments s on s.id = segment_id
      union all
      select 'segment.member.removed', jsonb_build_object(${told}, 'reason', ${patient.barred ?? NO_LONGER_MATCHES}::text)
      from removed join segments s on s.id = segment_id)
    select true as came, segment_id from added union all select false, segment_id from removed`.execute(tx)
  const idsOf = (those: typeof rows) => those.map(({ segment_id }) => segment_id)
  return { added_to: idsOf(rows.filter(({ came }) => came)), removed_from: idsOf(rows.filter(({ came }) => !came)) }
}

/** How many match, and some of them. */
export async function previewMatching(tx: TenantTx, matching: RawBuilder<unknown>, sample: number, times: Times) {
  await planForAll(tx, times)
  const { rows } = await sql<{
    count: number
    sample: { patient_id: string; name: string; email: string | null }[]
  }>`${sql.raw(UNNAMED)}
    with matching as (${matching}),
    sample as (
      select p.id as patient_id, p.first_name || ' ' || p.last_name as name, p.email
      from matching join patients p using (id) where ${ACTIVE_PATIENTS} order by p.id desc limit ${sample})
    select (select count(*) from matching) as count, coalesce((select jsonb_agg(s) from sample s), '[]') as sample`.execute(
    tx,
  )
  return rows[0] ?? { count: 0, sample: [] }
}
