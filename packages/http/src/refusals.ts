import { type Refusal, refusal } from './errors.ts'

// Refusals that any endpoint may return. Those of one feature are in its own errors.ts.

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
  'You may not do this with this record. Check that it belongs to your organization, or ask an admin of your clinic for access.',
)
export const notAMember = refusal(
  403,
  'forbidden',
  'You do not belong to the organization in X-Organization-ID. Omit the header, or send the id of one of yours (GET /v1/organizations).',
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
  'While you impersonate a patient you can only read. Use your own session to make changes.',
)
export const breakGlassRequired = refusal(
  403,
  'break_glass_required',
  'A superadmin can read patient data of a clinic only with break-glass access. Start it with POST /v1/admin/break-glass, then send the id of the clinic in X-Organization-ID.',
)
export const breakGlassReadOnly = refusal(403, 'forbidden', 'With break-glass access you can only read.')
export const consentRequired = refusal(
  412,
  'consent_required',
  'Read and accept the texts in "missing_purposes" first (POST /v1/me/consents).',
  {
    missing_purposes: [
      {
        organization_id: null,
        organization_name: null,
        purpose_code: 'platform_terms',
        purpose_name: 'Terms of the platform',
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
  'The organization in the URL is not your current one. If it is one of yours (GET /v1/organizations), send its id in X-Organization-ID, or switch with PUT /v1/me/switch-organization.',
)
export const organizationNotFound = refusal(404, 'organization_not_found', 'There is no organization with this id.')
export const notFound = refusal(404, 'not_found', 'There is nothing at this URL. Check the path and the ids in it.')
export const methodNotAllowed = refusal(
  405,
  'method_not_allowed',
  '{method} is not allowed for this URL. Allowed: {allowed}.',
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
export const payloadTooLarge = refusal(413, 'payload_too_large', 'The body is larger than this URL accepts.')
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
export const rateLimited = refusal(429, 'rate_limited', 'Too many requests. Retry after the seconds in Retry-After.')
export const unavailable = refusal(
  503,
  'unavailable',
  'The service is temporarily unavailable. Retry after the seconds in Retry-After.',
)
export const conflict = refusal(
  409,
  'conflict',
  'The request conflicts with what is stored. Read it again, then retry.',
)
export const staleVersion = refusal(
  409,
  'stale_version',
  'Somebody changed this since you read it. Apply your change to "current" and send it with version {current_version}.',
  {
    current_version: 3,
    changed_at: '2026-11-15T09:30:00.000Z',
    changed_by: { principal_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17', name: 'Ana Ionescu' },
  },
)
export const requestInProgress = refusal(
  409,
  'conflict',
  'A request with this Idempotency-Key is still in progress. Retry after the seconds in Retry-After.',
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
