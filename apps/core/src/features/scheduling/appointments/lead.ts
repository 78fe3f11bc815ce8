import type { Appointment } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Auditor } from '../../../platform/recorder.ts'
import { SETTING_LEAD, setFirstLead } from '../../people/patients/index.ts'
import { CHANGING_STATUS } from './service.ts'

/** What a route that changes statuses, and so completes visits, declares. */
export const COMPLETING = {
  codes: [...new Set([...CHANGING_STATUS.codes, ...SETTING_LEAD.codes])],
  why: `${CHANGING_STATUS.why} ${SETTING_LEAD.why}`,
}

/** The specialist of a completed visit leads the care of a patient whom nobody leads. */
export async function setLeadOf(
  by: Auditor,
  tx: TenantTx,
  { status, patient_id, specialist_id }: Pick<Appointment, 'status' | 'patient_id' | 'specialist_id'>,
): Promise<void> {
  if (status === 'completed' && patient_id !== null && specialist_id !== null)
    await setFirstLead(by, tx, patient_id, { specialist_id })
}
