import type { AppointmentDocument, DocumentLanguage, List } from '@tendon/contracts'
import { asService, CLINIC, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'kind',
  'appointment_id',
  'form_id',
  'treatment_plan_id',
  'patient_profile_id',
  'pdf_template_id',
  'template_version',
  'language',
  'pages',
  'size',
  'verification_code',
  'created_at',
] as const
const SHA256 = sql<string>`encode(sha256, 'hex')`.as('sha256')

const ofClinic = (tx: TenantTx) => tx.selectFrom('appointment_documents').where('organization_id', '=', CLINIC)

/** Documents of forms and treatment plans are for callers who may see those, and for their own patient. */
const readable = (tx: TenantTx) =>
  ofClinic(tx).where(
    sql<boolean>`(patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      or ((form_id is null or (select current_app_has_permission('forms', 'view_org')))
        and (treatment_plan_id is null or (select current_app_has_permission('treatment_plans', 'view_org')))))`,
  )

/** `ofProfiles`: only documents of these profiles. */
export async function listDocuments(tx: TenantTx, { filters, ...list }: List, ofProfiles?: readonly string[]) {
  const { patient_profile_id: named, ...rest } = filters
  let query = readable(tx).select(COLUMNS).select(SHA256)
  if (ofProfiles) query = query.where(sql<boolean>`patient_profile_id = any(${ofProfiles}::uuid[])`)
  if (named)
    query = query.where(
      sql<boolean>`patient_profile_id = any (array(select unnest(linked_profile_ids(id)) from unnest(${named}::uuid[]) id))`,
    )
  return readPage(query, { ...list, filters: rest }, {})
}

interface StoredDocument extends AppointmentDocument {
  object_key: string
}

export function findDocument(tx: TenantTx, id: string): Promise<StoredDocument | undefined> {
  return readable(tx)
    .select([...COLUMNS, 'object_key', SHA256])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findDocumentByInput(tx: TenantTx, hash: Buffer): Promise<AppointmentDocument | undefined> {
  return ofClinic(tx)
    .select([...COLUMNS, SHA256])
    .where('input_hash', '=', hash)
    .executeTakeFirst()
}

export interface NewDocument extends Omit<StoredDocument, 'id' | 'sha256'> {
  /** The clinic's name that the document prints. */
  issued_by: string
  input_hash: Buffer
  sha256: Buffer
}

/** Undefined when a document with the same input exists. */
export function insertDocument(tx: TenantTx, document: NewDocument): Promise<AppointmentDocument | undefined> {
  return tx
    .insertInto('appointment_documents')
    .values(document)
    .onConflict((conflict) => conflict.constraint('appointment_documents_input_key').doNothing())
    .returning([...COLUMNS, SHA256])
    .executeTakeFirst()
}

/** The patient, unless deleted. */
export function findPerson(tx: TenantTx, profileId: string) {
  return tx
    .selectFrom('patients')
    .select(['first_name', 'last_name', 'birth_date'])
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Null for the document of a booking without an account. */
export async function findPatientId(tx: TenantTx, profileId: string | null): Promise<string | null> {
  if (profileId === null) return null
  const found = await tx
    .selectFrom('patients')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .executeTakeFirst()
  return found?.id ?? null
}

/** What the routes that create documents declare. */
export const LOCKING_PATIENT = {
  codes: ['patients.view_org', 'patients.update', 'appointments.view_org', 'appointments.manage'],
  why: 'Locks the patient and the appointment until the document is stored, which needs the right to update them.',
}

/** A change of its status waits until the document is stored. Its patient is locked before. */
export async function lockVisit(tx: TenantTx, id: string): Promise<void> {
  await tx
    .selectFrom('appointments')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .forShare()
    .execute()
}

/** Erasure and restriction wait until the document is stored. False when the patient was deleted or erased. */
export async function lockPatient(tx: TenantTx, profileId: string): Promise<boolean> {
  const locked = await asService(tx, LOCKING_PATIENT.codes, (own) =>
    own
      .selectFrom('patients')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('patient_profile_id', '=', profileId)
      .where('deleted_at', 'is', null)
      .where('erased_at', 'is', null)
      .forShare()
      .executeTakeFirst(),
  )
  return locked !== undefined
}

/** The name of a member. */
export async function findMemberName(tx: TenantTx, principalId: string): Promise<string | undefined> {
  const found = await tx.selectFrom('humans').select('name').where('id', '=', principalId).executeTakeFirst()
  return found?.name ?? undefined
}

/** The id of the member's specialist. */
export async function findSpecialistOf(tx: TenantTx, principalId: string): Promise<string | null> {
  const found = await tx
    .selectFrom('specialists')
    .select('id')
    .where('human_id', '=', principalId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  return found?.id ?? null
}

export function findLocation(tx: TenantTx, id: string) {
  return tx.selectFrom('locations').select(['name', 'address']).where('id', '=', id).executeTakeFirst()
}

interface DocumentSpecialist {
  name: string
  title: string | null
  registration_number: string | null
}

/** For callers who may not see specialists too. */
export async function findSpecialist(tx: TenantTx, id: string | null): Promise<DocumentSpecialist | undefined> {
  const { rows } = await sql<{ found: DocumentSpecialist | null }>`
    select appointment_specialist(${id}) as found`.execute(tx)
  return rows[0]?.found ?? undefined
}

/** The name of a service in the language of the document, for callers who may not see services too. */
export async function findServiceName(tx: TenantTx, id: string, language: DocumentLanguage): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(found #>> array['translations', ${language}, 'name'], found ->> 'name') as name
    from appointment_service(${id}) found where found is not null`.execute(tx)
  return rows[0]?.name ?? ''
}

export interface Verified extends Pick<AppointmentDocument, 'kind' | 'pages' | 'size' | 'language'> {
  issued_at: string
  /** Null: issued before the name was kept. */
  issued_by: string | null
  /** The clinic's name today. */
  clinic: string
  time_zone: string
  sha256: Buffer
}

export async function findVerification(tx: PublicTx, code: string): Promise<Verified | undefined> {
  const { rows } = await sql<Verified>`select * from verify_document(${code})`.execute(tx)
  return rows[0]
}

/** Deletes documents that do not belong to the medical record: of past appointments, signed forms and activated plans. */
export async function deleteOutsideRecord(tx: TenantTx, profileId: string): Promise<number> {
  const { numAffectedRows } = await asService(tx, '*', (own) =>
    sql`delete from appointment_documents d
      where d.organization_id = (select current_app_org_id()) and d.patient_profile_id = ${profileId}
        and not exists (select 1 from appointments a where a.organization_id = d.organization_id and a.id = d.appointment_id
          and a.starts_at <= now() and a.status not in ('cancelled', 'entered_in_error'))
        and not exists (select 1 from forms f where f.organization_id = d.organization_id and f.id = d.form_id
          and f.signed_at is not null)
        and not exists (select 1 from treatment_plans t where t.organization_id = d.organization_id
          and t.id = d.treatment_plan_id and t.activated_at is not null)`.execute(own),
  )
  return Number(numAffectedRows ?? 0)
}
