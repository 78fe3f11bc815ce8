import type { SegmentDefinition } from '@tendon/contracts'
import { type TenantTx, UNNAMED } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { LIVING } from './matching-queries.ts'

// The evaluation of segments, which runs with every right.
//
// A full evaluation is one statement: it finds who matches, and writes what differs from the members there are. Readers see
// the members before it or after it, never between. Its lock on the segment is exclusive; whoever evaluates one patient
// shares it, and leaves out a segment that is being rebuilt. Both read rules and patients after they have their locks, so
// that whoever writes last has read last: no older evaluation overwrites a newer one.

export interface EvaluatedSegment extends SegmentDefinition {
  id: string
  name: string
}

/** How long to wait for whoever evaluates the segment already, and for each statement. */
export interface Times {
  lockWaitMs: number
  timeoutMs: number
}

// Why somebody is no longer a member, as events tell it.
const PATIENT_DELETED = 'patient_deleted'
const PROCESSING_RESTRICTED = 'processing_restricted'
const NO_LONGER_MATCHES = 'no_longer_matches'

const lockOf = (kind: string, id: RawBuilder<unknown>) => sql`hashtextextended(${kind} || ${id}::text, 0)`

export async function findZone(tx: TenantTx): Promise<string> {
  const { time_zone } = await tx.selectFrom('organizations').select('time_zone').executeTakeFirstOrThrow()
  return time_zone
}

/** The segment stays until the end of the transaction. False: it is gone. Before all other locks: a deletion waits for it. */
export async function holdSegment(tx: TenantTx, id: string): Promise<boolean> {
  return (await sql`select 1 from segments where id = ${id} for key share`.execute(tx)).rows.length > 0
}

/** Waits until nobody else evaluates the segment, then reads it. */
export async function lockSegment(tx: TenantTx, id: string, times: Times): Promise<EvaluatedSegment | undefined> {
  await sql`select set_config('lock_timeout', ${String(times.lockWaitMs)}, true),
    set_config('statement_timeout', ${String(times.timeoutMs)}, true), set_config('jit', 'off', true)`.execute(tx)
  if (!(await holdSegment(tx, id))) return undefined
  await sql`select pg_advisory_xact_lock(${lockOf('segment ', sql`${id}`)})`.execute(tx)
  const { rows } =
    await sql<EvaluatedSegment>`select id, name, match_mode, rules from segments where id = ${id}`.execute(tx)
  return rows[0]
}

/** The segments that nobody rebuilds just now, and how many others there are. They are read only after they are locked. */
export async function lockFreeSegments(tx: TenantTx, patientId: string) {
  await sql`select pg_advisory_xact_lock(${lockOf('segments of ', sql`${patientId}`)})`.execute(tx)
  const { rows: tried } = await sql<{ id: string; free: boolean }>`
    select s.id, pg_try_advisory_xact_lock_shared(${lockOf('segment ', sql`s.id`)}) as free
    from segments s where s.organization_id = current_app_org_id()`.execute(tx)
  const free = tried.filter((one) => one.free).map(({ id }) => id)
  const { rows: segments } = await sql<EvaluatedSegment>`
    select id, name, match_mode, rules from segments where id = any(${free}::uuid[]) order by id for key share`.execute(
    tx,
  )
  return { segments, left: tried.length - free.length }
}

export interface EvaluatedPatient {
  id: string
  patient_profile_id: string
  /** Why no rule can let them in. */
  barred: string | null
}

export async function findEvaluatedPatient(tx: TenantTx, id: string): Promise<EvaluatedPatient | undefined> {
  const { rows } = await sql<EvaluatedPatient>`
    select id, patient_profile_id, case when deleted_at is not null then ${PATIENT_DELETED}
      when restricted_at is not null then ${PROCESSING_RESTRICTED} end as barred
    from patients where organization_id = current_app_org_id() and id = ${id}`.execute(tx)
  return rows[0]
}

/** Makes `matching` the members of the segment. Events tell of those who came and went. */
export async function replaceMembers(
  tx: TenantTx,
  segment: EvaluatedSegment,
  matching: RawBuilder<unknown>,
  now: Date,
): Promise<{ added: number; removed: number }> {
  const matchedAt = now.toISOString()
  const told = sql`'segment_id', ${segment.id}::uuid, 'segment_name', ${segment.name}::text, 'patient_id', patient_id`
  const { rows } = await sql<{ added: number; removed: number }>`${sql.raw(UNNAMED)}
    with matching as materialized (${matching}),
    removed as (
      delete from segment_members m
      where m.segment_id = ${segment.id} and not exists (select 1 from matching where matching.id = m.patient_id)
      returning m.patient_id),
    added as (
      insert into segment_members (segment_id, patient_id, matched_at)
      select ${segment.id}, matching.id, ${matchedAt} from matching
      where not exists (select 1 from segment_members m where m.segment_id = ${segment.id} and m.patient_id = matching.id)
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

/** Of the evaluated segments the patient is in the matching ones, and no others. */
export async function placePatient(
  tx: TenantTx,
  patient: EvaluatedPatient,
  segments: { evaluated: string[]; matching: string[] },
  now: Date,
): Promise<{ added_to: string[]; removed_from: string[] }> {
  const matchedAt = now.toISOString()
  const told = sql`'segment_id', s.id, 'segment_name', s.name, 'patient_id', ${patient.id}::uuid`
  const { rows } = await sql<{ added_to: string[]; removed_from: string[] }>`
    with removed as (
      delete from segment_members where organization_id = current_app_org_id() and patient_id = ${patient.id}
        and segment_id = any(${segments.evaluated}::uuid[]) and segment_id <> all(${segments.matching}::uuid[])
      returning segment_id),
    added as (
      insert into segment_members (segment_id, patient_id, matched_at)
      select unnest(${segments.matching}::uuid[]), ${patient.id}, ${matchedAt} on conflict do nothing
      returning segment_id),
    told as (
      insert into outbox_events (type, payload)
      select 'segment.member.added', jsonb_build_object(${told}, 'matched_at', ${matchedAt}::text)
      from added join segments s on s.id = segment_id
      union all
      select 'segment.member.removed', jsonb_build_object(${told}, 'reason', ${patient.barred ?? NO_LONGER_MATCHES}::text)
      from removed join segments s on s.id = segment_id)
    select array(select segment_id from added order by 1) as added_to,
      array(select segment_id from removed order by 1) as removed_from`.execute(tx)
  return rows[0] ?? { added_to: [], removed_from: [] }
}

/** How many match, and some of them. */
export async function previewMatching(tx: TenantTx, matching: RawBuilder<unknown>, sample: number) {
  const { rows } = await sql<{
    count: number
    sample: { patient_id: string; name: string; email: string | null }[]
  }>`${sql.raw(UNNAMED)}
    with matching as materialized (${matching}),
    sample as (
      select p.id as patient_id, p.first_name || ' ' || p.last_name as name, p.email
      from matching join patients p using (id) where ${LIVING} order by p.id desc limit ${sample})
    select (select count(*) from matching) as count, coalesce((select jsonb_agg(s) from sample s), '[]') as sample`.execute(
    tx,
  )
  return rows[0] ?? { count: 0, sample: [] }
}
