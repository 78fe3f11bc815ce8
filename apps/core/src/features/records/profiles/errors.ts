import { invalidField, namedRefusal } from '@tendon/http'

export const patientNotFound = namedRefusal(
  404,
  'NotFoundError',
  'Your clinic has no patient with this id. GET /v1/patients lists those it has.',
)
export const specialistNotFound = namedRefusal(
  404,
  'NotFoundError',
  'Your clinic has no specialist with this id. GET /v1/specialists lists those it has.',
)
export const nationalIdTaken = invalidField(
  'national_id',
  'belongs to another patient of your clinic. Look for them in GET /v1/patients.',
)
