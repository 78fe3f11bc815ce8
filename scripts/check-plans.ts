// `npm run check:plans`: what hot routes cost the database at the size of a real platform. Each is requested from a core
// beside 20 and beside 200 other clinics; the plans of all its statements come from the log of the server.
import { readConfig } from '@tendon/config'
import {
  createTestDatabase,
  startIssuer,
  startMigratedPostgres,
  TEST_ROLE_SECRET,
  type TestDatabase,
} from '@tendon/testing'
import { TENANT_TABLES } from '../apps/core/src/testing/service-statements.ts'
import { EXCEPTIONS } from './check-plans/exceptions.ts'
import { judge } from './check-plans/judge.ts'
import { measureRoutes } from './check-plans/measure.ts'
import { buffersOf } from './check-plans/plan.ts'
import { HOT_ROUTES } from './check-plans/routes.ts'
import { LOGGING } from './check-plans/server-log.ts'
import { seed } from './seed/seed.ts'

const PATIENTS = 10_000
const FEW = 20
const MANY = 200

const startedAt = performance.now()
const say = (line: string) =>
  console.log(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(4)} s  ${line}`)

const postgres = await startMigratedPostgres(say, LOGGING)
const issuer = await startIssuer()
process.env.TEST_DATABASE_URL = postgres.url
try {
  process.exitCode = await check()
} finally {
  await issuer.close()
  await postgres.remove()
}

async function check(): Promise<number> {
  const few = await createTestDatabase()
  const config = readConfig({ NODE_ENV: 'test', DATABASE_ROLE_SECRET: TEST_ROLE_SECRET })
  const write = ({ url }: TestDatabase, clinics: number, patients: number) =>
    seed({ databaseUrl: url, config, size: { clinics, patients }, issuer: issuer.issuer })
  say(`${FEW + 1} clinics, ${PATIENTS} patients in the first`)
  const seeded = await write(few, FEW + 1, PATIENTS)
  const many = await few.copy()
  say(`${MANY - FEW} clinics more in a copy`)
  await write(many, MANY - FEW, 50)
  say(`${HOT_ROUTES.length} routes beside ${FEW} other clinics`)
  const besideFew = await measureRoutes(few.url, seeded, issuer, HOT_ROUTES)
  say(`${HOT_ROUTES.length} routes beside ${MANY} other clinics`)
  const besideMany = await measureRoutes(many.url, seeded, issuer, HOT_ROUTES)
  const tables = new Set((await few.query<{ name: string }>(TENANT_TABLES)).map(({ name }) => name))
  const problems: string[] = []
  for (const { name, roundTrips } of HOT_ROUTES) {
    const [before, after] = [besideFew.get(name), besideMany.get(name)]
    if (!before || !after) continue
    const pages = [before, after].map(({ statements }) => statements.reduce((sum, one) => sum + buffersOf(one), 0))
    console.log(`${name.padEnd(34)}${after.roundTrips} of ${roundTrips} round trips, ${pages.join(' → ')} pages`)
    problems.push(...judge({ route: name, budget: roundTrips, few: before, many: after }, tables, EXCEPTIONS))
  }
  for (const problem of problems) console.error(`✖ ${problem}`)
  say(
    problems.length === 0
      ? 'No problems found.'
      : `Problems: ${problems.length}. Fix them, or list a plan that is right, with the reason, in scripts/check-plans/exceptions.ts.`,
  )
  return problems.length === 0 ? 0 : 1
}
