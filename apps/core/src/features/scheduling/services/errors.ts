import { type Constraints, refusal, validationFailed } from '@tendon/http'

export const serviceNotFound = refusal(
  404,
  'service_not_found',
  'Your organization has no service with this id. List its services to see those it has.',
)
export const slugExists = refusal(409, 'slug_exists', 'Another service of your organization has this slug. Choose another slug.')
export const serviceInUse = refusal(
  409,
  'service_in_use',
  'The service has appointments in the future. Cancel or move them first, or archive the service.',
)

const unknown = (field: string, what: string) => () =>
  validationFailed({ fields: { [field]: `must name ${what} of your organization` } })

export const serviceConstraints: Constraints = {
  services_slug_key: slugExists,
  services_specialty_fkey: unknown('specialty_id', 'a specialty'),
  services_intake_form_template_fkey: unknown('intake_form_template_id', 'a form template'),
  service_specialists_specialist_fkey: unknown('specialist_ids', 'specialists'),
  service_locations_location_fkey: unknown('location_ids', 'locations'),
}
