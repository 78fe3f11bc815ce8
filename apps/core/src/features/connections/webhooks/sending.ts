import { OutboundError } from '@tendon/outbound'
import { failureName } from '../../../platform/failure-name.ts'
import type { Services } from '../../../services.ts'
import { causeHeader } from './causes.ts'
import type { LeasedDelivery, Outcome } from './delivery-queries.ts'
import { nextAttemptAt, responseProblem, responseText, retryAfterSeconds } from './rules.ts'
import { type OpenSigningKeys, type SigningKeys, signatureHeaders } from './signatures.ts'

export type Sender = Pick<Services, 'outbound' | 'now' | 'config'> & {
  openKeys: OpenSigningKeys
  random?: () => number
}

/** Makes one attempt, outside any transaction. Never throws; errors are part of the outcome. */
export async function attemptDelivery(sender: Sender, delivery: LeasedDelivery): Promise<Outcome> {
  const { outbound, now, random = Math.random } = sender
  const { id, subscription_id, attempt, body, discard_reason } = delivery
  const requestedAt = now()
  const start = performance.now()
  const of = { id, subscription_id, attempt, requested_at: requestedAt.toISOString() }
  const none = { next_attempt_at: null, discard_reason: null, response_status: null, response_body: null, error: null }
  if (discard_reason !== null || body === null) {
    return { ...none, ...of, status: 'discarded', discard_reason: discard_reason ?? 'patient_erased', duration_ms: 0 }
  }
  const timed = () => ({ ...none, ...of, duration_ms: Math.round(performance.now() - start) })
  const failed = (error: string, retryAfter?: number) => {
    const again = nextAttemptAt(delivery.retry_count, { now: requestedAt, random: random(), retryAfter })
    const next_attempt_at = again?.toISOString() ?? null
    return { ...timed(), status: again ? ('retrying' as const) : ('failed' as const), next_attempt_at, error }
  }
  try {
    const headers = {
      ...signatureHeaders({ id: delivery.event_id, body, at: requestedAt, keys: keysOf(sender, delivery) }),
      ...causeHeader(sender.config, delivery.automation_rule_ids),
    }
    const answer = await outbound.postJson(delivery.url, body, { headers })
    const response = { response_status: answer.status, response_body: responseText(answer.body) }
    const problem = responseProblem(answer.status)
    if (problem === undefined) return { ...timed(), ...response, status: 'delivered' }
    if (problem === 'gone') return { ...timed(), ...response, status: 'failed', error: problem }
    const header = answer.headers['retry-after']
    return { ...failed(problem, retryAfterSeconds(header, requestedAt)), ...response }
  } catch (error) {
    return failed(error instanceof OutboundError ? error.failure : failureName(error))
  }
}

function keysOf({ openKeys }: Sender, delivery: LeasedDelivery): [SigningKeys, ...SigningKeys[]] {
  const owner = { organization_id: delivery.organization_id, uid: delivery.subscription_id }
  const previous = delivery.previous_secret_encrypted
  return [
    openKeys(owner, delivery.secret_encrypted),
    ...(previous ? [openKeys(owner, previous, 'previous_secret_encrypted')] : []),
  ]
}
