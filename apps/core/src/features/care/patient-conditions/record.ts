import { holds } from '@tendon/access'
import type { Patient } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { findPatientForUpdate, patientNotFound } from '../../people/patients/index.ts'

const VIEW = 'patients.view_org'

/** Working with a patient's clinical record also requires the permission to view the patient, which is checked here. */
export function mustSeePatients({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW)) throw forbidden({ required: VIEW })
}

/**
 * Locks an undeleted record whose conditions or plans change. Concurrent changes wait, so that the safety check of a plan
 * sees every condition.
 */
export async function openPatient(request: FastifyRequest, tx: TenantTx, id: string): Promise<Patient> {
  mustSeePatients(request)
  const patient = await findPatientForUpdate(tx, id)
  if (!patient) throw patientNotFound()
  if (patient.restricted_at !== null) throw processingRestricted()
  return patient
}
