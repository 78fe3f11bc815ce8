import { systemContext } from '@tendon/access'
import { Database, urlFor } from '@tendon/db'
import { createTestDatabase, TEST_ROLE_SECRET } from '@tendon/testing'
import pg from 'pg'
import { rebuildSegment } from '../apps/core/src/features/records/segments/evaluation.ts'
import { scheduling } from '../apps/core/src/features/scheduling/scheduling.ts'
import type { BenchOptions } from './bench.ts'
import { adminOf, newClinic, serverEnv } from './clinics.ts'
import { at } from './load.ts'
import { Report } from './report.ts'
import { benchNeighbours } from './segments-neighbours.ts'
import { byHand, seedClinic } from './segments-seed.ts'

const PATIENTS = Number(process.env.BENCH_PATIENTS ?? 100_000)
const SEGMENTS = 100
const ROUNDS = 5
const READERS = 16
const SPIN = `do $$ declare over timestamptz := clock_timestamp() + interval '200 ms'; begin while clock_timestamp() < over loop end loop; end $$`
const TIMES = { lockWaitMs: 60_000, timeoutMs: 300_000 }

/**
 * Full rebuilds of a segment with five mixed rules compared with hand-written SQL; their effect on others; one patient
 * in many segments.
 */
export async function benchSegments({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const { port } = await startServer('core', '', serverEnv(database, issuer, dataDir))
  const clinic = await seedClinic(database, PATIENTS)
  const db = new Database({ ...database.options, login: 'tendon_worker', poolSize: 4 })
  const owner = new pg.Client({ connectionString: urlFor('tendon_platform', database.url, TEST_ROLE_SECRET) })
  await owner.connect()
  const report = new Report()

  const tokenOf = async (organization: string) => (await adminOf(organization, { database, issuer, port })).token

  async function newSegment(): Promise<string> {
    const [row] = await database.query<{ id: string }>(
      `insert into segments (organization_id, name, match_mode, rules) values ($1, 'Bench', $2, $3) returning id`,
      [clinic.id, clinic.definition.match_mode, JSON.stringify(clinic.definition.rules)],
    )
    return row?.id ?? ''
  }
  const rebuild = async (id: string) => {
    const evaluator = { scheduling, now: () => new Date() }
    const outcome = await db.tenant(systemContext(clinic.id), (tx) => rebuildSegment(tx, id, evaluator, TIMES))
    if (!outcome || 'broken' in outcome) throw new Error('not rebuilt')
    return outcome
  }

  // Alternating, so that all run under the same conditions.
  const times: Record<'hand' | 'first' | 'again', number[]> = { hand: [], first: [], again: [] }
  let members = 0
  for (let round = 0; round <= ROUNDS; round += 1) {
    const id = await newSegment()
    // With the planner's choice and with a forced one: the better of the two.
    await owner.query('set enable_nestloop = on')
    const plain = await timed(() => owner.query(byHand(clinic)))
    await owner.query('set enable_nestloop = off')
    const forced = await timed(() => owner.query(byHand(clinic)))
    const hand = plain.ms < forced.ms ? plain : forced
    const first = await timed(() => rebuild(id))
    const again = await timed(() => rebuild(id))
    if (hand.result.rowCount !== first.result.added || again.result.added + again.result.removed > 0)
      throw new Error(`${first.result.added} members, by hand ${hand.result.rowCount}`)
    members = first.result.added
    if (round === 0) continue // warm-up
    times.hand.push(hand.ms)
    times.first.push(first.ms)
    times.again.push(again.ms)
  }

  const rate = (values: number[]) => (PATIENTS / at(values, 0.5)) * 1000
  report.row(`patients matched against five rules, hand-written SQL (${members} match)`, rate(times.hand))
  report.row('patients matched against five rules, first rebuild', rate(times.first))
  report.row('patients matched against five rules, rebuild', rate(times.again))
  report.below('first rebuild ÷ the same by hand', at(times.first, 0.5) / at(times.hand, 0.5), 3)
  report.below('rebuild ÷ the same by hand', at(times.again, 0.5) / at(times.hand, 0.5), 3)

  const clinics = await Promise.all(Array.from({ length: READERS }, (_, index) => smallClinic(index)))
  async function smallClinic(index: number) {
    const id = await newClinic(database, `small-${index}`)
    return { id, token: await tokenOf(id) }
  }
  const request = (lane: number) => {
    const { id, token } = clinics[lane % READERS] as { id: string; token: string }
    return `GET /v1/organizations/${id} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`
  }
  const neighbours = {
    port,
    connections: READERS,
    request,
    seconds: seconds * 0.3,
    async rebuild(stopped: () => boolean) {
      while (!stopped()) {
        const id = await newSegment()
        for (let time = 0; time < 4 && !stopped(); time += 1) await rebuild(id)
      }
    },
    async spin(stopped: () => boolean) {
      while (!stopped()) await owner.query(SPIN)
    },
  }
  await benchNeighbours(report, neighbours)

  await database.query('delete from segments where organization_id = $1', [clinic.id])
  const ids = await Promise.all(Array.from({ length: SEGMENTS }, newSegment))
  await database.query('analyze')
  const token = await tokenOf(clinic.id)
  const call = async (method: string, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(text)
  }
  const evaluations: number[] = []
  const explanations: number[] = []
  for (let turn = 0; turn < 120; turn += 1) {
    const patient = clinic.patients[(turn * 7919) % clinic.patients.length]
    const evaluation = await timed(() => call('POST', `/v1/patients/${patient}/evaluate-segments`))
    const explanation = await timed(() =>
      call('GET', `/v1/segments/${ids[turn % SEGMENTS]}/members/${patient}/explain`),
    )
    if (turn < 20) continue // warm-up
    evaluations.push(evaluation.ms)
    explanations.push(explanation.ms)
  }

  report.below(`one patient against ${SEGMENTS} segments, p95 (ms)`, at(evaluations, 0.95), 20)
  report.below('explain, p95 (ms)', at(explanations, 0.95), 20)
  report.print()

  await owner.end()
  await db.close()
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now()
  const result = await work()
  return { ms: performance.now() - startedAt, result }
}
