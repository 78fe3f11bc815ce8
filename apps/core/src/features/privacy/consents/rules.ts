import type { Consent, ConsentState } from '@tendon/contracts'
import type { NewConsent, Purpose } from './queries.ts'

/** What is wrong with each grant's purpose or place, by field; empty: nothing. */
export function problemsOf(
  grants: readonly { purpose_code: string; organization_id: string | null }[],
  purposes: ReadonlyMap<string, Pick<Purpose, 'scope'>>,
  field: string,
): Record<string, string> {
  const fields: Record<string, string> = {}
  grants.forEach((grant, place) => {
    const purpose = purposes.get(grant.purpose_code)
    if (!purpose) fields[`${field}.${place}.purpose_code`] = 'must be the code of a purpose (GET /v1/consent-purposes)'
    else if (purpose.scope === 'platform' && grant.organization_id !== null)
      fields[`${field}.${place}.purpose_code`] = 'is given by the patient on the platform, not at a clinic'
    else if (purpose.scope === 'org' && grant.organization_id === null)
      fields[`${field}.${place}.purpose_code`] = 'is given at a clinic: send its id in organization_id'
  })
  return fields
}

/** The first grant with an outdated version. */
export const firstStale = (grants: readonly NewConsent[], versions: ReadonlyMap<string, { version: number | null }>) =>
  grants.find(({ purpose_code, purpose_version }) => versions.get(purpose_code)?.version !== purpose_version)

/** Name and description of a purpose in the requested language, otherwise in English. */
export const nameOf = ({ name, description, translations }: Purpose, language: string) =>
  translations[language] ?? { name, description }

/**
 * What was agreed to, grouped by place (null: the platform) and purpose. At the given places every purpose that applies
 * stands there, agreed to or not; elsewhere (clinics that were left) only what has a history. Rows come newest first.
 */
export function statesOf(
  places: readonly (string | null)[],
  purposes: readonly Purpose[],
  rows: readonly Consent[],
): ConsentState[] {
  const groups = Map.groupBy(rows, (row) => row.organization_id)
  const former = [...groups.keys()].filter((place) => !places.includes(place))
  return [...places, ...former].flatMap((place) =>
    purposes
      .filter(({ scope }) => (scope === 'platform') === (place === null))
      .map((purpose) => stateOf(place, purpose, groups.get(place) ?? []))
      .filter(({ history }) => places.includes(place) || history.length > 0),
  )
}

function stateOf(place: string | null, purpose: Purpose, rows: readonly Consent[]): ConsentState {
  const { code, scope, legal_basis, withdrawable } = purpose
  const history = rows.filter((row) => row.purpose_code === code)
  return {
    organization_id: place,
    purpose_code: code,
    scope,
    legal_basis,
    withdrawable,
    current: history.find((row) => row.withdrawn_at === null) ?? null,
    history,
  }
}
