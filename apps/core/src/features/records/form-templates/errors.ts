import { refusal } from '@tendon/http'

/** For templates and forms: "validation_error 400: values do not match field definitions". */
export const invalidForm = refusal(
  400,
  'validation_error',
  'The request is not valid. See "fields" for what to change.',
  { fields: { 'fields.0.options': 'is required for a field of type select' } },
)
export const formTemplateNotFound = refusal(
  404,
  'form_template_not_found',
  'Your clinic has no form template with this id, or not this version of it. GET /v1/form-templates lists those it has.',
)
export const formTemplateArchived = refusal(
  409,
  'form_template_archived',
  'This template is archived. Unarchive it first with POST /v1/form-templates/{id}/unarchive.',
)
export const formTemplateNotArchived = refusal(409, 'form_template_not_archived', 'This template is not archived.')
export const formTemplateOutdated = refusal(
  409,
  'form_template_outdated',
  'A condition of this template names an option that its custom field no longer has. Correct the conditions in "fields" with PUT /v1/form-templates/{id}, then publish the template again.',
  { fields: { 'fields.1.visible_when.conditions.0.value': 'must be one of Implanted, None' } },
)
export const nothingToPublish = refusal(
  409,
  'nothing_to_publish',
  'The latest version of this template is already published. Change it first with PUT /v1/form-templates/{id}.',
)
