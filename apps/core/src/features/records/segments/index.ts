import type { TenantTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import { EVALUATE_PATIENT_JOB } from './job-names.ts'

/** To be called when a patient's profile or forms change: their segments are re-evaluated after the commit. */
export async function patientChanged(tx: TenantTx, patientId: string): Promise<void> {
  await addJob(tx, EVALUATE_PATIENT_JOB, { patient_id: patientId }, { key: patientId })
}
