// Every method and path that the three documents of the specification name, once each. "CRUD" is list, create, read, update
// and delete; where a document names a path without methods (files of an appointment, products of a service plan), those
// that the product has. Operations whose path a document does not show (feedback, stats, privacy notice) are not listed.

const DOCUMENT_1 = `
GET /health
GET /v1/public/system-info
GET /v1/public/organizations/resolve
GET PATCH /v1/me
PUT /v1/me/switch-organization
GET POST /v1/organizations
GET PATCH /v1/organizations/{}
GET POST /v1/organizations/{}/members
DELETE /v1/organizations/{}/members/{}
GET POST /v1/organizations/{}/roles
PATCH DELETE /v1/organizations/{}/roles/{}
PUT /v1/organizations/{}/roles/{}/permissions
GET /v1/organizations/{}/permissions
GET POST /v1/organizations/{}/domains
DELETE /v1/organizations/{}/domains/{}
POST /v1/organizations/{}/domains/{}/verify
GET POST /v1/organizations/{}/locations
GET PATCH DELETE /v1/organizations/{}/locations/{}
GET /v1/integration-services
GET POST /v1/organizations/{}/integrations
GET PATCH DELETE /v1/organizations/{}/integrations/{}
POST /v1/organizations/{}/integrations/{}/test
PATCH /v1/admin/platform-service-providers/{}
GET POST /v1/me/consents
POST /v1/me/consents/{}/withdraw
GET /v1/organizations/{}/patients/{}/consents
POST /v1/organizations/{}/patients/{}/consents/grant
POST /v1/organizations/{}/patients/{}/consents/{}/withdraw
GET POST /v1/webhook-subscriptions
PATCH DELETE /v1/webhook-subscriptions/{}
GET /v1/webhook-subscriptions/{}/events
POST /v1/webhook-subscriptions/{}/test
GET POST /v1/patients
GET PUT DELETE /v1/patients/{}
GET PUT /v1/patients/{}/profile
POST /v1/patients/{}/impersonate
GET POST /v1/services
GET PATCH DELETE /v1/services/{}
GET POST /v1/service-plans
GET PATCH DELETE /v1/service-plans/{}
GET POST /v1/service-plans/{}/products
DELETE /v1/service-plans/{}/products/{}
GET POST /v1/products
GET PATCH DELETE /v1/products/{}
GET POST /v1/form-templates
GET PUT DELETE /v1/form-templates/{}
POST /v1/form-templates/{}/publish
GET POST /v1/calendars
GET PATCH DELETE /v1/calendars/{}
GET /v1/public/availability
POST /v1/public/holds
DELETE /v1/public/holds/{}
GET /v1/public/holds/{}/stream
GET POST /v1/appointments
GET PATCH DELETE /v1/appointments/{}
POST /v1/public/bookings
GET POST /v1/appointments/{}/files
POST /v1/appointments/{}/reviews
GET POST /v1/pdf-templates
GET PATCH DELETE /v1/pdf-templates/{}
POST /v1/pdf-templates/{}/publish
POST /v1/forms/{}/render
GET /v1/appointment-documents/{}/download
GET POST /v1/automation-rules
GET PATCH DELETE /v1/automation-rules/{}
GET /v1/automation-executions
GET /v1/audit-logs
GET /v1/audit-logs/{}
GET /v1/audit-logs/export
POST /v1/gdpr/export
POST /v1/gdpr/erase
POST /v1/gdpr/restrict`

const DOCUMENT_2 = `
POST /v1/session-runs
GET /v1/session-runs/{}/payload
POST /v1/session-runs/{}/exercise-event
POST /v1/session-runs/{}/pain
GET /v1/session-runs/{}/replay
GET /v1/session-runs/{}/analytics
GET /v1/me/session-runs
GET /v1/patients/{}/session-runs
GET /v1/analytics/cohort/exercise-adherence
GET /v1/admin/platform/exercise-aggregate-counts`

const DOCUMENT_2_TELEMETRY = `
POST /v1/pose/frames
POST /v1/media/events
POST /v1/library/views
GET /v1/healthz`

const DOCUMENT_3 = `
GET POST /v1/forms
GET PUT DELETE /v1/forms/{}
POST /v1/forms/{}/sign
GET POST DELETE /v1/forms/{}/files/{}
GET POST /v1/custom-fields
PUT PATCH DELETE /v1/custom-fields/{}
POST /v1/custom-fields/{}/publish
GET /v1/custom-fields/{}/versions
GET /v1/custom-fields/{}/versions/{}
POST /v1/custom-fields/{}/rollback
GET PUT /v1/specialists/{}/profile
GET /v1/patients/{}/prefill
GET POST /v1/segments
GET PUT DELETE /v1/segments/{}
GET /v1/segments/{}/members
GET /v1/patients/{}/segments
POST /v1/segments/{}/evaluate
GET /v1/segments/{}/evaluation-status
POST /v1/patients/{}/evaluate-segments
GET /v1/segments/{}/versions
GET /v1/segments/{}/versions/{}
GET POST /v1/specialists
GET PUT DELETE /v1/specialists/{}
GET POST /v1/specialties
GET PUT PATCH DELETE /v1/specialties/{}
GET POST /v1/exercises
GET PUT DELETE /v1/exercises/{}
PUT /v1/exercises/{}/status
POST /v1/exercises/{}/clone
POST DELETE /v1/exercises/{}/video
GET POST /v1/exercises/{}/instructions
PUT DELETE /v1/exercises/{}/instructions/{}
POST /v1/exercises/{}/instructions/{}/image
PUT /v1/exercises/{}/instructions/reorder
GET /v1/exercises/{}/pose-config
GET /v1/exercises/{}/prerequisites
POST /v1/admin/exercises/{}/prerequisites
DELETE /v1/admin/exercises/{}/prerequisites/{}
GET /v1/exercises/{}/contraindications
POST DELETE /v1/admin/exercises/{}/tags
GET POST /v1/exercise-categories
PUT DELETE /v1/exercise-categories/{}
GET POST /v1/exercise-body-regions
PUT DELETE /v1/exercise-body-regions/{}
GET POST /v1/exercise-equipment
PUT DELETE /v1/exercise-equipment/{}
GET POST /v1/exercise-movement-patterns
PATCH /v1/exercise-movement-patterns/{}
POST /v1/exercise-movement-patterns/{}/deprecate
GET POST /v1/exercise-recovery-phases
PATCH /v1/exercise-recovery-phases/{}
POST /v1/exercise-recovery-phases/{}/deprecate
GET POST /v1/exercise-conditions
PATCH /v1/exercise-conditions/{}
POST /v1/exercise-conditions/{}/deprecate
GET POST /v1/exercise-skill-prerequisites
PATCH /v1/exercise-skill-prerequisites/{}
POST /v1/exercise-skill-prerequisites/{}/deprecate`

const DOCUMENT_3_COMPOSER = `
POST /v1/exercises/compose
POST /webhooks/videohost`

const routesOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ')
      const path = words.pop() ?? ''
      return words.map((method) => `${method} ${path}`)
    })

/** By the service that answers. */
export const SPECIFIED = {
  core: routesOf(DOCUMENT_1 + DOCUMENT_2 + DOCUMENT_3),
  telemetry: routesOf(DOCUMENT_2_TELEMETRY),
  composer: routesOf(DOCUMENT_3_COMPOSER),
}
