import { holds } from '@tendon/access'
import type { AutomationDefinition } from '@tendon/contracts'
import { forbidden } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { codesOf } from './action-rules.ts'
import { MESSAGE_RECEIVED } from './triggers.ts'

/** Refuses (403) a caller who lacks a permission that the rule needs, and names it. */
export function mustHoldCodes({ caller }: FastifyRequest, rule: AutomationDefinition): void {
  const codes = [
    ...codesOf(rule),
    ...(rule.trigger.event === MESSAGE_RECEIVED ? ['organizations.manage_integrations'] : []),
  ]
  const missing = codes.find((code) => !holds(caller, code))
  if (missing !== undefined) throw forbidden({ required: missing })
}
