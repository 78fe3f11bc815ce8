import type { AttentionMark, AttentionMarkChange } from '@tendon/contracts'
import { asService, CLINIC, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { profilesOf } from './patient-queries.ts'

/** What the routes do as the service of the clinic. */
export const READING_ATTENTION = {
  codes: [
    'specialists.view_org',
    'services.view_org',
    'data.view_deleted',
    'patients.view_org',
    'treatment_plans.view_org',
    'session_runs.view_org',
    'appointments.view_org',
  ],
  why: 'Who sees plans also sees who does not exercise; who sees visits also sees the names of their service and specialist; members need no permission to know whose specialist they are.',
} as const
export const MARKING_ATTENTION = {
  codes: [...READING_ATTENTION.codes, 'patients.update'],
  why: `${READING_ATTENTION.why} Locks the patient, which needs the right to update the record.`,
} as const

const NAME = sql<string | null>`coalesce(
  (select h.name from humans h where h.id = attention_marks.marked_by_principal_id),
  (select s.name from service_accounts s where s.id = attention_marks.marked_by_principal_id))`

const marks = (tx: TenantTx) =>
  tx
    .selectFrom('attention_marks')
    .select(['key', 'state', 'until', 'marked_at', 'marked_by_principal_id', NAME.as('name')])
    .where('organization_id', '=', CLINIC)

type MarkRow = Awaited<ReturnType<ReturnType<typeof marks>['executeTakeFirstOrThrow']>>

const markOf = ({ state, until, marked_at, marked_by_principal_id, name }: MarkRow): AttentionMark => ({
  state,
  by: { id: marked_by_principal_id, name },
  at: marked_at,
  until,
})

const MAX_DONE = 100

/** What was done since this moment, the latest first. */
export async function listDoneMarks(tx: TenantTx, since: string): Promise<Map<string, AttentionMark>> {
  const rows = await marks(tx)
    .where('state', '=', 'done')
    .where('marked_at', '>=', since)
    .orderBy('marked_at', 'desc')
    .orderBy('key')
    .limit(MAX_DONE)
    .execute()
  return new Map(rows.map((row) => [row.key, markOf(row)]))
}

export async function findMark(tx: TenantTx, key: string): Promise<AttentionMark | undefined> {
  const row = await marks(tx).where('key', '=', key).executeTakeFirst()
  return row && markOf(row)
}

/** Serializes changes of one mark, so that each audit entry says what it replaces. */
export async function lockMark(tx: TenantTx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('attention ' || current_app_org_id() || ' ' || ${key}, 0))`.execute(
    tx,
  )
}

interface Marked {
  key: string
  patient_profile_id: string | null
}

export async function saveMark(
  tx: TenantTx,
  { key, patient_profile_id }: Marked,
  { state, until = null }: Omit<AttentionMarkChange, 'until'> & { until?: string | null | undefined },
  now: Date,
): Promise<void> {
  const values = { patient_profile_id, state, until, marked_at: now.toISOString() }
  await tx
    .insertInto('attention_marks')
    .values({ key, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'key'])
        .doUpdateSet({ ...values, marked_by_principal_id: sql<string>`current_app_principal_id()` }),
    )
    .execute()
}

/** Takes the lock that an erasure takes first. False: the patient is erased. */
export async function lockPatient(tx: TenantTx, profileId: string): Promise<boolean> {
  const found = await asService(tx, ['patients.view_org', 'patients.update', 'data.view_deleted'], (own) =>
    own
      .selectFrom('patients')
      .select('erased_at')
      .where('organization_id', '=', CLINIC)
      .where('patient_profile_id', '=', profileId)
      .forShare()
      .executeTakeFirst(),
  )
  return found !== undefined && found.erased_at === null
}

interface Situation {
  time_zone: string
  today: string
  /** Midnight, where the clinic is. */
  midnight: string
}

/** The day of the clinic. */
export async function findSituation(tx: TenantTx, now: Date): Promise<Situation | undefined> {
  const { rows } = await sql<Situation>`
    select o.time_zone, d.today::text as today, d.today::timestamp at time zone o.time_zone as midnight
    from organizations o
    cross join lateral (select (${now.toISOString()}::timestamptz at time zone o.time_zone)::date as today) d
    where o.id = ${CLINIC}`.execute(tx)
  return rows[0]
}

const MY_SPECIALIST = sql`(select s.id from specialists s
  where s.organization_id = ${CLINIC} and s.human_id = (select current_app_principal_id()) and s.deleted_at is null)`

/** The profiles of the caller's own patients; of nobody when the caller is no specialist. */
export async function listMyProfiles(tx: TenantTx): Promise<string[]> {
  const { rows } = await asService(tx, READING_ATTENTION.codes, (own) =>
    sql<{ patient_profile_id: string }>`${profilesOf(MY_SPECIALIST)}`.execute(own),
  )
  return rows.map(({ patient_profile_id }) => patient_profile_id)
}
