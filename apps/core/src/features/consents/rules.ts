import type { NewConsent, PurposeInForce } from './queries.ts'

/** What is wrong with each grant's purpose or place, by field; empty: nothing. */
export function problemsOf(
  grants: readonly { purpose_code: string; organization_id: string | null }[],
  purposes: ReadonlyMap<string, PurposeInForce>,
  field: string,
): Record<string, string> {
  const fields: Record<string, string> = {}
  grants.forEach((grant, place) => {
    const purpose = purposes.get(grant.purpose_code)
    if (!purpose) fields[`${field}.${place}.purpose_code`] = 'must be the code of a purpose (GET /v1/consent-purposes)'
    else if (purpose.scope === 'platform' && grant.organization_id !== null)
      fields[`${field}.${place}.purpose_code`] = 'is agreed to on the platform, not at a clinic'
    else if (purpose.scope === 'org' && grant.organization_id === null)
      fields[`${field}.${place}.organization_id`] = 'must name the clinic: this purpose is agreed to at a clinic'
  })
  return fields
}

/** The first grant that does not name the version in force. */
export const firstStale = (grants: readonly NewConsent[], purposes: ReadonlyMap<string, PurposeInForce>) =>
  grants.find(({ purpose_code, purpose_version }) => purposes.get(purpose_code)?.version !== purpose_version)
