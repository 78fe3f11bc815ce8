import type { AppointmentFile } from '@tendon/contracts'
import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { lockPatientsOf } from '../patient-queries.ts'

const COLUMNS = ['id', 'appointment_id', 'name', 'size', 'mime', 'uploaded_by_principal_id', 'uploaded_at'] as const

/** The appointment of files. Row-level security shows the clinic's appointments and the caller's own. */
export function findOwner(tx: TenantTx, id: string) {
  return tx
    .selectFrom('appointments')
    .select(['id', 'patient_profile_id'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('status', '<>', 'entered_in_error')
    .executeTakeFirst()
}
export type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>

/** Serializes uploads, so that each one counts those before it. */
export async function lockFiles(tx: TenantTx, appointmentId: string): Promise<void> {
  await lockPatientsOf(tx, [appointmentId])
  await sql`select pg_advisory_xact_lock(hashtextextended('files ' || ${appointmentId}, 0))`.execute(tx)
}

export function listFiles(tx: TenantTx, appointmentId: string): Promise<AppointmentFile[]> {
  return tx
    .selectFrom('appointment_files')
    .select(COLUMNS)
    .where('appointment_id', '=', appointmentId)
    .orderBy('uploaded_at')
    .orderBy('id')
    .execute()
}

type StoredAppointmentFile = AppointmentFile & { object_key: string }

export function findFile(tx: TenantTx, appointmentId: string, id: string): Promise<StoredAppointmentFile | undefined> {
  return tx
    .selectFrom('appointment_files')
    .select([...COLUMNS, 'object_key'])
    .where('appointment_id', '=', appointmentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface NewFile {
  appointment_id: string
  patient_profile_id: string | null
  object_key: string
  name: string
  size: number
  mime: string
  sha256: Buffer
}

export function insertFile(tx: TenantTx, file: NewFile): Promise<AppointmentFile> {
  return tx.insertInto('appointment_files').values(file).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function deleteFile(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('appointment_files').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
}

/** Files of past appointments stay as medical record; the others are deleted. */
export async function deleteOutsideRecord(tx: ServiceTx, profileId: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from appointment_files f using appointments a
    where f.organization_id = (select current_app_org_id()) and f.patient_profile_id = ${profileId}
      and a.organization_id = f.organization_id and a.id = f.appointment_id
      and (a.starts_at is null or a.starts_at > now() or a.status in ('cancelled', 'entered_in_error'))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Files no longer say that the patient uploaded them. */
export async function clearUploader(tx: ServiceTx, profileId: string): Promise<void> {
  await sql`update appointment_files f set uploaded_by_principal_id = null from patient_profiles p
    where f.organization_id = (select current_app_org_id()) and f.patient_profile_id = ${profileId}
      and p.organization_id = f.organization_id and p.id = ${profileId} and f.uploaded_by_principal_id = p.human_id`.execute(
    tx,
  )
}
