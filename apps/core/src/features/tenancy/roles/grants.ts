import { type Caller, holds } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { grantNotHeld, unknownCodes } from './errors.ts'
import { listUnknownCodes } from './queries.ts'

/** Nobody can grant permissions they do not hold; existing ones may stay. */
export async function checkGrants(tx: TenantTx, caller: Caller, added: readonly string[]): Promise<void> {
  const unknown = await listUnknownCodes(tx, added)
  if (unknown.length > 0) throw unknownCodes(unknown)
  const missing = added.filter((code) => !holds(caller, code))
  if (missing.length > 0) throw grantNotHeld({ required: missing.join(', ') })
}
