import type { EvaluationStatus, NewSegment, Segment, SegmentMember, SegmentVersion } from '@tendon/contracts'
import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { ACTIVE_PATIENTS } from './matching-queries.ts'
import { followsCalendar } from './rules.ts'

const COLUMNS = [
  'id',
  'organization_id',
  'name',
  'description',
  'match_mode',
  'rules',
  'version',
  'created_at',
  'updated_at',
] as const

const MEMBER_NAME = sql<string>`p.first_name || ' ' || p.last_name`

const row = ({ rules, description = '', ...values }: NewSegment) => ({
  ...values,
  description,
  rules: JSON.stringify(rules),
  follows_calendar: followsCalendar(rules),
})

export async function listSegments(tx: TenantTx): Promise<Segment[]> {
  return tx.selectFrom('segments').select(COLUMNS).orderBy('name').orderBy('id').execute()
}

export async function findSegment(tx: TenantTx, id: string): Promise<Segment | undefined> {
  return tx.selectFrom('segments').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locked, then read, so that versions have no gaps or duplicates. */
export async function findSegmentForUpdate(tx: TenantTx, id: string): Promise<Segment | undefined> {
  await sql`select 1 from segments where id = ${id} for no key update`.execute(tx)
  return findSegment(tx, id)
}

/** With its first version. */
export async function insertSegment(tx: TenantTx, details: NewSegment): Promise<Segment> {
  const created = await tx.insertInto('segments').values(row(details)).returning(COLUMNS).executeTakeFirstOrThrow()
  await insertVersion(tx, created.id, created.version, details)
  return created
}

/** Inserts the next version; earlier versions stay readable. */
export async function updateSegment(tx: TenantTx, { id }: Segment, details: NewSegment): Promise<Segment> {
  const updated = await tx
    .updateTable('segments')
    .set(row(details))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  await insertVersion(tx, id, updated.version, details)
  return updated
}

async function insertVersion(tx: TenantTx, segmentId: string, version: number, details: NewSegment): Promise<void> {
  const { match_mode, rules } = details
  await tx
    .insertInto('segment_versions')
    .values({ segment_id: segmentId, version, match_mode, rules: JSON.stringify(rules) })
    .execute()
}

/** With its versions, members and evaluations. Waits for a running evaluation without holding locks that it needs. */
export async function deleteSegment(tx: TenantTx, id: string): Promise<Segment | undefined> {
  return tx.deleteFrom('segments').where('id', '=', id).returning(COLUMNS).executeTakeFirst()
}

/** Newest first; `changed_by.name` only for people who still work at the clinic. */
export async function listVersions(tx: TenantTx, segmentId: string, version?: number): Promise<SegmentVersion[]> {
  const { rows } = await sql<SegmentVersion>`
    select v.segment_id, v.version, v.rules, v.match_mode, v.created_at,
      jsonb_build_object('id', v.changed_by_principal_id,
        'name', coalesce((select h.name from humans h where h.id = v.changed_by_principal_id),
          (select s.name from service_accounts s where s.id = v.changed_by_principal_id))) as changed_by
    from segment_versions v
    where v.segment_id = ${segmentId} and v.version = coalesce(${version ?? null}::integer, v.version)
    order by v.version desc`.execute(tx)
  return rows
}

export async function countMembers(tx: TenantTx, segmentId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from segment_members m join patients p on p.id = m.patient_id
    where m.segment_id = ${segmentId} and ${ACTIVE_PATIENTS}`.execute(tx)
  return rows[0]?.total ?? 0
}

/** The latest members first. */
export async function listMembers(tx: TenantTx, segmentId: string, page: number, perPage: number) {
  const [members, total] = await Promise.all([
    sql<SegmentMember>`
      select m.patient_id, ${MEMBER_NAME} as name, p.email, m.matched_at
      from segment_members m join patients p on p.id = m.patient_id
      where m.segment_id = ${segmentId} and ${ACTIVE_PATIENTS}
      order by m.matched_at desc, m.patient_id desc
      limit ${perPage} offset ${(page - 1) * perPage}`.execute(tx),
    countMembers(tx, segmentId),
  ])
  return { rows: members.rows, total }
}

export async function listSegmentsOfPatient(tx: TenantTx, patientId: string) {
  const { rows } = await sql<RowOf<'segments', 'id' | 'name' | 'description'> & RowOf<'segment_members', 'matched_at'>>`
    select s.id, s.name, s.description, m.matched_at
    from segment_members m join segments s on s.id = m.segment_id join patients p on p.id = m.patient_id
    where m.organization_id = (select current_app_org_id()) and m.patient_id = ${patientId} and ${ACTIVE_PATIENTS}
    order by s.name, s.id`.execute(tx)
  return rows
}

export async function isMember(tx: TenantTx, segmentId: string, patientId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('segment_members')
    .select('patient_id')
    .where('segment_id', '=', segmentId)
    .where('patient_id', '=', patientId)
    .executeTakeFirst()
  return found !== undefined
}

/** The last one that was asked for. */
export async function findEvaluation(tx: TenantTx, segmentId: string): Promise<EvaluationStatus | undefined> {
  const { rows } = await sql<EvaluationStatus>`
    select id as job_id, status, started_at, completed_at, duration_ms, members_added, members_removed,
      failure -> 'failing_rule' as failing_rule, failure ->> 'error' as error
    from segment_evaluations where segment_id = ${segmentId} order by id desc limit 1`.execute(tx)
  return rows[0]
}
