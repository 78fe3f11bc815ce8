import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

interface Clinic {
  id: string
  admin: Person
}

const ADDRESS = { line1: 'Strada Lipscani 12', city: 'București', postal_code: '030033', country: 'RO' }
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const namesOf = ({ body }: Answer) => body.data.map(({ name }: { name: string }) => name)

const path = (clinic: { id: string }, rest = '') => `/v1/organizations/${clinic.id}/locations${rest}`

describe('locations', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const add = (clinic: Clinic, body: unknown) => core.post(path(clinic), { as: clinic.admin, body })
  const read = (clinic: Clinic, id: string, as = clinic.admin) => core.get(path(clinic, `/${id}`), { as })
  const change = (clinic: Clinic, id: string, body: unknown) =>
    core.patch(path(clinic, `/${id}`), { as: clinic.admin, body })
  const remove = (clinic: Clinic, id: string) => core.delete(path(clinic, `/${id}`), { as: clinic.admin })
  const list = (clinic: Clinic, query = '', as = clinic.admin) => core.get(path(clinic, `?${query}`), { as })

  async function added(clinic: Clinic, name = 'Centru') {
    const { status, body, text } = await add(clinic, { name })
    assert.equal(status, 201, text)
    return body.data
  }

  test('a new location is returned with all fields; omitted ones are null', async () => {
    const clinic = await core.organization()
    const full = {
      name: 'Centru',
      address: ADDRESS,
      phone: '+40 21 555 0100',
      email: 'centru@clinic.example',
      time_zone: 'Europe/Bucharest',
    }
    const { status, body } = await add(clinic, full)
    assert.equal(status, 201)
    const { id, created_at, updated_at, version, ...rest } = body.data
    assert.equal(version, 1)
    assert.deepEqual(rest, { ...full, deleted_at: null })
    assert.equal(created_at, updated_at)
    assert.deepEqual((await read(clinic, id)).body.data, body.data)
    const bare = await added(clinic, '  Nord ')
    assert.deepEqual(
      [bare.name, bare.address, bare.phone, bare.email, bare.time_zone],
      ['Nord', null, null, null, null],
    )
  })

  test('bad fields are refused, each with its reason (422)', async () => {
    const clinic = await core.organization()
    const { status, body } = await add(clinic, {
      name: ' ',
      email: 'nobody',
      time_zone: '+02:00',
      address: { line1: 'x', city: 'y', country: 'Romania' },
      organization_id: randomUUID(),
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).sort(), [
      'address.country',
      'email',
      'name',
      'organization_id',
      'time_zone',
    ])
    const { id } = await added(clinic)
    for (const changes of [{}, { name: null }, { deleted_at: null }, { time_zone: 'Mars/Olympus' }]) {
      assert.equal((await change(clinic, id, changes)).status, 422, JSON.stringify(changes))
    }
  })

  test('a change affects the given fields only; null clears', async () => {
    const clinic = await core.organization()
    const { body } = await add(clinic, { name: 'Centru', address: ADDRESS, phone: '1', time_zone: 'Europe/Paris' })
    const { id } = body.data
    const changed = await change(clinic, id, { name: 'Vechi', time_zone: null, address: { ...ADDRESS, city: 'Iași' } })
    assert.equal(changed.status, 200, changed.text)
    const { updated_at, version, ...rest } = changed.body.data
    const { updated_at: earlier, version: first, ...original } = body.data
    assert.ok(version > first)
    assert.deepEqual(rest, { ...original, name: 'Vechi', time_zone: null, address: { ...ADDRESS, city: 'Iași' } })
    assert.ok(updated_at >= earlier)
    assert.equal((await change(clinic, id, { address: null })).body.data.address, null)
  })

  test('the name of a location that is not deleted is unique in the organization, in any case and spelling (409)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id } = await added(clinic, 'Mlădița Iași')
    for (const name of ['Mlădița Iași', 'MLĂDIȚA IAȘI', ' mlădița iași ', 'Mlădița Iași'.normalize('NFD')]) {
      const { status, body } = await add(clinic, { name })
      assert.deepEqual([status, body.error?.code], [409, 'location_name_taken'], name)
    }
    const second = await added(clinic, 'Nord')
    assert.equal((await change(clinic, second.id, { name: 'mlădița IAȘI' })).body.error.code, 'location_name_taken')
    assert.equal((await change(clinic, id, { name: 'MLĂDIȚA Iași' })).status, 200)
    await added(other, 'Mlădița Iași')
    await remove(clinic, id)
    await added(clinic, 'Mlădița Iași')
  })

  test('of five parallel creations with one name exactly one wins', async () => {
    const clinic = await core.organization()
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(clinic, { name: 'Sud' })))
    assert.deepEqual(statusesOf(answers), [201, 409, 409, 409, 409])
  })

  test('a repeated Idempotency-Key returns the same location', async () => {
    const clinic = await core.organization()
    const send = () =>
      core.post(path(clinic), { as: clinic.admin, body: { name: 'Sud' }, headers: { 'idempotency-key': 'once' } })
    const answers = await Promise.all([send(), send()])
    assert.deepEqual(statusesOf(answers), [201, 201])
    assert.equal(answers[0]?.text, answers[1]?.text)
  })

  test('the list searches without accents, sorts and pages', async () => {
    const clinic = await core.organization()
    for (const name of ['Brașov', 'Arad', 'Cluj']) await added(clinic, name)
    assert.deepEqual(namesOf(await list(clinic)), ['Cluj', 'Arad', 'Brașov'])
    assert.deepEqual(namesOf(await list(clinic, 'sort=name')), ['Arad', 'Brașov', 'Cluj'])
    assert.deepEqual(namesOf(await list(clinic, 'q=BRASOV')), ['Brașov'])
    const page = await list(clinic, 'sort=-name&limit=2&page=2')
    assert.deepEqual(namesOf(page), ['Arad'])
    assert.deepEqual(page.body.pagination, { page: 2, limit: 2, total: 3 })
    assert.deepEqual(Object.keys((await list(clinic, 'sort=phone')).body.error.fields), ['sort'])
  })

  test('the picker returns ids and names of locations that are not deleted; ids win over q', async () => {
    const clinic = await core.organization()
    const arad = await added(clinic, 'Arad')
    const cluj = await added(clinic, 'Cluj')
    const gone = await added(clinic, 'Gone')
    await remove(clinic, gone.id)
    const pick = (query = '') => core.get(path(clinic, `/picker?${query}`), { as: clinic.admin })
    assert.deepEqual((await pick()).body, {
      data: [
        { id: arad.id, name: 'Arad' },
        { id: cluj.id, name: 'Cluj' },
      ],
    })
    assert.deepEqual(namesOf(await pick('q=clu')), ['Cluj'])
    assert.deepEqual(namesOf(await pick(`ids=${arad.id},${gone.id},nonsense&q=clu`)), ['Arad'])
    assert.deepEqual(namesOf(await pick('limit=1')), ['Arad'])
  })

  test('any member reads; writing needs locations.manage (403)', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic)
    const as = await core.memberWith(clinic, [])
    assert.deepEqual(namesOf(await list(clinic, '', as)), ['Centru'])
    assert.deepEqual(namesOf(await core.get(path(clinic, '/picker'), { as })), ['Centru'])
    assert.equal((await read(clinic, id, as)).status, 200)
    for (const refused of [
      await core.post(path(clinic), { as, body: { name: 'Nord' } }),
      await core.patch(path(clinic, `/${id}`), { as, body: { name: 'Nord' } }),
      await core.delete(path(clinic, `/${id}`), { as }),
    ]) {
      assert.equal(refused.status, 403)
      assert.equal(refused.body.error.required, 'locations.manage')
    }
    const manager = await core.memberWith(clinic, ['locations.manage'])
    assert.equal((await core.delete(path(clinic, `/${id}`), { as: manager })).status, 204)
  })

  test('a deleted location is gone for all but holders of data.view_deleted, and cannot be changed or deleted again', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic, 'Gone')
    await added(clinic, 'Here')
    const deleted = await Promise.all([remove(clinic, id), remove(clinic, id), remove(clinic, id)])
    assert.deepEqual(statusesOf(deleted), [204, 404, 404])
    for (const answer of [await remove(clinic, id), await change(clinic, id, { name: 'Back' })]) {
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'location_not_found'])
    }
    const manager = await core.memberWith(clinic, ['locations.manage'])
    const archivist = await core.memberWith(clinic, ['data.view_deleted'])
    for (const as of [manager, archivist]) assert.deepEqual(namesOf(await list(clinic, '', as)), ['Here'])
    assert.deepEqual(namesOf(await list(clinic, 'deleted=true', manager)), [])
    assert.deepEqual(namesOf(await list(clinic, 'deleted=true', archivist)), ['Gone'])
    assert.deepEqual(namesOf(await list(clinic, 'deleted=false', archivist)), ['Here'])
    assert.deepEqual(namesOf(await list(clinic, 'deleted=true,false&sort=name', archivist)), ['Gone', 'Here'])
    assert.deepEqual(namesOf(await list(clinic, 'deleted=perhaps', archivist)), ['Here'])
    assert.equal((await read(clinic, id, manager)).status, 404)
    assert.ok((await read(clinic, id, archivist)).body.data.deleted_at)
  })

  test("another organization's location is not found, and its URL is not the caller's", async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id } = await added(other)
    for (const unknown of [id, randomUUID(), 'not-an-id']) {
      for (const answer of [
        await read(clinic, unknown),
        await change(clinic, unknown, { name: 'Mine' }),
        await remove(clinic, unknown),
      ]) {
        assert.equal(answer.status, 404, answer.text)
      }
    }
    for (const headers of [{}, { 'x-organization-id': other.id }, { 'x-organization-id': clinic.id }]) {
      assert.equal((await core.get(path(other), { as: clinic.admin, headers })).status, 403)
    }
    assert.deepEqual(namesOf(await core.get(path(clinic, `/picker?ids=${id}`), { as: clinic.admin })), [])
    assert.equal((await read(other, id)).body.data.name, 'Centru')
  })

  test('every write leaves an audit row and an event', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic)
    await change(clinic, id, { name: 'Nou' })
    await remove(clinic, id)
    const entries = await core.database.query(
      `select action, crud, target_id, actor_principal_id from audit_log
       where organization_id = $1 and target_type = 'location' order by occurred_at`,
      [clinic.id],
    )
    const entry = (action: string, crud: string) => ({
      action,
      crud,
      target_id: id,
      actor_principal_id: clinic.admin.id,
    })
    assert.deepEqual(entries, [
      entry('locations.create', 'C'),
      entry('locations.update', 'U'),
      entry('locations.delete', 'D'),
    ])
    const events = await core.database.query(
      `select type, payload from outbox_events where organization_id = $1 and type like 'location.%' order by occurred_at`,
      [clinic.id],
    )
    assert.deepEqual(
      events,
      ['created', 'updated', 'deleted'].map((what) => ({ type: `location.${what}`, payload: { location_id: id } })),
    )
  })
})
