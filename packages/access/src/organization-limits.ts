import type { Database } from '@tendon/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'

const MAX_ORGANIZATIONS = 10_000
const REFRESH_MS = 60_000
const DEFAULT_PER_MINUTE = 6_000

/**
 * Requests a minute of each organization, from its plan. The first requests of an organization use the default until its
 * plan is read. `override` replaces the limits of all plans.
 */
export function createOrganizationLimits(db: Pick<Database, 'tenant'>, override: number | undefined) {
  const known = new LRUCache<string, number>({
    max: MAX_ORGANIZATIONS,
    ttl: REFRESH_MS,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: (organizationId) => findPerMinute(db, organizationId),
  })

  return (organizationId: string): number => {
    if (override !== undefined) return override
    const current = known.get(organizationId, { allowStale: true }) ?? DEFAULT_PER_MINUTE
    // An unavailable database leaves the current limit in force.
    if (known.getRemainingTTL(organizationId) <= 0) known.fetch(organizationId).catch(() => {})
    return current
  }
}

async function findPerMinute(db: Pick<Database, 'tenant'>, organizationId: string): Promise<number> {
  const context = { principalId: null, organizationId, permissions: '' } as const
  const { rows } = await db.tenant(context, (tx) =>
    sql<{ requests_per_minute: number | null }>`
      select p.requests_per_minute from organizations o join plans p on p.code = o.plan
      where o.id = (select current_app_org_id())`.execute(tx),
  )
  return rows[0]?.requests_per_minute ?? DEFAULT_PER_MINUTE
}
