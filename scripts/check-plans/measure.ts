import type { TestIssuer } from '@tendon/testing'
import pg from 'pg'
import type { Seeded } from '../seed/seed.ts'
import { type Call, type Request, succeeds } from './call.ts'
import { startMeasuredCore } from './core.ts'
import { type Facts, findFacts } from './facts.ts'
import type { Cost } from './judge.ts'
import type { HotRoute } from './routes.ts'
import { startPlanLog } from './server-log.ts'

/** PostgreSQL chooses the plan of a prepared statement for good at its sixth execution. */
const WARM_UPS = 7

/** What each route costs in this database, one request after the other. */
export async function measureRoutes(
  databaseUrl: string,
  seeded: Seeded,
  issuer: TestIssuer,
  routes: readonly HotRoute[],
): Promise<Map<string, Cost>> {
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  const log = await startPlanLog(databaseUrl)
  const core = await startMeasuredCore(databaseUrl, issuer, seeded.clinics[0]?.domain ?? '')

  async function costOf(route: HotRoute, facts: Facts): Promise<Cost> {
    for (let number = 0; number < WARM_UPS; number += 1) {
      const answer = await succeeds(core.call, await requestOf(route, facts, number, core.call))
      if (route.after) await succeeds(core.call, route.after(answer))
    }
    const measured = await requestOf(route, facts, WARM_UPS, core.call)
    let roundTrips = 0
    const statements = await log.during(async () => {
      roundTrips = await core.countTrips(() => succeeds(core.call, measured))
    })
    return { roundTrips, statements }
  }

  try {
    const facts = await findFacts(admin, seeded, core.call)
    const costs = new Map<string, Cost>()
    for (const route of routes)
      costs.set(
        route.name,
        await costOf(route, facts).catch(({ message }: Error) => ({ roundTrips: 0, statements: [], failure: message })),
      )
    return costs
  } finally {
    await core.close()
    await log.close()
    await admin.end()
  }
}

async function requestOf(
  { method, path, as, body, before }: HotRoute,
  facts: Facts,
  number: number,
  call: Call,
): Promise<Request> {
  const given = before && (await succeeds(call, before(facts, number)))
  return { method, path: path(facts, number), as, ...(body ? { body: body(facts, number, given) } : {}) }
}
