import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { type Cost, judge } from './judge.ts'
import type { Explained, PlanNode } from './plan.ts'

const TABLES = new Set(['patients', 'patient_profiles'])
const PATIENTS_OF_A_CLINIC = 4_000
const NONE = { wholeTables: [], growing: [] }
const BY_PERSON = `select * from patient_profiles where human_id = '00000000-0000-4000-8000-000000000001'`
const OF_CLINIC = 'select count(*) from patients where organization_id = $1'

describe('what is wrong with the plans of a request', () => {
  let database: TestDatabase
  let clinic: string
  before(async () => {
    database = await createTestDatabase()
    clinic = await addClinic('first')
  })
  after(() => database.drop())

  async function addClinic(slug: string): Promise<string> {
    const [row] = await database.query<{ id: string }>(
      `with clinic as (insert into organizations (name, slug) values ($1, $1) returning id),
         profiles as (insert into patient_profiles (organization_id)
           select id from clinic, generate_series(1, ${PATIENTS_OF_A_CLINIC}) returning id, organization_id),
         people as (insert into patients (organization_id, patient_profile_id, first_name, last_name)
           select organization_id, id, 'Maria', 'Stan' from profiles)
       select id from clinic`,
      [slug],
    )
    await database.query('vacuum (analyze) patients, patient_profiles')
    return row?.id ?? ''
  }

  async function explain(text: string, values: unknown[] = []): Promise<Explained> {
    const [row] = await database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const plan = row?.['QUERY PLAN'][0]?.Plan
    assert.ok(plan)
    return { 'Query Text': text, Plan: plan }
  }

  const cost = (statements: Explained[], roundTrips = 2): Cost => ({ roundTrips, statements })
  const judged = (few: Cost, many = few) => judge({ route: 'patient', budget: 2, few, many }, TABLES, NONE)

  test('a statement that finds its rows by an index is not reported, one whose index was dropped is', async () => {
    assert.deepEqual(judged(cost([await explain(BY_PERSON)])), [])
    await database.query('drop index patient_profiles_human_id_idx')
    const problems = judged(cost([await explain(BY_PERSON)]))
    assert.deepEqual(problems, [`patient: reads all ${PATIENTS_OF_A_CLINIC} rows of patient_profiles: ${BY_PERSON}`])
  })

  test('a table that may be read whole is not reported', async () => {
    const scan = cost([await explain(`select * from patients where notes = 'knee'`)])
    const measured = { route: 'patient', budget: 2, few: scan, many: scan }
    assert.equal(judge(measured, TABLES, NONE).length, 1)
    assert.deepEqual(judge(measured, TABLES, { ...NONE, wholeTables: [{ table: 'patients', reason: 'a test' }] }), [])
    assert.deepEqual(judge(measured, new Set(), NONE), [], 'belongs to no clinic')
  })

  test('a statement that reads more pages beside more clinics is reported, one of the clinic itself is not', async () => {
    const leaking = 'select count(*) from patients where notes is null'
    const [few, own] = [await explain(leaking), await explain(OF_CLINIC, [clinic])]
    for (let other = 0; other < 6; other += 1) await addClinic(`other-${other}`)
    const many = await explain(leaking)
    const problems = judge({ route: 'count', budget: 2, few: cost([few]), many: cost([many]) }, new Set(), NONE)
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', /^count: \d+ pages with few other clinics, \d+ with many: select count/)
    const known = { route: 'count', statement: 'select count', pages: 10_000, reason: 'a test' }
    const measured = { route: 'count', budget: 2, few: cost([few]), many: cost([many]) }
    assert.deepEqual(judge(measured, new Set(), { ...NONE, growing: [known] }), [])
    assert.equal(judge(measured, new Set(), { ...NONE, growing: [{ ...known, pages: 1 }] }).length, 1)
    const same = { route: 'count', budget: 2, few: cost([own]), many: cost([await explain(OF_CLINIC, [clinic])]) }
    assert.deepEqual(judge(same, new Set(), NONE), [])
  })

  test('a round trip more than its budget is reported', () => {
    assert.deepEqual(judged(cost([], 3)), ['patient: 3 round trips to the database; the budget is 2'])
    assert.deepEqual(judged(cost([], 2)), [])
  })
})
