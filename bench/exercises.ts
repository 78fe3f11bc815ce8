import { randomUUID } from 'node:crypto'
import { exerciseList, type List } from '@tendon/contracts'
import { Database, urlFor } from '@tendon/db'
import { parseList } from '@tendon/http'
import { createTestDatabase, TEST_ROLE_SECRET, type TestDatabase } from '@tendon/testing'
import pg from 'pg'
import { listExercises } from '../apps/core/src/features/exercise-library/exercises/list-queries.ts'
import type { BenchOptions } from './bench.ts'
import { withBusy } from './busy.ts'
import { adminOf, serverEnv } from './clinics.ts'
import { seedExercises } from './exercises-seed.ts'
import { load, loop } from './load.ts'
import { Report } from './report.ts'

const CONNECTIONS = 16
const RATE = 200
const SEARCHES = ['genunchi', 'umar', 'intindere', 'flexie sold', 'spate']

/** The list with search and three filters, over 20,000 exercises in 200 clinics, compared with hand-written SQL. */
export async function benchExercises({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const { clinics, tags } = await seedExercises(database)
  const core = await startServer('core', '', serverEnv(database, issuer, dataDir))
  const { port } = core
  const tokens = await Promise.all(
    clinics.slice(0, 64).map(async (clinic) => (await adminOf(clinic, { database, issuer, port })).token),
  )
  await database.query('analyze') // as autovacuum would have done by then

  let turn = 0
  const nextQuery = () => {
    turn += 1
    return {
      q: SEARCHES[turn % SEARCHES.length] ?? '',
      body_region_id: tags.body_region[turn % tags.body_region.length] ?? '',
      recovery_phase_id: tags.recovery_phase[turn % tags.recovery_phase.length] ?? '',
      difficulty: 'beginner',
    }
  }
  const request = (lane: number) =>
    `GET /v1/exercises?${new URLSearchParams(nextQuery()).toString()} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tokens[lane % tokens.length]}\r\n\r\n`

  const db = new Database({ ...database.options, login: 'tendon_app', poolSize: 10 })
  const permissions = ',exercises.view_published,exercises.manage_org,'
  const underPolicies = (lane: number) => {
    const context = { principalId: randomUUID(), organizationId: clinics[lane] ?? null, permissions }
    return db.tenant(context, (tx) => listExercises(tx, parseList(exerciseList, nextQuery())))
  }
  const owner = ownerOf(database)
  const byHand = (lane: number) => owner.list(clinics[lane] ?? '', parseList(exerciseList, nextQuery()))

  // Both must return the same rows; both are warmed up first.
  const shown = { q: 'genunchi', difficulty: 'beginner' }
  const list = parseList(exerciseList, shown)
  const own = await db.tenant({ principalId: null, organizationId: clinics[0] ?? null, permissions }, (tx) =>
    listExercises(tx, list),
  )
  const other = await owner.list(clinics[0] ?? '', list)
  if (own.total !== other.total || own.total === 0) throw new Error(`${own.total} rows, by hand ${other.total}`)
  await loop(1, CONNECTIONS, byHand)
  await loop(1, CONNECTIONS, underPolicies)
  await load({ port, connections: CONNECTIONS, seconds: 1, request })

  const report = new Report()
  const slices = { policies: 0, hand: 0 }
  const SLICES = 4
  for (let slice = 0; slice < SLICES; slice += 1) {
    slices.hand += (await loop(seconds / SLICES, CONNECTIONS, byHand)) / SLICES
    slices.policies += (await loop(seconds / SLICES, CONNECTIONS, underPolicies)) / SLICES
  }
  const [steady, busy] = await withBusy(core, () =>
    load({ port, connections: 64, seconds: seconds * 2, rate: RATE, request }),
  )
  report.row('exercises: search and three filters, hand-written SQL, no policies', slices.hand)
  report.row('exercises: the same with the API’s query and policies', slices.policies)
  report.load(`GET /v1/exercises?q=…, three filters, at ${RATE} a second`, steady)
  report.ratio('exercises with policies ÷ hand-written', slices.policies / slices.hand, 0.5)
  report.below(`p95 of GET /v1/exercises at ${RATE} a second (ms)`, steady.p95, 50)
  report.bound(`GET /v1/exercises at ${RATE} a second`, busy)
  report.print()

  await owner.close()
  await db.close()
}

/** The same rows by a hand-written query, with a login without policies, without a transaction. */
function ownerOf(database: TestDatabase) {
  const connectionString = urlFor('tendon_platform', database.url, TEST_ROLE_SECRET)
  const pool = new pg.Pool({ connectionString, max: 10, pipeline: true })
  const WHERE = `from exercises e
    where (organization_id = $1 or organization_id is null) and deleted_at is null and difficulty = $2
      and ($3::uuid is null or exists (select 1 from exercise_tags t where t.exercise_id = e.id and t.tag_id = $3))
      and ($4::uuid is null or exists (select 1 from exercise_tags t where t.exercise_id = e.id and t.tag_id = $4))
      and search_text like all ($5)`
  const statements = {
    page: `select id, organization_id, name, slug, description, difficulty, estimated_duration_seconds, kind, status, video_url,
        video_provider, video_thumbnail_url, video_duration_seconds, cloned_from_id, translations, created_at, updated_at,
        (select count(*) from exercise_instructions i where i.exercise_id = e.id) as instructions_count
      ${WHERE} order by created_at desc, id desc limit $6 offset $7`,
    total: `select count(*)::integer as total ${WHERE}`,
    tags: `select x.exercise_id, t.axis, t.id, t.name, t.slug, t.body_area, t.icd10_code
      from exercise_tags x join taxonomy_tags t on t.id = x.tag_id where x.exercise_id = any ($1) order by t.sort_order, t.name`,
    prerequisites: `select p.exercise_id, e.id, e.name, e.slug from exercise_prerequisites p
      join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null where p.exercise_id = any ($1)`,
    contraindications: `select c.*, t.slug, t.name, t.icd10_code from exercise_contraindications c
      join taxonomy_tags t on t.id = c.condition_id where c.exercise_id = any ($1)`,
    poseConfigs: `select distinct on (exercise_id) exercise_id, id, tracking_enabled, engine_code, status, pinned_asset_version
      from exercise_pose_configs where exercise_id = any ($1) order by exercise_id, version desc`,
  }

  async function list(clinic: string, { filters, q, limit, page }: List) {
    const words = (q ?? '').split(' ').map((word) => `%${word}%`)
    const { body_region_id, recovery_phase_id, difficulty } = filters
    const values = [clinic, difficulty?.[0], body_region_id?.[0] ?? null, recovery_phase_id?.[0] ?? null, words]
    const client = await pool.connect()
    const run = (name: keyof typeof statements, given: unknown[]) =>
      client.query({ name, text: statements[name], values: given })
    try {
      const [rows, counted] = await Promise.all([
        run('page', [...values, limit, (page - 1) * limit]),
        run('total', values),
      ])
      const ids = [rows.rows.map(({ id }) => id)]
      const parts = ['tags', 'prerequisites', 'contraindications', 'poseConfigs'] as const
      await Promise.all(parts.map((part) => run(part, ids)))
      return { total: counted.rows[0]?.total as number }
    } finally {
      client.release()
    }
  }
  return { list, close: () => pool.end() }
}
