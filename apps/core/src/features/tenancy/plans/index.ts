import type { Caller } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { limitExceeded } from './errors.ts'
import { findPlan } from './queries.ts'

export { limitExceeded } from './errors.ts'

/** The part of a request that is needed here. */
export interface LimitedRequest {
  caller: Pick<Caller, 'organization_id'>
  tenant<Result>(work: (tx: TenantTx) => Promise<Result>): Promise<Result>
}

/**
 * Runs `work`, which counts against the plan of the caller's organization (a trigger calls change_usage). At the cap the
 * refusal contains the numbers; they are read in a new transaction, because the failed one cannot read any more.
 */
export async function withinPlan<Result>(request: LimitedRequest, work: () => Promise<Result>): Promise<Result> {
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
