import type { Language } from '@tendon/access'
import type { ConsentState, MyConsentState } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { textIn } from '../consent-purposes/index.ts'
import { previewOf } from './preview.ts'
import { countDependents, listAcceptedTexts, listClinicNames, listTextsInForce } from './preview-queries.ts'
import type { Purpose } from './queries.ts'
import { nameOf } from './rules.ts'

const NO_DEPENDENTS = { plans: 0, runs: 0, videos: 0 }

/** Adds names, texts and what a withdrawal stops, in the patient's language. */
export async function describeStates(
  tx: TenantTx,
  states: readonly ConsentState[],
  { purposes, language, now }: { purposes: readonly Purpose[]; language: Language; now: Date },
): Promise<MyConsentState[]> {
  const places = [...new Set(states.map(({ organization_id }) => organization_id))]
  const [clinics, accepted, inForce, dependents] = await Promise.all([
    listClinicNames(tx),
    listAcceptedTexts(tx),
    listTextsInForce(tx, places),
    countDependents(tx, now),
  ])
  const named = new Map(purposes.map((purpose) => [purpose.code, nameOf(purpose, language)]))
  const activeAt = (place: string | null) =>
    states.filter(({ organization_id, current }) => organization_id === place && current !== null).length
  return states.map((state) => {
    const { organization_id: place, purpose_code, current } = state
    const text = inForce.find((one) => one.organization_id === place && one.purpose_code === purpose_code)
    const body = current && accepted.get(current.id)
    return {
      ...state,
      organization_name: place === null ? null : (clinics.get(place) ?? null),
      name: named.get(purpose_code)?.name ?? purpose_code,
      description: named.get(purpose_code)?.description ?? '',
      accepted_body: body ? textIn(body, language) : null,
      text: text
        ? { version: text.version, body: textIn(text.body_translations, language), published_at: text.published_at }
        : null,
      newer_text: current !== null && text !== undefined && text.version !== current.purpose_version,
      withdrawal: previewOf(state, {
        dependents: dependents.get(place ?? '') ?? NO_DEPENDENTS,
        active: activeAt(place),
        language,
      }),
    }
  })
}
