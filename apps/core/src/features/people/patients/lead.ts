import { asService, type TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import type { Auditor } from '../../../platform/recorder.ts'
import { isSpecialist, type Leading, SETTING_LEAD, updateFirstLead } from './lead-queries.ts'
import { record } from './record.ts'

/** Refuses a lead who is not a specialist of the clinic. A lead who was deleted since may stay. */
export async function refuseUnknownLead(
  tx: TenantTx,
  { lead_specialist_id: id }: { lead_specialist_id?: string | null },
  before: { lead_specialist_id: string | null } = { lead_specialist_id: null },
): Promise<void> {
  if (!id || id.toLowerCase() === before.lead_specialist_id || (await isSpecialist(tx, id))) return
  throw validationFailed({
    fields: { lead_specialist_id: 'must be the id of a specialist of your clinic (GET /v1/specialists)' },
  })
}

/** The first plan or completed visit of a patient without a lead decides who leads the care. A lead is never overwritten. */
export async function setFirstLead(by: Auditor, tx: TenantTx, patientId: string, leading: Leading): Promise<void> {
  await asService(tx, SETTING_LEAD.codes, async (own) => {
    const after = await updateFirstLead(own, patientId, leading)
    if (after) await record.updated(by, own, { ...after, lead_specialist_id: null }, after)
  })
}
