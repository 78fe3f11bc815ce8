import { refusal } from '@tendon/http'

export const invalidSignature = refusal(
  403,
  'invalid_signature',
  'This link is not complete or was changed. Copy the whole link, or ask for a new one where you found it.',
)
export const linkExpired = refusal(403, 'link_expired', 'This link has expired. Ask for a new link where you found it.')
export const objectNotFound = refusal(
  404,
  'not_found',
  'The file of this link no longer exists. Ask the person who gave you the link.',
)
export const rangeNotSatisfiable = refusal(
  416,
  'range_not_satisfiable',
  'The range is outside the file. Request a range within the length given in Content-Range.',
)
