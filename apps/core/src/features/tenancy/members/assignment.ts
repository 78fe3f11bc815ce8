import type { TenantTx } from '@tendon/db'
import type { Refusal } from '@tendon/http'
import { roleExceedsCaller, unknownRole } from './errors.ts'
import { findRoleForShare, listCodesBeyondCaller } from './queries.ts'

/**
 * The role, if the caller may give it to somebody: nobody gives more than they hold, or `organizations.manage_members`
 * would be every permission. Its codes are read under a lock that the membership's transaction keeps.
 */
export async function assignableRole(tx: TenantTx, roleId: string, exceeds: Refusal = roleExceedsCaller) {
  const role = await findRoleForShare(tx, roleId)
  if (!role) throw unknownRole()
  const missing = await listCodesBeyondCaller(tx, role.id)
  if (missing.length > 0) throw exceeds({ required: missing.join(', ') })
  return role
}
