import { type Constraints, namedRefusal } from '@tendon/http'

export const segmentNotFound = namedRefusal(
  404,
  'NotFoundError',
  'Your clinic has no segment with this id. GET /v1/segments lists those it has.',
)
export const segmentVersionNotFound = namedRefusal(
  404,
  'NotFoundError',
  'This segment has no such version. GET /v1/segments/{id}/versions lists those it has.',
)
export const patientUnknown = namedRefusal(
  404,
  'NotFoundError',
  'Your clinic has no patient with this id. GET /v1/patients lists those it has.',
)
export const ownExplanation = namedRefusal(
  403,
  'ForbiddenError',
  'This is your own patient record, and patients cannot see private fields. Ask a colleague.',
)
export const tooManySegments = namedRefusal(
  409,
  'ConflictError',
  'Your clinic has reached the limit of 500 segments. Delete one that is no longer used.',
)
export const freshTooSoon = namedRefusal(
  429,
  'RateLimitError',
  'This segment was evaluated less than a minute ago. Retry after {retry_after} seconds, or omit fresh=true.',
  { retry_after: 42 },
)
export const evaluationFailed = namedRefusal(
  500,
  'SegmentEvaluationError',
  'A rule of the segment cannot be evaluated. See "details" for the rule, then change or remove it.',
  {
    segment_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
    patient_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a18',
    failing_rule: { source: 'profile', custom_field_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a19', op: 'is_set' },
    error: 'The custom field of this rule was deleted. Change or remove the rule.',
  },
)

export const segmentConstraints: Constraints = {
  segments_count_check: tooManySegments,
  // Deleted by somebody else meanwhile.
  segment_evaluations_segment_fkey: segmentNotFound,
}
