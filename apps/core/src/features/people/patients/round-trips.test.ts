import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Database } from '@tendon/db'
import { type RoundTrips, startRoundTrips } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

type Clinic = Awaited<ReturnType<TestCore['organization']>>

/** In series, with the look-up of the caller, who is not kept: a new one costs every request its time. */
const BUDGET = {
  one: 3,
  uncached: 4,
  linked: 4,
  list: 2,
  summaries: 4,
  summary: 4,
  timeline: 4,
  create: 5,
  createOnce: 7,
  update: 6,
}

describe('round trips to the database', () => {
  let core: TestCore
  let trips: RoundTrips
  let db: Database
  let clinic: Clinic
  before(async () => {
    const { database } = await sharedCore()
    trips = await startRoundTrips(database.url)
    // One connection for transactions: with two, the count would depend on which of them answers first.
    db = new Database({ ...database.options, login: 'tendon_app', url: trips.url, poolSize: 2 })
    core = await sharedCore({ services: { db }, env: { CALLER_CACHE_MS: '0' } })
    clinic = await core.organization()
    await core.publishNotice(clinic)
    for (let time = 0; time < 3; time += 1) await create() // every statement is prepared, every connection open
  })
  after(async () => {
    await core.close()
    await db.close()
    await trips.close()
  })

  const create = (headers = {}) =>
    core.post('/v1/patients', {
      as: clinic.admin,
      headers,
      body: { first_name: 'Ioana', last_name: 'Pop', email: `${randomUUID()}@mail.example` },
    })
  const read = (id: string) => core.get(`/v1/patients/${id}`, { as: clinic.admin })

  async function counted(status: number, send: () => ReturnType<TestCore['get']>): Promise<number> {
    return trips.count(async () => {
      const answer = await send()
      assert.equal(answer.status, status, answer.text)
    })
  }

  test('reading one patient: the caller, the patient, the audit entry with COMMIT', async () => {
    const { id } = await core.patient(clinic)
    await read(id)
    assert.equal(await counted(200, () => read(id)), BUDGET.one)
  })

  test('reading one patient whose key is not cached looks for the key', async () => {
    const { body } = await create()
    const other = await sharedCore({ services: { db }, env: { CALLER_CACHE_MS: '0' } })
    const readThere = () => other.get(`/v1/patients/${body.data.id}`, { as: clinic.admin })
    await other.get('/v1/me', { as: clinic.admin })
    assert.equal(await counted(200, readThere), BUDGET.uncached)
    assert.equal(await counted(200, readThere), BUDGET.one)
    await other.close()
  })

  test('reading one patient with linked records reads those too', async () => {
    const [main, duplicate] = [await core.patient(clinic), await core.patient(clinic)]
    await core.database.query('update patients set merged_into_id = $1 where id = $2', [main.id, duplicate.id])
    for (const { id } of [main, duplicate]) {
      const { body } = await read(id)
      assert.equal(body.data.linked_records.length, 1)
      assert.equal('has_links' in body.data, false)
      assert.equal(await counted(200, () => read(id)), BUDGET.linked)
    }
  })

  test('listing patients: the caller, then a page and its total with COMMIT', async () => {
    const list = () => core.get('/v1/patients?limit=50', { as: clinic.admin })
    await list()
    assert.equal(await counted(200, list), BUDGET.list)
  })

  test('a list with summaries takes as many round trips for one patient as for twenty', async () => {
    const alone = await core.organization()
    const list = () => core.get('/v1/patients?include=summary', { as: alone.admin })
    await core.patient(alone)
    await list()
    assert.equal(await counted(200, list), BUDGET.summaries)
    for (let time = 1; time < 20; time += 1) await core.patient(alone)
    assert.equal(await counted(200, list), BUDGET.summaries)
  })

  test('the parts of a summary travel together, and so do the kinds of a timeline', async () => {
    const { id } = await core.patient(clinic)
    for (const part of ['summary', 'timeline'] as const) {
      const readPart = () => core.get(`/v1/patients/${id}/${part}`, { as: clinic.admin })
      await readPart()
      assert.equal(await counted(200, readPart), BUDGET[part])
    }
  })

  test(`creating a patient takes ${BUDGET.create} round trips, and ${BUDGET.createOnce} with an Idempotency-Key`, async () => {
    assert.equal(await counted(201, () => create()), BUDGET.create)
    await create({ 'idempotency-key': randomUUID() })
    assert.equal(await counted(201, () => create({ 'idempotency-key': randomUUID() })), BUDGET.createOnce)
  })

  test(`updating a patient takes ${BUDGET.update} round trips`, async () => {
    const { id } = await core.patient(clinic)
    const update = async () => core.put(`/v1/patients/${id}`, { as: clinic.admin, body: await details() })
    const details = async () => ({ first_name: 'Ioana', last_name: randomUUID(), email: 'ioana@mail.example' })
    await update()
    assert.equal(await counted(200, update), BUDGET.update)
  })
})
