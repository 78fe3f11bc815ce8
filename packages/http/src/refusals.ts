import { type Refusal, refusal } from './errors.ts'

// Refusals that any endpoint may give. Those of one feature stand in its own errors.ts.

export const unauthenticated = refusal(
  401,
  'unauthenticated',
  'Sign in first: send a valid session token or API key as "Authorization: Bearer <token>".',
)
export const crossSite = refusal(
  403,
  'cross_site',
  'A write with a session cookie must come from a page of the web app itself, with the header X-Tendon-Web. Other clients send a session token or API key.',
)
export const forbidden = refusal(
  403,
  'forbidden',
  'You need the permission {required} for this. Ask an admin of your clinic for it.',
  {
    required: 'organizations.update',
  },
)
export const recordForbidden = refusal(
  403,
  'forbidden',
  'You may not do this with this record. Check that it belongs to your organization, or ask an admin of your clinic.',
)
export const notAMember = refusal(
  403,
  'forbidden',
  'You do not belong to the organization that X-Organization-ID names. Leave the header out, or name one of yours (GET /v1/organizations).',
)
export const membershipRequired = refusal(
  403,
  'forbidden',
  'This is for the staff of a clinic. You have no role in the current organization; ask an admin of the clinic to invite you.',
)
export const superadminOnly = refusal(403, 'forbidden', 'Only an operator of the platform (superadmin) may do this.')
export const patientsOnly = refusal(
  403,
  'forbidden',
  'This is for patients. Your account has no patient record; ask your clinic to invite the e-mail address you sign in with.',
)
export const impersonationReadOnly = refusal(
  403,
  'forbidden',
  'While you look through a patient’s eyes you can only read. Use your own session to make changes.',
)
export const breakGlassRequired = refusal(
  403,
  'break_glass_required',
  'Patient data of a clinic opens to an operator only by break-glass. Ask for it with POST /v1/admin/break-glass, then name the clinic in X-Organization-ID.',
)
export const breakGlassReadOnly = refusal(403, 'forbidden', 'Under break-glass you can only read.')
export const consentRequired = refusal(
  412,
  'consent_required',
  'Before you go on, read and accept what is listed in "missing_purposes" (POST /v1/me/consents).',
  {
    missing_purposes: [
      {
        organization_id: null,
        purpose_code: 'platform_terms',
        required_version: 1,
        body: 'The terms of the platform …',
      },
    ],
  },
)
export const featureConsentRequired = refusal(
  403,
  'consent_required',
  'This needs your consent to {missing_purpose}. Give it with POST /v1/me/consents.',
  { missing_purpose: 'telerehab' },
)
export const processingRestricted = refusal(
  409,
  'processing_restricted',
  'The processing of this patient’s data is restricted. Lift the restriction first (POST /v1/gdpr/restrict).',
)
export const organizationMismatch = refusal(
  403,
  'organization_mismatch',
  'The organization in the address is not your current one. If it is one of yours (GET /v1/organizations), name it in X-Organization-ID, or switch with PUT /v1/me/switch-organization.',
)
export const organizationNotFound = refusal(404, 'organization_not_found', 'There is no organization with this id.')
export const notFound = refusal(404, 'not_found', 'There is nothing at this address. Check the path and the ids in it.')
export const methodNotAllowed = refusal(
  405,
  'method_not_allowed',
  'This address does not take {method}. It takes {allowed}.',
  {
    method: 'POST',
    allowed: 'GET',
  },
)
export const validationFailed = refusal(
  422,
  'validation_failed',
  'The request is not valid. See "fields" for what to change.',
  {
    fields: { name: 'is required' },
    reasons: { name: { code: 'required' } },
  },
)
/** validation_failed that always names this field: for constraints that the value of one field violates. */
export function fieldRefusal(field: string, reason: string): Refusal {
  const extra = { fields: { [field]: reason } }
  const { status, code, words, envelope } = validationFailed
  return Object.assign(() => validationFailed(extra), { status, code, words, example: extra, envelope })
}
export const payloadTooLarge = refusal(413, 'payload_too_large', 'The body is larger than this address takes.')
export const unsupportedMediaType = refusal(
  415,
  'unsupported_media_type',
  'Send JSON, with "Content-Type: application/json".',
)
export const unsupportedEncoding = refusal(
  415,
  'unsupported_media_type',
  'Send the body uncompressed and in UTF-8: without Content-Encoding, and with no other charset in Content-Type.',
)
export const rateLimited = refusal(
  429,
  'rate_limited',
  'Too many requests. Wait for the seconds in Retry-After, then go on.',
)
export const unavailable = refusal(
  503,
  'unavailable',
  'The service cannot answer just now. Try again after the seconds in Retry-After.',
)
export const conflict = refusal(
  409,
  'conflict',
  'The request conflicts with what is stored. Read it again, then retry.',
)
export const requestInProgress = refusal(
  409,
  'conflict',
  'A request with this Idempotency-Key is still under way. Retry after the seconds in Retry-After.',
)
export const idempotencyKeyReused = refusal(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was used for a different request. Use a new key for a new request.',
)
export const internalError = refusal(
  500,
  'internal_error',
  'Something went wrong on our side. Tell support the request id {request_id}.',
  {
    request_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
  },
)
