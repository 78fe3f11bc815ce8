import { publish } from '@tendon/access'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { insertVersion, listVersionsInForce, lockNumbering, type NewVersion } from './queries.ts'

export { textIn } from './rules.ts'

/**
 * Makes a text the one in force, at the clinic in context or for the platform; the gate asks for it from then on. Gives
 * also the one that it replaces.
 */
export async function publishVersion(tx: TenantTx | PlatformTx, values: NewVersion) {
  await lockNumbering(tx, values.purpose_code)
  const before = (await listVersionsInForce(tx, values.purpose_code)).get(values.purpose_code)
  const created = await insertVersion(tx, values)
  const { id, purpose_code, organization_id, version } = created
  const payload = { consent_purpose_version_id: id, purpose_code, organization_id, version }
  await publish(tx, 'consent_purpose.version_published', payload)
  return { before, created }
}
