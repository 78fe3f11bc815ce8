import { type Constraints, refusal } from '@tendon/http'
import { patientNotFound } from '../../people/patients/index.ts'

export const privacyRequestNotFound = refusal(
  404,
  'privacy_request_not_found',
  'Your clinic has no privacy request with this id. List them with GET /v1/gdpr/requests.',
)
export const alreadyErased = refusal(
  409,
  'already_erased',
  'This patient has been erased. The certificate of that request (GET /v1/gdpr/requests) says what was done.',
)
export const requestUnderWay = refusal(
  409,
  'request_under_way',
  'A request of this kind for this patient is in progress. Wait until it is completed, or cancel it (POST /v1/gdpr/requests/{id}/cancel).',
)
export const requestNotCancellable = refusal(
  409,
  'invalid_transition',
  'This request is {status}. Only a request that has not started can be cancelled.',
  { status: 'active' },
)

export const gdprConstraints: Constraints = {
  privacy_requests_active_key: requestUnderWay,
  privacy_requests_patient_fkey: patientNotFound,
}
