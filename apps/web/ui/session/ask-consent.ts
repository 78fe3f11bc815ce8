import { ApiError, type ConsentPurpose } from '@tendon/sdk'
import { api } from '../api/client.ts'
import { consentGate } from '../api/gates.ts'
import { MAX_PAGE_ROWS, wholeList } from '../api/whole-list.ts'

/** Opens the consent gate for a purpose that a feature needs, such as the camera. Resolves to true when it was accepted. */
export async function askForConsent(code: ConsentPurpose['code'], organization: string): Promise<boolean> {
  const headers = { 'x-organization-id': organization }
  const { items } = await wholeList((page) =>
    api.list('GET /v1/consent-purposes', { query: { page, limit: MAX_PAGE_ROWS }, headers }),
  )
  const purpose = items.find((one) => one.code === code)
  if (!purpose?.current) return false
  const missing = {
    organization_id: purpose.scope === 'org' ? organization : null,
    organization_name: null,
    purpose_code: code,
    purpose_name: purpose.name,
    required_version: purpose.current.version,
    body: purpose.current.body,
  }
  return consentGate.wait(new ApiError(412, { error: { code: 'consent_required', missing_purposes: [missing] } }))
}
