import { holds } from '@tendon/access'
import type { Patient } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, processingRestricted, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { recorder } from '../../../platform/recorder.ts'
import { patientNotFound } from './errors.ts'
import { findPatient, findPatientForUpdate } from './queries.ts'

// What the routes about one patient share.

const VIEW = 'patients.view_org'

/** Locks a record that is not deleted; 404 for every id that the clinic does not have, 409 while processing is restricted. */
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

/** Changing a record also requires the permission to view it, which is checked here. */
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

/** Every audit entry about a patient is encrypted under the patient's own key. */
export const patientResource = {
  target: ({ id, name }: Patient) => ({ type: 'patient', id, label: name }),
  payload: ({ id, patient_profile_id }: Patient) => ({ patient_id: id, patient_profile_id }),
  patientProfileId: ({ patient_profile_id }: Patient) => patient_profile_id,
  facts: ({ lead_specialist: _named, ...facts }: Patient) => facts,
}

/** The custom fields of a patient; forms write them too. */
export const recordProfile = recorder({
  ...patientResource,
  acts: {
    read: { action: 'patients.read_profile', crud: 'R' },
    prefilled: { action: 'patients.prefill', crud: 'R' },
    updated: { action: 'patients.update_profile', crud: 'U', event: 'patient.profile.updated' },
  },
})

export const record = recorder({
  ...patientResource,
  acts: {
    created: { action: 'patients.create', crud: 'C', event: 'patient.created' },
    invited: { action: 'patients.invite', crud: 'U', event: 'patient.invited' },
    read: { action: 'patients.read', crud: 'R' },
    updated: { action: 'patients.update', crud: 'U', event: 'patient.updated' },
    deleted: { action: 'patients.delete', crud: 'D', event: 'patient.deleted' },
    restored: { action: 'patients.restore', crud: 'U', event: 'patient.restored' },
    merged: { action: 'patients.merge', crud: 'U', event: 'patient.merged' },
    unmerged: { action: 'patients.unmerge', crud: 'U', event: 'patient.unmerged' },
    impersonated: { action: 'patients.impersonate', crud: 'E' },
    nationalIdRead: { action: 'patients.read_national_id', crud: 'R' },
    nationalIdChanged: { action: 'patients.update_national_id', crud: 'U', event: 'patient.updated' },
  },
})
