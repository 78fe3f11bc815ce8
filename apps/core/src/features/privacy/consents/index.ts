import { type AuditEntry, changesBetween } from '@tendon/access'
import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { type Grants, insertGrants } from './granting.ts'
import { findActiveConsentTo, lockProfiles, updateWithdrawn } from './queries.ts'

export { textUnpublished } from './errors.ts'
export { type Grants, grantRefusals } from './granting.ts'
export { listVersionsInForce, lockProfiles, type VersionInForce } from './queries.ts'
export { recordConsent } from './record.ts'

/** Records what a profile agrees to, all or nothing, and gives the active row of each grant. */
export async function grantConsents(tx: TenantTx, of: Grants): Promise<Consent[]> {
  return (await insertGrants(tx, of)).map(({ after }) => after)
}

/** Withdraws the consent of a profile at the clinic in context, and gives its audit entry; undefined: there is none. */
export async function withdrawConsentTo(
  tx: TenantTx,
  profileId: string,
  purpose: string,
  reason: string,
): Promise<AuditEntry | undefined> {
  await lockProfiles(tx, [profileId])
  const before = await findActiveConsentTo(tx, profileId, purpose)
  if (!before) return undefined
  const after = await updateWithdrawn(tx, before.id, reason)
  return {
    action: 'consents.withdraw',
    crud: 'U',
    target: { type: 'consent', id: after.id, label: after.purpose_code },
    changes: changesBetween(before, after),
    patientProfileId: after.patient_profile_id,
    reason,
  }
}
