import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

interface Clinic {
  id: string
  admin: Person
}

const at = (rest = '') => `/v1/specialties${rest}`
const titlesOf = ({ body }: Answer) => body.data.map(({ title }: { title: string }) => title)
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const refusalOf = ({ status, body }: Answer) => [status, body.error?.code]

describe('specialties', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const add = (clinic: Clinic, body: unknown) => core.post(at(), { as: clinic.admin, body })
  const read = (clinic: Clinic, id: string, as = clinic.admin) => core.get(at(`/${id}`), { as })
  const put = (clinic: Clinic, id: string, body: unknown) => core.put(at(`/${id}`), { as: clinic.admin, body })
  const patch = (clinic: Clinic, id: string, body: unknown) => core.patch(at(`/${id}`), { as: clinic.admin, body })
  const remove = (clinic: Clinic, id: string) => core.delete(at(`/${id}`), { as: clinic.admin })
  const list = (clinic: Clinic, query = '', as = clinic.admin) => core.get(at(`?${query}`), { as })

  async function added(clinic: Clinic, title: string, slug = title.toLowerCase()) {
    const { status, body, text } = await add(clinic, { title, slug })
    assert.equal(status, 201, text)
    return body.data
  }

  async function specialist(clinic: Clinic, name: string, specialty_ids: string[]) {
    const body = { name, slug: name.toLowerCase(), specialty_ids }
    const created = await core.post('/v1/specialists', { as: clinic.admin, body })
    assert.equal(created.status, 201, created.text)
    return created.body.data
  }

  test('a new specialty is returned with all fields and its specialists that are not deleted', async () => {
    const clinic = await core.organization()
    const { status, body } = await add(clinic, { title: ' Sport ', slug: 'sport', description: 'Recuperare' })
    assert.equal(status, 201)
    const { id, created_at, updated_at, version, ...rest } = body.data
    assert.equal(version, 1)
    assert.deepEqual(rest, { organization_id: clinic.id, title: 'Sport', slug: 'sport', description: 'Recuperare' })
    assert.equal(created_at, updated_at)
    assert.deepEqual((await read(clinic, id)).body.data, { ...body.data, specialists: [] })
    const [dan, ana] = [await specialist(clinic, 'Dan', [id]), await specialist(clinic, 'Ana', [id])]
    const listed = ({ id, name, title, slug }: typeof ana) => ({ id, name, title, slug })
    assert.deepEqual((await read(clinic, id)).body.data.specialists, [listed(ana), listed(dan)])
    await core.delete(`/v1/specialists/${dan.id}`, { as: clinic.admin })
    assert.deepEqual((await read(clinic, id)).body.data.specialists, [listed(ana)])
  })

  test('PUT and PATCH change the given fields only; null clears', async () => {
    const clinic = await core.organization()
    for (const [slug, change] of Object.entries({ put, patch })) {
      const created = (await add(clinic, { title: 'Sport', slug, description: 'x' })).body.data
      const changed = await change(clinic, created.id, { title: 'Alergare', description: null })
      assert.equal(changed.status, 200, changed.text)
      const { updated_at, version, ...rest } = changed.body.data
      const { updated_at: earlier, version: first, ...original } = created
      assert.ok(version > first)
      assert.deepEqual(rest, { ...original, title: 'Alergare', description: null })
      assert.ok(updated_at > earlier)
      for (const bad of [{}, { id: randomUUID() }, { organization_id: randomUUID() }, { title: 'x'.repeat(201) }]) {
        assert.deepEqual(refusalOf(await change(clinic, created.id, bad)), [422, 'validation_failed'])
      }
    }
  })

  test('title_required, slug_required, invalid_slug (400)', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic, 'Sport')
    assert.deepEqual(refusalOf(await add(clinic, { slug: 'x' })), [400, 'title_required'])
    assert.deepEqual(refusalOf(await add(clinic, { title: 'x' })), [400, 'slug_required'])
    for (const [code, body] of [
      ['title_required', { title: ' ' }],
      ['slug_required', { slug: '' }],
      ['invalid_slug', { slug: 'Two Words' }],
    ] as const) {
      assert.deepEqual(refusalOf(await add(clinic, { title: 'x', slug: 'x', ...body })), [400, code])
      for (const change of [put, patch]) assert.deepEqual(refusalOf(await change(clinic, id, body)), [400, code])
    }
  })

  test('slug_exists (409), also in a race; other organizations have their own', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(clinic, { title: 'Sport', slug: 'sport' })))
    assert.deepEqual(statusesOf(answers), [201, 409, 409, 409])
    assert.deepEqual(refusalOf(await add(clinic, { title: 'Sport', slug: 'sport' })), [409, 'slug_exists'])
    const { id } = await added(clinic, 'Second')
    assert.deepEqual(refusalOf(await patch(clinic, id, { slug: 'sport' })), [409, 'slug_exists'])
    await added(other, 'Sport')
  })

  test('a deleted specialty is removed from its specialists, who stay; its slug can be used again', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic, 'Sport')
    const { id: specialistId } = await specialist(clinic, 'Ana', [id])
    const answers = await Promise.all([remove(clinic, id), remove(clinic, id)])
    assert.deepEqual(statusesOf(answers), [204, 404])
    for (const answer of [await remove(clinic, id), await read(clinic, id), await put(clinic, id, { title: 'x' })]) {
      assert.deepEqual(refusalOf(answer), [404, 'specialty_not_found'])
    }
    const include = 'specialties,weekly_hours,overrides'
    const left = (await core.get(`/v1/specialists/${specialistId}?include=${include}`, { as: clinic.admin })).body.data
    assert.deepEqual([left.specialties, left.weekly_hours, left.overrides], [[], [], []])
    await added(clinic, 'Sport')
  })

  test('a specialty deleted while it is assigned leaves no link behind', async () => {
    const clinic = await core.organization({ plan: 'pro' })
    const { id: specialistId } = await specialist(clinic, 'Ana', [])
    for (let round = 0; round < 5; round += 1) {
      const { id } = await added(clinic, 'Sport')
      const [given, removed] = await Promise.all([
        core.put(`/v1/specialists/${specialistId}`, { as: clinic.admin, body: { specialty_ids: [id] } }),
        remove(clinic, id),
      ])
      assert.ok(given.status === 200 || given.body.error.code === 'specialty_not_found', given.text)
      assert.equal(removed.status, 204)
      const left = await core.get(`/v1/specialists/${specialistId}?include=specialties`, { as: clinic.admin })
      assert.deepEqual(left.body.data.specialties, [])
    }
  })

  test('the list searches without accents, sorts and pages; the picker offers them by title', async () => {
    const clinic = await core.organization()
    for (const [title, slug] of [
      ['Ștretching', 'stretching'],
      ['Sport', 'sport'],
      ['Terapie', 'terapie'],
    ] as const)
      await added(clinic, title, slug)
    assert.deepEqual(titlesOf(await list(clinic)), ['Terapie', 'Sport', 'Ștretching'])
    assert.deepEqual(titlesOf(await list(clinic, 'sort=title')), ['Sport', 'Ștretching', 'Terapie'])
    assert.deepEqual(titlesOf(await list(clinic, 'q=STRET')), ['Ștretching'])
    const page = await list(clinic, 'sort=-title&limit=2&page=2')
    assert.deepEqual([titlesOf(page), page.body.pagination], [['Sport'], { page: 2, limit: 2, total: 3 }])
    const pick = (query = '') => core.get(at(`/picker?${query}`), { as: clinic.admin })
    const sport = (await pick('q=sport')).body.data
    assert.deepEqual(Object.keys(sport[0]).sort(), ['id', 'slug', 'title'])
    assert.deepEqual(titlesOf(await pick()), ['Sport', 'Ștretching', 'Terapie'])
    assert.deepEqual(titlesOf(await pick(`ids=${sport[0].id},nonsense&q=terapie`)), ['Sport'])
  })

  test('reading needs specialists.view_org, writing specialists.manage (403)', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic, 'Sport')
    const viewer = await core.memberWith(clinic, ['specialists.view_org'])
    const nobody = await core.memberWith(clinic, [])
    assert.equal((await read(clinic, id, viewer)).status, 200)
    for (const [required, refused] of [
      ['specialists.view_org', await list(clinic, '', nobody)],
      ['specialists.view_org', await core.get(at('/picker'), { as: nobody })],
      ['specialists.view_org', await read(clinic, id, nobody)],
      ['specialists.manage', await core.post(at(), { as: viewer, body: { title: 'x', slug: 'x' } })],
      ['specialists.manage', await core.put(at(`/${id}`), { as: viewer, body: { title: 'x' } })],
      ['specialists.manage', await core.patch(at(`/${id}`), { as: viewer, body: { title: 'x' } })],
      ['specialists.manage', await core.delete(at(`/${id}`), { as: viewer })],
    ] as const) {
      assert.deepEqual([...refusalOf(refused), refused.body.error.required], [403, 'forbidden', required])
    }
  })

  test("another organization's specialty is not found", async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id } = await added(other, 'Sport')
    for (const unknown of [id, randomUUID()]) {
      for (const answer of [
        await read(clinic, unknown),
        await put(clinic, unknown, { title: 'Mine' }),
        await patch(clinic, unknown, { title: 'Mine' }),
        await remove(clinic, unknown),
      ]) {
        assert.deepEqual(refusalOf(answer), [404, 'specialty_not_found'])
      }
    }
    assert.equal((await read(other, id)).body.data.title, 'Sport')
  })

  test('every write leaves an audit row and an event', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic, 'Sport')
    await patch(clinic, id, { title: 'Alergare' })
    await remove(clinic, id)
    const log = await core.get('/v1/audit-logs?target_type=specialty&sort=occurred_at', { as: clinic.admin })
    assert.deepEqual(
      log.body.data.map(({ action, crud, target }: Record<string, never>) => [action, crud, target]),
      [
        ['specialties.create', 'C', { type: 'specialty', id, label: 'Sport' }],
        ['specialties.update', 'U', { type: 'specialty', id, label: 'Alergare' }],
        ['specialties.delete', 'D', { type: 'specialty', id, label: 'Alergare' }],
      ],
    )
    const events = await core.database.query(
      `select type, payload from outbox_events where organization_id = $1 and type like 'specialty.%' order by occurred_at`,
      [clinic.id],
    )
    assert.deepEqual(
      events,
      ['created', 'updated', 'deleted'].map((what) => ({ type: `specialty.${what}`, payload: { specialty_id: id } })),
    )
  })
})
