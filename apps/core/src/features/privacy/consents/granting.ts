import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import { privacyNoticeUnpublished, staleVersion, textUnpublished } from './errors.ts'
import {
  insertConsents,
  listActiveConsents,
  listVersionsInForce,
  lockProfiles,
  type NewConsent,
  updateSuperseded,
  type VersionInForce,
} from './queries.ts'
import { firstStale, problemsOf } from './rules.ts'

/** What a route that grants consents must declare. */
export const grantRefusals = [privacyNoticeUnpublished, textUnpublished, staleVersion]

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

/** The active row of a grant, and what was active before: the same row when nothing changed. */
export interface Granted {
  before: Consent | null
  after: Consent
}

export const isNew = ({ before, after }: Granted): boolean => before?.id !== after.id

/**
 * Records what a profile agrees to, all or nothing. What is active at the same version stays as it is; a row of another
 * version is superseded.
 */
export async function insertGrants(tx: TenantTx, of: Grants): Promise<Granted[]> {
  const { profileId, organizationId, grants } = of
  if (grants.length === 0) return []
  // They travel together and run in this order: what is read was committed before this turn began.
  const [, versions, rows] = await Promise.all([
    lockProfiles(tx, [profileId]),
    listVersionsInForce(tx, organizationId),
    listActiveConsents(tx, profileId, organizationId),
  ])
  checkGrants(of, versions)

  const wanted = new Map(grants.map((grant) => [grant.purpose_code, grant]))
  const active = new Map(rows.map((row) => [row.purpose_code, row]))
  const fresh = [...wanted.values()].filter(
    ({ purpose_code, purpose_version }) => active.get(purpose_code)?.purpose_version !== purpose_version,
  )
  const superseded = fresh.flatMap(({ purpose_code }) => active.get(purpose_code)?.id ?? [])
  if (superseded.length > 0) await updateSuperseded(tx, superseded)
  const inserted = fresh.length > 0 ? await insertConsents(tx, of, fresh) : []
  const now = new Map([...active.values(), ...inserted].map((row) => [row.purpose_code, row]))
  return [...wanted.keys()].flatMap((code) => {
    const after = now.get(code)
    return after ? [{ before: active.get(code) ?? null, after }] : []
  })
}

function checkGrants({ organizationId, grants, field = 'grants' }: Grants, inForce: readonly VersionInForce[]): void {
  const versions = new Map(inForce.map((version) => [version.code, version]))
  const placed = grants.map(({ purpose_code }) => ({ purpose_code, organization_id: organizationId }))
  const fields = problemsOf(placed, versions, field)
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
  // The notice has no platform text: without a version the clinic has not published.
  if (organizationId !== null && !versions.get('org_privacy_notice')?.version) throw privacyNoticeUnpublished()
  const stale = firstStale(grants, versions)
  if (!stale) return
  const { purpose_code } = stale
  const required_version = versions.get(purpose_code)?.version ?? null
  throw required_version === null ? textUnpublished({ purpose_code }) : staleVersion({ purpose_code, required_version })
}
