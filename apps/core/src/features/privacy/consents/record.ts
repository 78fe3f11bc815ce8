import { changesBetween } from '@tendon/access'
import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { recorder } from '../../../platform/recorder.ts'
import type { Granted } from './granting.ts'

/**
 * No act has an event here: the trigger on `consents` publishes `consent.granted` for every inserted row and
 * `consent.withdrawn` for every row that ends without a newer one in its place. So the rows that other features write or end
 * have events too: a signed form, an onboarded patient, a patient who leaves or is erased.
 */
export const recordConsent = recorder({
  target: ({ id, purpose_code }: Consent) => ({ type: 'consent', id, label: purpose_code }),
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    granted: { action: 'consents.grant', crud: 'C' },
    withdrawn: { action: 'consents.withdraw', crud: 'U' },
  },
})

/** One entry for each new row, in the log of the organization it belongs to (null: the platform). */
export async function recordGrants(
  request: FastifyRequest,
  tx: TenantTx,
  granted: readonly Granted[],
  organizationId?: string | null,
): Promise<void> {
  for (const { before, after } of granted)
    await recordConsent.granted(request, tx, after, { changes: changesBetween(before ?? {}, after), organizationId })
}

export async function recordWithdrawal(
  request: FastifyRequest,
  tx: TenantTx,
  before: Consent,
  after: Consent,
  organizationId?: string | null,
): Promise<void> {
  const reason = after.withdrawal_reason ?? undefined
  await recordConsent.withdrawn(request, tx, before, after, { reason, organizationId })
}
