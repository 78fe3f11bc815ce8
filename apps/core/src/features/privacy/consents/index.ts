import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { type Grants, recordGrants } from './granting.ts'

export { textUnpublished } from './errors.ts'
export { type Grants, grantRefusals } from './granting.ts'
export { listVersionsInForce, lockProfiles, type VersionInForce } from './queries.ts'

/** Records what a profile agrees to, all or nothing, and gives the active row of each grant. */
export async function grantConsents(tx: TenantTx, of: Grants): Promise<Consent[]> {
  return (await recordGrants(tx, of)).map(({ after }) => after)
}
