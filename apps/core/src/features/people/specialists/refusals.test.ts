import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { scheduling } from '../../scheduling/scheduling.ts'

// The table of errors of the specification, row by row, and the limit of the plan.

interface Clinic {
  id: string
  admin: Person
}

const at = (rest = '') => `/v1/specialists${rest}`
const refusalOf = ({ status, body }: Answer) => [status, body.error?.code]
const count = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length

describe('refusals of specialists', () => {
  let core: TestCore
  /** Specialists with overrides, as scheduling would know them. */
  const overridden = new Set<string>()
  before(async () => {
    const listWeeklyHours = async () => []
    const listOverrides = async (_tx: unknown, id: string) => (overridden.has(id) ? [{}] : [])
    core = await sharedCore({ services: { scheduling: { ...scheduling, listWeeklyHours, listOverrides } } })
  })
  after(() => core.close())

  const clinicOf = (plan = 'pro') => core.organization({ plan })
  const add = (clinic: Clinic, body: unknown) => core.post(at(), { as: clinic.admin, body })
  const change = (clinic: Clinic, id: string, body: unknown) => core.put(at(`/${id}`), { as: clinic.admin, body })
  const remove = (clinic: Clinic, id: string) => core.delete(at(`/${id}`), { as: clinic.admin })
  const used = async (clinic: Clinic) =>
    (await core.get(`/v1/organizations/${clinic.id}/plan`, { as: clinic.admin })).body.data.limits[0].current

  async function added(clinic: Clinic, slug: string, values: object = {}) {
    const { status, body, text } = await add(clinic, { name: 'Ana', slug, ...values })
    assert.equal(status, 201, text)
    return body.data
  }

  /** Each body in a create (with what it lacks) and in a change. */
  async function refuses(clinic: Clinic, bodies: object[], expected: unknown[]) {
    const { id } = await added(clinic, `before-${randomUUID()}`)
    for (const body of bodies) {
      assert.deepEqual(
        refusalOf(await add(clinic, { name: 'Ana', slug: 'ana', ...body })),
        expected,
        JSON.stringify(body),
      )
      assert.deepEqual(refusalOf(await change(clinic, id, body)), expected, JSON.stringify(body))
    }
    assert.equal(await used(clinic), 1)
  }

  test('name_required (400): no name, or a blank one', async () => {
    const clinic = await clinicOf()
    assert.deepEqual(refusalOf(await add(clinic, { slug: 'ana' })), [400, 'name_required'])
    assert.deepEqual(refusalOf(await add(clinic, {})), [400, 'name_required'])
    await refuses(clinic, [{ name: '' }, { name: ' \t' }, { name: null }], [400, 'name_required'])
  })

  test('a name has 1 to 200 characters; more, and any other error, is 422', async () => {
    const clinic = await clinicOf()
    await added(clinic, 'long', { name: 'x'.repeat(200) })
    const { id } = await added(clinic, 'short', { name: 'x' })
    for (const body of [
      { name: 'x'.repeat(201) },
      { name: 5 },
      { title: 5 },
      { human_id: 'x' },
      { specialty_ids: 'x' },
    ]) {
      const answer = await change(clinic, id, body)
      assert.deepEqual(refusalOf(answer), [422, 'validation_failed'])
      assert.deepEqual(Object.keys(answer.body.error.fields), Object.keys(body))
    }
  })

  test('slug_required (400): no slug, or a blank one', async () => {
    const clinic = await clinicOf()
    assert.deepEqual(refusalOf(await add(clinic, { name: 'Ana' })), [400, 'slug_required'])
    await refuses(clinic, [{ slug: '' }, { slug: ' ' }, { slug: null }], [400, 'slug_required'])
  })

  test('invalid_slug (400): anything but lower-case letters, digits and hyphens', async () => {
    const wrong = ['Ana', 'ana ionescu', 'ana_ionescu', 'ană', 'ana.', '-ana', 'ana-', '-', 'ana\n', 5, 'x'.repeat(201)]
    await refuses(
      await clinicOf(),
      wrong.map((slug) => ({ slug })),
      [400, 'invalid_slug'],
    )
    const clinic = await clinicOf()
    for (const slug of ['a', '7', 'ana-2', 'dr--ana', '0-9']) await added(clinic, slug)
  })

  test('invalid_timezone (400): anything but an IANA zone', async () => {
    const wrong = ['Mars/Olympus', '+02:00', 'UTC+2', 'PST', 'Europe/Bucharest ', '', null, 5]
    await refuses(
      await clinicOf(),
      wrong.map((scheduling_timezone) => ({ scheduling_timezone })),
      [400, 'invalid_timezone'],
    )
    const clinic = await clinicOf()
    for (const [index, zone] of ['UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3', 'Asia/Kolkata'].entries()) {
      await added(clinic, `zone-${index}`, { scheduling_timezone: zone })
    }
  })

  test('timezone_locked (400): the zone stays while there are overrides', async () => {
    const clinic = await clinicOf()
    const { id } = await added(clinic, 'ana', { scheduling_timezone: 'Europe/Bucharest' })
    overridden.add(id)
    const refused = await change(clinic, id, { name: 'Other', scheduling_timezone: 'Europe/Paris' })
    assert.deepEqual(refusalOf(refused), [400, 'timezone_locked'])
    const same = await change(clinic, id, { title: 'Dr.', scheduling_timezone: 'Europe/Bucharest' })
    assert.deepEqual([same.status, same.body.data.name, same.body.data.title], [200, 'Ana', 'Dr.'])
    overridden.delete(id)
    assert.equal((await change(clinic, id, { scheduling_timezone: 'Europe/Paris' })).status, 200)
  })

  test('slug_exists (409): a slug is unique among specialists that are not deleted, also in a race', async () => {
    const [clinic, other] = [await clinicOf(), await clinicOf()]
    const { id } = await added(clinic, 'first')
    await added(clinic, 'second')
    await added(other, 'first')
    assert.deepEqual(refusalOf(await add(clinic, { name: 'Dan', slug: 'first' })), [409, 'slug_exists'])
    assert.deepEqual(refusalOf(await change(clinic, id, { slug: 'second' })), [409, 'slug_exists'])
    const race = await Promise.all(Array.from({ length: 5 }, () => add(clinic, { name: 'Dan', slug: 'race' })))
    assert.deepEqual([count(race, 201), count(race, 409)], [1, 4])
    assert.equal(await used(clinic), 3, 'what is refused is not counted')
  })

  test('already_deleted (409): of parallel deletions one wins, and the usage decreases by one', async () => {
    const clinic = await clinicOf()
    await added(clinic, 'stays')
    const { id } = await added(clinic, 'gone')
    const answers = await Promise.all([1, 2, 3].map(() => remove(clinic, id)))
    assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 2])
    assert.deepEqual(refusalOf(await remove(clinic, id)), [409, 'already_deleted'])
    assert.equal(await used(clinic), 1)
    assert.deepEqual(refusalOf(await remove(await clinicOf(), id)), [404, 'specialist_not_found'])
  })

  test('user_not_found (404): a human_id that is not a member here', async () => {
    const [clinic, other] = [await core.organization({ plan: 'pro' }), await clinicOf()]
    const patient = await core.signIn()
    await core.patient(clinic, patient)
    const service = await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Robot', role_id: clinic.roles.specialist },
    })
    assert.equal(service.status, 201, service.text)
    const strangers = [randomUUID(), other.admin.id, patient.id, service.body.data.id]
    await refuses(
      clinic,
      strangers.map((human_id) => ({ human_id })),
      [404, 'user_not_found'],
    )
  })

  test('user_taken (409): a person has one specialist in an organization', async () => {
    const [clinic, other] = [await clinicOf(), await clinicOf()]
    const { id: human_id } = clinic.admin
    await added(clinic, 'first', { human_id })
    const second = await added(clinic, 'second')
    assert.deepEqual(refusalOf(await add(clinic, { name: 'Dan', slug: 'dan', human_id })), [409, 'user_taken'])
    assert.deepEqual(refusalOf(await change(clinic, second.id, { human_id })), [409, 'user_taken'])
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) select $1, $2, id from roles where organization_id = $1 limit 1',
      [other.id, human_id],
    )
    await added(other, 'first', { human_id })
  })

  test('specialty_not_found (404): one bad id, and nothing is written', async () => {
    const [clinic, other] = [await clinicOf(), await clinicOf()]
    const specialtyOf = async ({ admin }: Clinic) =>
      (await core.post('/v1/specialties', { as: admin, body: { title: 'Sport', slug: 'sport' } })).body.data.id
    const [own, foreign] = [await specialtyOf(clinic), await specialtyOf(other)]
    await refuses(
      clinic,
      [foreign, randomUUID(), 'not-an-id'].map((bad) => ({ specialty_ids: [own, bad] })),
      [404, 'specialty_not_found'],
    )
  })

  test('limit_exceeded (403): the free plan allows two, also of many at once', async () => {
    const clinic = await clinicOf('free')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => add(clinic, { name: 'Ana', slug: `ana-${n}` })),
    )
    assert.deepEqual([count(answers, 201), count(answers, 403)], [2, 10])
    const { error } = (await add(clinic, { name: 'Ana', slug: 'more' })).body
    assert.deepEqual(
      [error.code, error.limit],
      ['limit_exceeded', { name: 'max_specialists', max: 2, current: 2, plan: 'free' }],
    )
    assert.equal((await core.get(at(), { as: clinic.admin })).body.pagination.total, 2)
    const one = answers.find(({ status }) => status === 201)
    await remove(clinic, one?.body.data.id)
    const again = await Promise.all([1, 2, 3].map((n) => add(clinic, { name: 'Ana', slug: `again-${n}` })))
    assert.deepEqual([count(again, 201), count(again, 403)], [1, 2])
  })

  test('pro allows twenty, dedicated any number; a larger plan applies immediately', async () => {
    const clinic = await clinicOf('pro')
    const fill = (from: number, length: number) =>
      Promise.all(Array.from({ length }, (_, n) => add(clinic, { name: 'Ana', slug: `ana-${from + n}` })))
    assert.equal(count(await fill(0, 22), 201), 20)
    const refused = await add(clinic, { name: 'Ana', slug: 'more' })
    assert.deepEqual(refused.body.error.limit, { name: 'max_specialists', max: 20, current: 20, plan: 'pro' })
    const operator = await core.superadmin()
    await core.put(`/v1/organizations/${clinic.id}/plan`, { as: operator, body: { plan: 'dedicated' } })
    assert.equal(count(await fill(100, 3), 201), 3)
    assert.equal(await used(clinic), 23)
  })
})
