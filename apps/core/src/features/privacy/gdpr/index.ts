import type { TenantTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import { ERASE_ACCOUNT_RECORD_JOB } from './job-names.ts'

export { findOwnAddress } from './account-queries.ts'
export { listLinkedSubjects } from './queries.ts'

/** Erases the record of somebody who erases their account: adds the job, in the clinic that the transaction is in. */
export function eraseAccountRecord(tx: TenantTx, patientId: string): Promise<void> {
  return addJob(tx, ERASE_ACCOUNT_RECORD_JOB, { patient_id: patientId })
}

export { ERASE_ACCOUNT_RECORD_JOB } from './job-names.ts'
export { canonicalJson } from './rules.ts'
