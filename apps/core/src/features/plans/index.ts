import type { FastifyRequest } from 'fastify'
import { limitExceeded } from './errors.ts'
import { findPlan } from './queries.ts'

export { limitExceeded } from './errors.ts'

/**
 * Runs `work`, which counts against the plan of the caller's organization (a trigger calls use_limit). At the cap the
 * refusal tells the numbers; they are read anew, because the transaction that failed can read nothing more.
 */
export async function withinPlan<Result>(
  request: Pick<FastifyRequest, 'caller' | 'tenant'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { constraint, column } = error as { constraint?: unknown; column?: unknown }
    if (constraint !== 'organization_usage_limit_check') throw error
    const plan = await request.tenant((tx) => findPlan(tx, request.caller.organization_id ?? ''))
    const limit = plan?.limits.find(({ name }) => name === column)
    if (!plan || !limit) throw error
    throw limitExceeded({ limit: { ...limit, plan: plan.plan } })
  }
}
