import { refusal } from '@tendon/http'
import { MAX_EXECUTIONS_PER_HOUR, MAX_EXECUTIONS_PER_RULE, RESERVED_EXECUTIONS } from './quota-rules.ts'
import { MAX_RULES } from './rules.ts'

export const ruleNotFound = refusal(
  404,
  'rule_not_found',
  'Your organization has no automation rule with this id. List its rules to see them.',
)
export const executionNotFound = refusal(
  404,
  'execution_not_found',
  'Your organization has no automation execution with this id. List its executions to see them.',
)
export const executionRunning = refusal(
  409,
  'execution_running',
  'This execution or a retry of it has not ended. Cancel it or wait until it has ended.',
)
export const executionRetried = refusal(
  409,
  'execution_retried',
  'A retry of this execution has succeeded. Retry that one to run the actions once more.',
)
export const executionEnded = refusal(409, 'execution_ended', 'This execution has ended. It cannot be canceled.')
const LIMITS = {
  max: MAX_EXECUTIONS_PER_HOUR,
  max_of_rule: MAX_EXECUTIONS_PER_RULE,
  reserved: RESERVED_EXECUTIONS,
}
export const executionQuotaReached = refusal(
  429,
  'execution_quota_reached',
  'Your organization or this rule has started the maximum number of executions in the last hour ({max} for an organization, of which {reserved} are kept for reports of pain, and {max_of_rule} for a rule). Try again later.',
  LIMITS,
)
export const quotaReached = () => executionQuotaReached(LIMITS, { 'retry-after': '600' })
export const invalidRule = refusal(422, 'invalid_rule', 'The rule is not valid. Correct the listed fields.', {
  fields: { 'actions.0.params': 'must contain subscription_uid' },
})
export const tooManyRules = refusal(
  403,
  'limit_exceeded',
  `An organization can have ${MAX_RULES} automation rules. Delete one that you no longer need.`,
)
