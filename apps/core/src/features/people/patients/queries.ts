import type { List, Patient, PatientChoice, PatientDetails, Picker } from '@tendon/contracts'
import { asService, CLINIC, preparePage, readChoices, type TenantTx, together } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'

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
  'lead_specialist_id',
  'restricted_at',
  'merged_into_id',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

const NAME = sql<string>`first_name || ' ' || last_name`
/** For callers who may not see specialists too, deleted ones included. */
const LEAD = sql<Patient['lead_specialist']>`(
  select jsonb_build_object('id', s -> 'id', 'name', s -> 'name') from appointment_specialist(lead_specialist_id) s where s is not null)`
const HAS_LINKS = sql<boolean>`(merged_into_id is not null or exists (
  select 1 from patients m where m.organization_id = ${CLINIC} and m.merged_into_id = patients.id))`

/**
 * The clinic's own records. The policy also shows callers what they own as patients, at whatever clinic and even deleted:
 * that is not for staff routes, and without the plain equality the ordered index would be of no use.
 */
const ofClinic = (tx: TenantTx) =>
  tx
    .selectFrom('patients')
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`(deleted_at is null or current_app_has_permission('data', 'view_deleted'))`)

const STATUS = sql<Patient['status']>`case when f.human_id is not null then 'claimed'
  when f.invited_at is not null then 'invited' else 'unclaimed' end`
const HAS_NUMBER = sql<boolean>`f.national_id_encrypted is not null`

/** Reads the profile only for the rows of the page. A join would read it for every patient of the clinic before sorting. */
const ofProfile = <Value>(value: RawBuilder<Value>) => sql<Value>`(
  select ${value} from patient_profiles f where f.organization_id = patients.organization_id and f.id = patients.patient_profile_id)`

const whole = (tx: TenantTx) =>
  ofClinic(tx)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('patient_profiles as f')
          .select([STATUS.as('status'), HAS_NUMBER.as('has_national_id')])
          .whereRef('f.organization_id', '=', 'patients.organization_id')
          .whereRef('f.id', '=', 'patients.patient_profile_id')
          .as('profile'),
      (join) => join.onTrue(),
    )
    .select(COLUMNS)
    .select([
      NAME.as('name'),
      LEAD.as('lead_specialist'),
      sql<Patient['status']>`profile.status`.as('status'),
      sql<boolean>`profile.has_national_id`.as('has_national_id'),
    ])

/** As an array: with a join, PostgreSQL would read all patients of the clinic to compare them. */
const found = (q: string) => sql<boolean>`id = any (array(select search_patients(${q})))`

/** What is left out is empty, except the lead. One spelling of a name: composed, without blanks around it. */
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
  ...(values.lead_specialist_id === undefined ? {} : { lead_specialist_id: values.lead_specialist_id }),
})

const INDEXED_ORDERS = ['created_at', 'last_name']

/** All patients but deleted ones, in an order that an index has: what the list shows before anybody searches or filters. */
export function isInOrderOfIndex({ q, sort, ranges, filters: { deleted = ['false'], ...filters } }: List): boolean {
  const isNarrowed =
    q !== undefined || ranges.length > 0 || deleted.join() !== 'false' || Object.keys(filters).length > 0
  return !isNarrowed && INDEXED_ORDERS.includes(sort[0]?.field ?? 'created_at')
}

/** Without the filter, deleted ones are excluded. */
export async function listPatients(tx: TenantTx, { q, filters, ...list }: List) {
  const {
    deleted = ['false'],
    claimed = [],
    restricted = [],
    merged = [],
    lead_specialist_id: leads,
    ...plain
  } = filters
  let query = ofClinic(tx)
    .select(COLUMNS)
    .select(['organization_id', NAME.as('name')])
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  if (claimed.length === 1) query = query.where(ofProfile(STATUS), claimed[0] === 'true' ? '=' : '<>', 'claimed')
  if (restricted.length === 1) query = query.where('restricted_at', restricted[0] === 'true' ? 'is not' : 'is', null)
  if (merged.length === 1) query = query.where('merged_into_id', merged[0] === 'true' ? 'is not' : 'is', null)
  if (leads) query = query.where(sql<boolean>`lead_specialist_id = any(${leads}::uuid[])`)
  if (q !== undefined) query = query.where(found(q))
  const { page, ordered, total } = preparePage(query, { ...list, filters: plain })
  const computed = tx
    .selectFrom(page.as('patients'))
    .selectAll()
    .select([ofProfile(STATUS).as('status'), ofProfile(HAS_NUMBER).as('has_national_id'), LEAD.as('lead_specialist')])
  const [rows, count] = await Promise.all([ordered(computed).execute(), total()])
  return { rows, total: count }
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

/** Also says whether the record has linked records, so that they are read only then. */
export async function findPatientWithLinks(tx: TenantTx, id: string) {
  return await whole(tx).select(HAS_LINKS.as('has_links')).where('id', '=', id).executeTakeFirst()
}

/** What a route that locks a patient declares. */
export const LOCKING_PATIENT = {
  codes: ['patients.view_org', 'patients.update'],
  why: 'Locks the patient, which needs the right to update the record.',
}

/** Locked, then read: what the statement that waits for the lock reads would be older than the lock. */
export async function findPatientForUpdate(tx: TenantTx, id: string): Promise<Patient | undefined> {
  const locked = await asService(tx, LOCKING_PATIENT.codes, (own) =>
    own
      .selectFrom('patients')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst(),
  )
  if (!locked) return undefined
  return await whole(tx)
    .where('id', '=', id)
    .where(sql<boolean>`current_app_has_permission('patients', 'view_org')`)
    .executeTakeFirst()
}

/** Locks the caller's own record, if it is not deleted: an erasure waits. */
export async function lockOwnPatient(tx: TenantTx, id: string): Promise<void> {
  await asService(tx, [], (own) =>
    own
      .selectFrom('patients')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forShare()
      .execute(),
  )
}

export async function insertPatient(tx: TenantTx, profileId: string, values: PatientDetails): Promise<void> {
  await tx
    .insertInto('patients')
    .values({ ...row(values), patient_profile_id: profileId })
    .execute()
}

export async function findPatientOf(tx: TenantTx, profileId: string): Promise<Patient> {
  return await whole(tx).where('patient_profile_id', '=', profileId).executeTakeFirstOrThrow()
}

export async function updatePatient(tx: TenantTx, id: string, values: PatientDetails): Promise<void> {
  await tx.updateTable('patients').set(row(values)).where('organization_id', '=', CLINIC).where('id', '=', id).execute()
}

/** What the route that deletes a patient declares. */
export const DELETING_PATIENT = {
  codes: [...LOCKING_PATIENT.codes, 'patients.delete', 'data.view_deleted', 'consents.manage'],
  why: 'An update must see the row that it writes: here a deleted one. The consents end with the record.',
}

/** The time of the deletion. Consents at the clinic end with the record. */
export async function deletePatient(tx: TenantTx, id: string): Promise<string | null> {
  return asService(tx, DELETING_PATIENT.codes, async (own) => {
    const [deleted] = await together([
      own
        .updateTable('patients')
        .set({ deleted_at: sql<string>`now()`, deleted_by_principal_id: sql<string>`current_app_principal_id()` })
        .where('organization_id', '=', CLINIC)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('restricted_at', 'is', null)
        .returning('deleted_at')
        .executeTakeFirst(),
      own
        .updateTable('consents')
        .set({
          withdrawn_at: sql<string>`clock_timestamp()`,
          ended_as: 'left',
          withdrawn_by_principal_id: sql<string>`current_app_principal_id()`,
          withdrawal_reason: 'The clinic deleted the record',
        })
        .where('organization_id', '=', CLINIC)
        .where('patient_profile_id', '=', (eb) =>
          eb
            .selectFrom('patients')
            .select('patient_profile_id')
            .where('organization_id', '=', CLINIC)
            .where('id', '=', id)
            .where('deleted_at', 'is not', null),
        )
        .where('withdrawn_at', 'is', null)
        .execute(),
    ])
    return deleted?.deleted_at ?? null
  })
}

/** Whether the clinic has published its privacy notice. */
export async function hasPublishedNotice(tx: TenantTx): Promise<boolean> {
  const version = await tx
    .selectFrom('consent_purpose_versions')
    .select('version')
    .where('purpose_code', '=', 'org_privacy_notice')
    .where('organization_id', '=', CLINIC)
    .limit(1)
    .executeTakeFirst()
  return version !== undefined
}

export async function findOrganizationName(tx: TenantTx): Promise<string> {
  const { name } = await tx.selectFrom('organizations').select('name').executeTakeFirstOrThrow()
  return name
}
