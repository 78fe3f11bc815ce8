import type { Patient } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, processingRestricted, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { AuditEntry } from '../../../platform/audit.ts'
import { holds } from '../../../platform/caller.ts'
import { patientNotFound } from './errors.ts'
import { findPatient, findPatientForUpdate } from './queries.ts'

// What the routes about one patient share.

const VIEW = 'patients.view_org'

/** A living record to change, locked; 404 for every id that the clinic does not have, 409 while processing is restricted. */
export async function openRecord(request: FastifyRequest, tx: TenantTx, id: string): Promise<Patient> {
  mustSeePatients(request)
  const patient = await findPatientForUpdate(tx, id)
  if (!patient) throw patientNotFound()
  if (patient.restricted_at !== null) throw processingRestricted()
  return patient
}

export async function readRecord(tx: TenantTx, id: string): Promise<Patient> {
  const patient = await findPatient(tx, id)
  if (!patient) throw patientNotFound()
  return patient
}

/** Whoever changes a record sees it: the route names the right to change, this the right to see. */
export function mustSeePatients({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW)) throw forbidden({ required: VIEW })
}

export function organizationOf({ caller }: FastifyRequest): string {
  if (caller.organization_id === null) throw patientNotFound()
  return caller.organization_id
}

export function refuseIfWrong(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}

/** Every entry about a patient is encrypted under the patient's own key. */
export const entryAbout = (patient: Patient, entry: Omit<AuditEntry, 'target' | 'patientProfileId'>): AuditEntry => ({
  ...entry,
  target: { type: 'patient', id: patient.id, label: patient.name },
  patientProfileId: patient.patient_profile_id,
})

export const eventOf = ({ id, patient_profile_id }: Patient) => ({ patient_id: id, patient_profile_id })
