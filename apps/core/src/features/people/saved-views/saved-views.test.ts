import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { savedViewLists } from '@tendon/contracts'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const PATH = '/v1/me/saved-views/patients'
const VIEWS = [{ name: 'Outside the portal', filters: { view: 'outside' }, sort: '-created_at' }]

describe('saved views', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('a member saves views and finds them again; nobody else sees them, here or at another clinic', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const colleague = await core.memberWith(clinic, ['patients.view_org'])
    const first = await core.get(PATH, { as: clinic.admin })
    assert.deepEqual(first.body.data, { views: [], version: 1, updated_at: null })
    const saved = await core.put(PATH, { as: clinic.admin, body: { views: VIEWS } })
    assert.deepEqual([saved.status, saved.body.data.views, saved.body.data.version], [200, VIEWS, 2])
    assert.deepEqual((await core.get(PATH, { as: clinic.admin })).body.data.views, VIEWS)
    assert.deepEqual((await core.get(PATH, { as: colleague })).body.data.views, [])
    assert.deepEqual((await core.get(PATH, { as: other.admin })).body.data.views, [])
    const emptied = await core.put(PATH, { as: clinic.admin, body: { views: [] } })
    assert.deepEqual([emptied.body.data.views, emptied.body.data.version], [[], 3])
  })

  test('an outdated version is refused with the stored row, also when two requests are concurrent', async () => {
    const clinic = await core.organization()
    const save = (name: string, version: number) =>
      core.put(PATH, { as: clinic.admin, body: { views: [{ name, filters: {} }], version } })
    const both = await Promise.all([save('One', 1), save('Two', 1)])
    assert.equal(both.filter(({ status }) => status === 200).length, 1)
    const refused = both.find(({ status }) => status === 409)
    const stored = both.find(({ status }) => status === 200)
    assert.deepEqual(
      [refused?.body.error.code, refused?.body.error.current.views],
      ['stale_version', stored?.body.data.views],
    )
  })

  test('duplicate names, search text, unknown lists and too many views are refused', async () => {
    const clinic = await core.organization()
    const put = (views: object[], path = PATH) => core.put(path, { as: clinic.admin, body: { views } })
    const twice = await put([VIEWS[0] ?? {}, { name: ' outside the PORTAL ', filters: {} }])
    assert.deepEqual([twice.status, Object.keys(twice.body.error.fields)], [422, ['views.1.name']])
    const searched = await put([{ name: 'A person', filters: { q: 'Maria Stan' } }])
    assert.deepEqual([searched.status, Object.keys(searched.body.error.fields)], [422, ['views.0.filters.q']])
    const ofOne = await put(
      [{ name: 'One patient', filters: { patient_id: clinic.id } }],
      '/v1/me/saved-views/appointments',
    )
    assert.deepEqual([ofOne.status, Object.keys(ofOne.body.error.fields)], [422, ['views.0.filters.patient_id']])
    assert.equal((await put([], '/v1/me/saved-views/nothing')).status, 404)
    const wide = { name: 'Wide', filters: {}, columns: ['Maria Stan'] }
    assert.equal((await put([wide])).status, 422)
    const many = await put(Array.from({ length: 31 }, (_, n) => ({ name: `View ${n}`, filters: {} })))
    assert.equal(many.status, 422)
    assert.deepEqual((await core.get(PATH, { as: clinic.admin })).body.data.views, [])
  })

  test('every list of the console keeps views of its own, with filters, an order and columns', async () => {
    const clinic = await core.organization()
    for (const list of Object.keys(savedViewLists)) {
      const views = [{ name: `Of ${list}`, filters: {}, columns: ['name', 'created_at'] }]
      const saved = await core.put(`/v1/me/saved-views/${list}`, { as: clinic.admin, body: { views } })
      assert.deepEqual([saved.status, saved.body.data?.views], [200, views], `${list} ${saved.text}`)
    }
    const visits = [{ name: 'Missed', filters: { status: 'cancelled,no_show' }, sort: '-starts_at', columns: [] }]
    const saved = await core.put('/v1/me/saved-views/appointments', { as: clinic.admin, body: { views: visits } })
    assert.deepEqual(saved.body.data.views, visits, saved.text)
    const other = await core.get('/v1/me/saved-views/waiting-list', { as: clinic.admin })
    assert.deepEqual(other.body.data.views[0].name, 'Of waiting-list')
  })

  test('any member saves views, whatever their permissions; patients and operators do not', async () => {
    const clinic = await core.organization()
    const colleague = await core.memberWith(clinic, [])
    const path = '/v1/me/saved-views/specialists'
    const body = { views: [{ name: 'Mine', filters: { deleted: 'false' } }] }
    assert.equal((await core.put(path, { as: colleague, body })).status, 200)
    assert.equal((await core.get(path, { as: colleague })).body.data.views.length, 1)
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.acceptAll(await core.patient(clinic, person))
    assert.equal((await core.put(path, { as: person, body })).status, 403)
    assert.equal((await core.get(path, { as: person })).status, 403)
    assert.equal((await core.put(path, { as: await core.superadmin(), body })).status, 403)
  })

  test('views that were saved before their list lost a filter are kept when others are added', async () => {
    const clinic = await core.organization()
    const old = { name: 'Old', filters: { gone: 'true' }, sort: '-gone' }
    await core.database.query(
      `insert into saved_views (organization_id, principal_id, list, views) values ($1, $2, 'patients', $3)`,
      [clinic.id, clinic.admin.id, JSON.stringify([old])],
    )
    const kept = await core.put(PATH, { as: clinic.admin, body: { views: [old, ...VIEWS] } })
    assert.deepEqual([kept.status, kept.body.data?.views], [200, [old, ...VIEWS]], kept.text)
    const changed = await core.put(PATH, {
      as: clinic.admin,
      body: { views: [{ ...old, filters: { gone: 'false' } }] },
    })
    assert.deepEqual(Object.keys(changed.body.error.fields), ['views.0.filters.gone', 'views.0.sort'])
  })

  test('leaving the clinic deletes the views; those who are not members have none', async () => {
    const clinic = await core.organization()
    const colleague = await core.memberWith(clinic, ['patients.view_org'])
    await core.put(PATH, { as: colleague, body: { views: VIEWS } })
    await core.database.query('delete from organization_memberships where principal_id = $1', [colleague.id])
    const rows = await core.database.query('select 1 from saved_views where principal_id = $1', [colleague.id])
    assert.deepEqual(rows, [])
    assert.equal((await core.put(PATH, { as: colleague, body: { views: VIEWS } })).status, 403)
  })
})
