import type { List, Patient, PatientChoice, PatientDetails, Picker } from '@tendon/contracts'
import { readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
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
  'notes',
  'restricted_at',
  'merged_into_id',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

const NAME = sql<string>`first_name || ' ' || last_name`
const STATUS = sql<Patient['status']>`(
  select case when f.human_id is not null then 'claimed' when f.invited_at is not null then 'invited' else 'unclaimed' end
  from patient_profiles f where f.id = patients.patient_profile_id)`
const HAS_NATIONAL_ID = sql<boolean>`(
  select f.national_id_encrypted is not null from patient_profiles f where f.id = patients.patient_profile_id)`
const IS_CLAIMED = sql<boolean>`exists (
  select 1 from patient_profiles f where f.id = patients.patient_profile_id and f.human_id is not null)`

/**
 * The clinic's own records. The policy also shows callers what they own as patients, at whatever clinic and even deleted:
 * that is not for staff routes, and without the plain equality the ordered index would be of no use.
 */
const ofClinic = (tx: TenantTx) =>
  tx
    .selectFrom('patients')
    .where(sql<boolean>`organization_id = current_app_org_id()`)
    .where(sql<boolean>`(deleted_at is null or current_app_has_permission('data', 'view_deleted'))`)

const whole = (tx: TenantTx) =>
  ofClinic(tx)
    .select(COLUMNS)
    .select([NAME.as('name'), STATUS.as('status'), HAS_NATIONAL_ID.as('has_national_id')])

const found = (q: string) => sql<boolean>`id in (select search_patients(${q}))`

/** What is left out is empty. One spelling of a name: composed, without blanks around it. */
const row = (values: PatientDetails) => ({
  first_name: values.first_name.normalize().trim(),
  last_name: values.last_name.normalize().trim(),
  email: values.email ?? null,
  phone: values.phone ?? null,
  birth_date: values.birth_date ?? null,
  sex: values.sex ?? null,
  language_code: values.language_code ?? null,
  address: values.address ? JSON.stringify(values.address) : null,
  notes: values.notes ?? null,
})

/** Without the filter, deleted ones are excluded. */
export async function listPatients(tx: TenantTx, { q, filters, ...list }: List) {
  const { deleted = ['false'], claimed = [], restricted = [], merged = [], ...plain } = filters
  let query = whole(tx)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  if (claimed.length === 1) query = query.where(IS_CLAIMED, '=', claimed[0] === 'true')
  if (restricted.length === 1) query = query.where('restricted_at', restricted[0] === 'true' ? 'is not' : 'is', null)
  if (merged.length === 1) query = query.where('merged_into_id', merged[0] === 'true' ? 'is not' : 'is', null)
  if (q !== undefined) query = query.where(found(q))
  const { rows, total } = await readPage(query, { ...list, filters: plain })
  return { rows: rows, total }
}

export async function listPatientChoices(tx: TenantTx, { q, ...picker }: Picker): Promise<PatientChoice[]> {
  let query = ofClinic(tx)
    .select(['id', NAME.as('name'), 'birth_date'])
    .where('deleted_at', 'is', null)
  if (q !== undefined) query = query.where(found(q))
  return readChoices(query.orderBy('last_name').orderBy('first_name'), picker, { search: ['last_name'] })
}

export async function findPatient(tx: TenantTx, id: string): Promise<Patient | undefined> {
  return await whole(tx).where('id', '=', id).executeTakeFirst()
}

/** Locked, then read: what the statement that waits for the lock reads would be older than the lock. */
export async function findPatientForUpdate(tx: TenantTx, id: string): Promise<Patient | undefined> {
  const { rows } = await sql<{ locked: boolean }>`select lock_patient(${id}) as locked`.execute(tx)
  return rows[0]?.locked ? findPatient(tx, id) : undefined
}

export async function insertPatient(tx: TenantTx, profileId: string, values: PatientDetails): Promise<string> {
  const { id } = await tx
    .insertInto('patients')
    .values({ ...row(values), patient_profile_id: profileId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePatient(tx: TenantTx, id: string, values: PatientDetails): Promise<void> {
  await tx
    .updateTable('patients')
    .set(row(values))
    .where(sql<boolean>`organization_id = current_app_org_id()`)
    .where('id', '=', id)
    .execute()
}

/** The time of the deletion. */
export async function deletePatient(tx: TenantTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ deleted_at: string | null }>`select delete_patient(${id}) as deleted_at`.execute(tx)
  return rows[0]?.deleted_at ?? null
}

export interface RestoredPatient {
  outcome: 'restored' | 'not_deleted' | 'expired' | 'final' | 'restricted'
  deleted_at: string | null
}

export async function restorePatient(
  tx: TenantTx,
  id: string,
  nationalIdIndex: Buffer | null,
): Promise<RestoredPatient | undefined> {
  const { rows } = await sql<RestoredPatient>`select * from restore_patient(${id}, ${nationalIdIndex})`.execute(tx)
  return rows[0]
}

/** Whether the clinic has published its privacy notice. */
export async function hasPublishedNotice(tx: TenantTx): Promise<boolean> {
  const version = await tx
    .selectFrom('consent_purpose_versions')
    .select('version')
    .where('purpose_code', '=', 'org_privacy_notice')
    .where(sql<boolean>`organization_id = current_app_org_id()`)
    .limit(1)
    .executeTakeFirst()
  return version !== undefined
}

export async function findOrganizationName(tx: TenantTx): Promise<string> {
  const { name } = await tx.selectFrom('organizations').select('name').executeTakeFirstOrThrow()
  return name
}
