import type { ErasureCertificate, ExportManifest, List, PrivacyRequest } from '@tendon/contracts'
import { asService, CLINIC, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'kind',
  'patient_id',
  'status',
  'progress',
  'reason',
  'error',
  'requested_by_principal_id',
  'created_at',
  'updated_at',
  'completed_at',
  'expires_at',
] as const

export interface Subject {
  patient_id: string
  patient_profile_id: string
  name: string
  erased_at: string | null
}

export interface Restricted {
  patient_id: string
  patient_profile_id: string
  name: string
  restricted_before: string | null
  restricted_at: string | null
}

/** A request with its result and its patient. */
export type StoredRequest = PrivacyRequest & {
  patient_profile_id: string
  result: ExportManifest | ErasureCertificate | null
  object_key: string | null
}

export interface NewRequest {
  kind: PrivacyRequest['kind']
  reason: string | null
  requestedBy: string
}

const NAME = sql<string>`first_name || ' ' || last_name`

/** What routes about the rights of a patient declare. */
export const SUBJECTS = {
  codes: ['patients.view_org', 'data.view_deleted'],
  why: 'The rights remain after leaving or deletion: finds deleted records too.',
}

/** The patient of a request: active, left or deleted. */
export async function findSubject(tx: TenantTx, patientId: string): Promise<Subject | undefined> {
  return asService(tx, SUBJECTS.codes, (own) =>
    own
      .selectFrom('patients')
      .select(['id as patient_id', 'patient_profile_id', NAME.as('name'), 'erased_at'])
      .where('organization_id', '=', CLINIC)
      .where('id', '=', patientId)
      .executeTakeFirst(),
  )
}

/** The person's other records, which exports and erasures include. Erased records are omitted. */
export async function listLinkedSubjects(tx: TenantTx, patientId: string): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select patient_id, patient_profile_id, name, erased_at from linked_patients(${patientId})
    where erased_at is null`.execute(tx)
  return rows
}

/** Whether a request of this kind is in progress for the patient. */
export async function isRequested(tx: TenantTx, patientId: string, kind: PrivacyRequest['kind']): Promise<boolean> {
  const found = await tx
    .selectFrom('privacy_requests')
    .select('id')
    .where('patient_id', '=', patientId)
    .where('kind', '=', kind)
    .where('status', 'in', ['accepted', 'active'])
    .executeTakeFirst()
  return found !== undefined
}

export async function insertRequest(tx: TenantTx, subject: Subject, request: NewRequest): Promise<PrivacyRequest> {
  return tx
    .insertInto('privacy_requests')
    .values({
      kind: request.kind,
      patient_id: subject.patient_id,
      patient_profile_id: subject.patient_profile_id,
      reason: request.reason,
      requested_by_principal_id: request.requestedBy,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function listRequests(tx: TenantTx, list: List): Promise<{ rows: PrivacyRequest[]; total: number }> {
  return readPage(tx.selectFrom('privacy_requests').select(COLUMNS), list)
}

export async function findRequest(tx: TenantTx, id: string): Promise<StoredRequest | undefined> {
  return tx
    .selectFrom('privacy_requests')
    .select(COLUMNS)
    .select(['patient_profile_id', 'result', 'object_key'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** undefined when the request is past the state in which it can be cancelled. */
export async function cancelRequest(tx: TenantTx, id: string): Promise<PrivacyRequest | undefined> {
  return tx
    .updateTable('privacy_requests')
    .set({ status: 'cancelled' })
    .where('id', '=', id)
    .where('status', '=', 'accepted')
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** What the route that restricts processing declares. */
export const RESTRICTING = {
  codes: [...SUBJECTS.codes, 'patients.update', 'patients.delete'],
  why: 'Writes the restriction, also of deleted records.',
}

export async function restrictPatient(
  tx: TenantTx,
  patientId: string,
  restricted: boolean,
): Promise<Restricted | undefined> {
  return asService(tx, RESTRICTING.codes, async (own) => {
    const before = await own
      .selectFrom('patients')
      .select('restricted_at')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', patientId)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) return undefined
    const after = await own
      .updateTable('patients')
      .set({ restricted_at: restricted ? sql<string>`coalesce(restricted_at, now())` : null })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', patientId)
      .returning(['id as patient_id', 'patient_profile_id', NAME.as('name'), 'restricted_at'])
      .executeTakeFirstOrThrow()
    return { ...after, restricted_before: before.restricted_at }
  })
}
