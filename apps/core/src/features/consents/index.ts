import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import { privacyNoticeUnpublished, staleVersion } from './errors.ts'
import {
  hasPublishedNotice,
  insertConsents,
  listActiveConsents,
  listPurposesInForce,
  lockProfiles,
  type NewConsent,
  supersedeConsents,
} from './queries.ts'
import { firstStale, problemsOf } from './rules.ts'

/** What a route that grants consents must declare. */
export const grantRefusals = [privacyNoticeUnpublished, staleVersion]

export interface Grants {
  profileId: string
  /** null: platform scope, by the patient alone. */
  organizationId: string | null
  grants: readonly NewConsent[]
  grantedBy: string
  ip: string | null
  /** The name of the grants in the caller's body, for what is wrong with them. */
  field?: string
}

/**
 * Records what a profile agrees to, all or nothing, and gives the active row of each grant. What is active at the same
 * version stays as it is; a row of another version is superseded.
 */
export async function grantConsents(tx: TenantTx, of: Grants): Promise<Consent[]> {
  const { profileId, organizationId, grants, grantedBy, field = 'grants' } = of
  if (grants.length === 0) return []
  await lockProfiles(tx, [profileId])
  const purposes = new Map((await listPurposesInForce(tx, organizationId)).map((purpose) => [purpose.code, purpose]))
  const placed = grants.map(({ purpose_code }) => ({ purpose_code, organization_id: organizationId }))
  const fields = problemsOf(placed, purposes, field)
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
  if (organizationId !== null && !(await hasPublishedNotice(tx, organizationId))) throw privacyNoticeUnpublished()
  const stale = firstStale(grants, purposes)
  if (stale) {
    const required_version = purposes.get(stale.purpose_code)?.version ?? null
    throw staleVersion({ purpose_code: stale.purpose_code, required_version })
  }

  const wanted = new Map(grants.map((grant) => [grant.purpose_code, grant]))
  const active = await listActiveConsents(tx, profileId, organizationId, [...wanted.keys()])
  const kept = active.filter((row) => wanted.get(row.purpose_code)?.purpose_version === row.purpose_version)
  const outdated = active.filter((row) => !kept.includes(row)).map((row) => row.id)
  const missing = [...wanted.values()].filter((grant) => !kept.some((row) => row.purpose_code === grant.purpose_code))
  if (outdated.length > 0) await supersedeConsents(tx, outdated, grantedBy)
  const inserted = missing.length > 0 ? await insertConsents(tx, of, missing) : []
  const rows = new Map([...kept, ...inserted].map((row) => [row.purpose_code, row]))
  return [...wanted.keys()].map((code) => rows.get(code)).filter((row) => row !== undefined)
}
