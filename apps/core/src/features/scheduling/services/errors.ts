import { type Constraints, fieldRefusal, refusal } from '@tendon/http'

export const serviceNotFound = refusal(
  404,
  'service_not_found',
  'Your organization has no service with this id. List its services to see those it has.',
)
export const slugExists = refusal(
  409,
  'slug_exists',
  'Another service of your organization has this slug. Choose another slug.',
)
export const serviceInUse = refusal(
  409,
  'service_in_use',
  'The service has appointments in the future. Cancel or move them first, or archive the service.',
)

export const serviceConstraints: Constraints = {
  services_slug_key: slugExists,
  services_specialty_fkey: fieldRefusal('specialty_id', 'must name a specialty of your organization'),
  services_intake_form_template_fkey: fieldRefusal(
    'intake_form_template_id',
    'must name a form template of your organization',
  ),
  service_specialists_specialist_fkey: fieldRefusal('specialist_ids', 'must name specialists of your organization'),
  service_locations_location_fkey: fieldRefusal('location_ids', 'must name locations of your organization'),
}
