import type { List, MyPatientRecord } from '@tendon/contracts'
import { asService, CLINIC, readPage, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'
import { LOCKING_PATIENT } from './queries.ts'

export interface SealedNationalId {
  national_id_encrypted: Buffer | null
  national_id_index: Buffer | null
}

export async function insertProfile(tx: TenantTx, id: string, nationalId: SealedNationalId): Promise<void> {
  await tx
    .insertInto('patient_profiles')
    .values({ id, ...nationalId })
    .execute()
}

/**
 * The clinic's record with this number or e-mail address, unless deleted or erased. Of two concurrent requests for the same
 * person, one waits until the other's transaction has ended; the keys are sorted to avoid deadlocks.
 */
export async function findSamePerson(
  tx: TenantTx,
  email: string | null,
  index: Buffer | null,
): Promise<{ id: string; field: 'national_id' | 'email' } | undefined> {
  const keys = [email?.toLowerCase(), index?.toString('hex')].filter((key) => key !== undefined).sort()
  if (keys.length === 0) return undefined
  const locks = keys.map((key) =>
    sql`select pg_advisory_xact_lock(hashtextextended('patient ' || current_app_org_id() || ' ' || ${key}, 0))`.execute(
      tx,
    ),
  )
  const [, { rows }] = await together([
    together(locks),
    sql<{ id: string; field: 'national_id' | 'email' }>`
      select id, field from find_same_patient(${email}, ${index})`.execute(tx),
  ])
  return rows[0]
}

export async function findNationalId(tx: TenantTx, profileId: string): Promise<SealedNationalId> {
  return tx
    .selectFrom('patient_profiles')
    .select(['national_id_encrypted', 'national_id_index'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', profileId)
    .executeTakeFirstOrThrow()
}

export async function updateNationalId(tx: TenantTx, id: string, nationalId: SealedNationalId): Promise<void> {
  await tx
    .updateTable('patient_profiles')
    .set(nationalId)
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
}

/** Lets the person who proves the address at their next sign-in claim the record. False when somebody has claimed it. */
export async function updateInvitation(tx: TenantTx, patientId: string, email: string): Promise<boolean> {
  const invited = await asService(tx, LOCKING_PATIENT.codes, (own) =>
    own
      .updateTable('patient_profiles')
      .set({ invited_email: email, invited_at: sql<string>`now()` })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('patients')
          .select('patient_profile_id')
          .where('organization_id', '=', CLINIC)
          .where('id', '=', patientId)
          .where('deleted_at', 'is', null)
          .where('restricted_at', 'is', null),
      )
      .where('human_id', 'is', null)
      .executeTakeFirst(),
  )
  return invited.numUpdatedRows > 0n
}

/** An invitation that nobody has followed yet is void from now on. */
export async function deleteInvitation(tx: TenantTx, profileId: string): Promise<void> {
  await tx
    .updateTable('patient_profiles')
    .set({ invited_email: null, invited_at: null })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', profileId)
    .where('human_id', 'is', null)
    .execute()
}

/** Gives the end of the impersonation. */
export async function insertImpersonation(
  tx: TenantTx,
  values: { patient_id: string; principal_id: string; hash: Buffer; minutes: number },
): Promise<string> {
  const { minutes, ...impersonation } = values
  const { rows } = await sql<{ expires_at: string }>`
    select now() + make_interval(mins => ${minutes}) as expires_at`.execute(tx)
  const { expires_at } = rows[0] as { expires_at: string }
  await tx
    .insertInto('impersonations')
    .values({ ...impersonation, expires_at })
    .execute()
  return expires_at
}

const MINE = [
  'id',
  'patient_profile_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'sex',
  'language_code',
  'address',
  'restricted_at',
  'created_at',
  'updated_at',
] as const

/** The caller's own records, at all clinics. */
export async function listMyPatientRecords(tx: TenantTx, list: List) {
  const mine = tx
    .selectFrom('patients')
    .select(MINE)
    .select([
      sql<string>`first_name || ' ' || last_name`.as('name'),
      sql<boolean>`(select f.national_id_encrypted is not null from patient_profiles f where f.id = patients.patient_profile_id)`.as(
        'has_national_id',
      ),
      sql<MyPatientRecord['organization']>`(
        select jsonb_build_object('id', r.organization_id, 'name', r.organization_name, 'slug', r.organization_slug)
        from my_patient_records() r where r.patient_id = patients.id)`.as('organization'),
    ])
    .where(sql<boolean>`patient_profile_id = any(current_app_profile_ids())`)
    .where('deleted_at', 'is', null)
  return readPage(mine, list)
}
