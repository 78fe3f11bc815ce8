import { type Constraints, refusal } from '@tendon/http'

export const limitExceeded = refusal(
  403,
  'limit_exceeded',
  'Your clinic has reached a limit of its plan. Remove one you no longer need, or upgrade the plan.',
  { limit: { name: 'max_specialists', max: 2, current: 2, plan: 'free' } },
)

// For a route that forgot withinPlan(): the same refusal, without the numbers.
export const planConstraints: Constraints = { organization_usage_limit_check: limitExceeded }
