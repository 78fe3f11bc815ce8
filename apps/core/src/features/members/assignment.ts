import type { TenantTx } from '@tendon/db'
import { roleExceedsCaller, unknownRole } from './errors.ts'
import { findRoleForShare, listCodesBeyondCaller } from './queries.ts'

/**
 * The role, if the caller may give it to somebody: nobody gives more than they hold, or `organizations.manage_members`
 * would be every permission. Its codes are read under a lock that the membership's transaction keeps.
 */
export async function assignableRole(tx: TenantTx, roleId: string) {
  const role = await findRoleForShare(tx, roleId)
  if (!role) throw unknownRole()
  const missing = await listCodesBeyondCaller(tx, role.id)
  if (missing.length > 0) throw roleExceedsCaller({ required: missing.join(', ') })
  return role
}
