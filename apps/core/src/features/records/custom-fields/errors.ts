import { MAX_CUSTOM_FIELDS } from '@tendon/contracts'
import { type Constraints, invalidField, namedConflict, namedRefusal } from '@tendon/http'

export const fieldNotFound = namedRefusal(
  404,
  'NotFoundError',
  'Your clinic has no field with this id. GET /v1/custom-fields lists those it has.',
)
export const versionNotFound = namedRefusal(
  404,
  'NotFoundError',
  'The field has no such version. GET /v1/custom-fields/{id}/versions lists those it has.',
)
export const systemField = namedRefusal(
  403,
  'ForbiddenError',
  'This field belongs to the platform and cannot be changed. Create your own field instead.',
  { system_key: 'occupation', reason: 'Fields of the platform cannot be changed or deleted.' },
)
export const keyTaken = invalidField(
  'key',
  'is used by another field of this entity type. Choose another key, or edit that field.',
)
export const keyTakenMeanwhile = namedConflict(
  'key_taken',
  'Another field of this entity type has the same key now. Delete that field, or create this one again with another key.',
)
export const fieldLimitReached = namedConflict(
  'too_many_fields',
  `This entity type already has ${MAX_CUSTOM_FIELDS} fields, the maximum. Delete one that is not used.`,
)
export const tooManyFields = invalidField(
  'entity_type',
  `has ${MAX_CUSTOM_FIELDS} fields already, which is the limit. Delete one that is not used.`,
)
export const unknownVersion = invalidField(
  'version',
  'is not a version of this field. GET /v1/custom-fields/{id}/versions lists those it has.',
)

export const customFieldConstraints: Constraints = {
  custom_fields_key_key: keyTaken,
  custom_fields_limit_check: tooManyFields,
}
