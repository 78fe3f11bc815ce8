import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { NOBODY, type PlatformTx } from '@tendon/db'
import { type Answer, type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

// What only one axis has: nesting, areas, icons, ICD-10; and the values that the platform ships.

const CATEGORIES = '/v1/exercise-categories'
const REGIONS = '/v1/exercise-body-regions'
const EQUIPMENT = '/v1/exercise-equipment'
const CONDITIONS = '/v1/exercise-conditions'

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const slugsOf = (tags: Json[]): string[] => tags.map(({ slug }) => slug)
const shapeOf = (tags: Json[]): Json =>
  tags.map(({ slug, children }) => (children.length ? [slug, shapeOf(children)] : slug))

describe('values of the taxonomy', () => {
  let core: TestCore
  let clinic: TestOrganization
  let other: TestOrganization
  let operator: Person
  before(async () => {
    core = await startCore()
    clinic = await core.organization()
    other = await core.organization()
    operator = await core.superadmin()
  })
  after(() => core.close())

  const add = (path: string, as: Person, body: object) => core.post(path, { as, body })
  async function added(path: string, as: Person, slug: string, values: object = {}): Promise<Json> {
    const { status, body, text } = await add(path, as, { slug, name: slug, ...values })
    assert.equal(status, 201, text)
    return body.data
  }
  const put = (path: string, id: string, as: Person, body: object) => core.put(`${path}/${id}`, { as, body })
  const list = async (path: string, as: Person, query = ''): Promise<Json[]> => {
    const { status, body, text } = await core.get(`${path}?${query}`, { as })
    assert.equal(status, 200, text)
    return Object.values<Json[]>(body)[0] ?? []
  }
  const found = async (query: string, as = clinic.admin) => slugsOf(await list(CONDITIONS, as, query))

  test('a clinic nests its categories, also under the platform’s; parent_id selects one branch', async () => {
    const { admin } = await core.organization()
    const [strength] = await list(CATEGORIES, admin)
    const top = await added(CATEGORIES, admin, 'top', { sort_order: 2 })
    const middle = await added(CATEGORIES, admin, 'middle', { parent_id: top.id })
    await added(CATEGORIES, admin, 'low-b', { parent_id: middle.id, sort_order: 2 })
    await added(CATEGORIES, admin, 'low-a', { parent_id: middle.id, sort_order: 1 })
    let deepest = middle
    for (const slug of ['deep-1', 'deep-2', 'deep-3', 'deep-4'])
      deepest = await added(CATEGORIES, admin, slug, { parent_id: deepest.id, sort_order: 9 })
    const guest = await added(CATEGORIES, admin, 'guest', { parent_id: strength.id, sort_order: 1 })
    assert.deepEqual([guest.parent_id, guest.children], [strength.id, []])

    const branch = ['middle', ['low-a', 'low-b', ['deep-1', [['deep-2', [['deep-3', ['deep-4']]]]]]]]
    assert.deepEqual(shapeOf(await list(CATEGORIES, admin, 'scope=org')), ['guest', ['top', [branch]]])
    assert.deepEqual(shapeOf(await list(CATEGORIES, admin, `parent_id=${top.id}`)), [branch])
    assert.deepEqual(shapeOf(await list(CATEGORIES, admin, `parent_id=${strength.id}&scope=org`)), ['guest'])
    assert.deepEqual(await list(CATEGORIES, admin, `parent_id=${randomUUID()}`), [])
    const whole = await list(CATEGORIES, admin, 'parent_id=nonsense&sort=nonsense')
    assert.deepEqual(slugsOf(whole.find(({ id }) => id === strength.id).children)[0], 'guest')
    assert.ok(slugsOf(whole).includes('top') && !slugsOf(whole).includes('middle'))
    assert.deepEqual(shapeOf([(await core.get(`${CATEGORIES}/${top.id}`, { as: admin })).body.data]), [
      ['top', [branch]],
    ])
    assert.deepEqual(shapeOf([(await put(CATEGORIES, middle.id, admin, { sort_order: 1 })).body.data]), [branch])
    const elsewhere = (await list(CATEGORIES, other.admin)).find(({ id }) => id === strength.id)
    assert.ok(!slugsOf(elsewhere.children).includes('guest'))
    assert.deepEqual(await list(CATEGORIES, other.admin, `parent_id=${top.id}`), [])
    assert.ok(!slugsOf(await list(CATEGORIES, other.admin, `parent_id=${strength.id}`)).includes('guest'))
  })

  test('a parent is a category visible to the clinic; parents of the platform’s are the platform’s', async () => {
    const own = await added(CATEGORIES, clinic.admin, 'own-parent')
    const theirs = await added(CATEGORIES, other.admin, 'their-parent')
    const [region] = await list(REGIONS, clinic.admin)
    for (const parent_id of [theirs.id, region.id, randomUUID()]) {
      const body = { slug: 'orphan', name: 'Orphan', parent_id }
      assert.deepEqual(codeOf(await add(CATEGORIES, clinic.admin, body)), [404, 'parent_not_found'])
      assert.deepEqual(codeOf(await put(CATEGORIES, own.id, clinic.admin, { parent_id })), [404, 'parent_not_found'])
    }
    const platforms = { slug: 'orphan', name: 'Orphan', parent_id: own.id }
    assert.deepEqual(codeOf(await add(CATEGORIES, operator, platforms)), [404, 'parent_not_found'])
  })

  test('categories form no cycle, also when two parallel requests would close it (409)', async () => {
    const a = await added(CATEGORIES, clinic.admin, 'circle-a')
    const b = await added(CATEGORIES, clinic.admin, 'circle-b', { parent_id: a.id })
    const c = await added(CATEGORIES, clinic.admin, 'circle-c', { parent_id: b.id })
    for (const parent_id of [a.id, b.id, c.id])
      assert.deepEqual(codeOf(await put(CATEGORIES, a.id, clinic.admin, { parent_id })), [409, 'parent_cycle'])
    for (const { id } of [b, c])
      assert.equal((await put(CATEGORIES, id, clinic.admin, { parent_id: null })).status, 200)
    const raced = await Promise.all([
      put(CATEGORIES, a.id, clinic.admin, { parent_id: b.id }),
      put(CATEGORIES, b.id, clinic.admin, { parent_id: c.id }),
      put(CATEGORIES, c.id, clinic.admin, { parent_id: a.id }),
    ])
    assert.deepEqual(statusesOf(raced), [200, 200, 409])
  })

  test('deleting a category moves its children to the top level and removes the tag from exercises', async () => {
    const parent = await added(CATEGORIES, clinic.admin, 'doomed')
    const child = await added(CATEGORIES, clinic.admin, 'child', { parent_id: parent.id })
    const grandchild = await added(CATEGORIES, clinic.admin, 'grandchild', { parent_id: child.id })
    const [exercise] = await core.database.query<{ id: string }>(
      `insert into exercises (organization_id, name, slug) values ($1, 'Squat', 'squat') returning id`,
      [clinic.id],
    )
    await core.database.query(
      `insert into exercise_tags (organization_id, exercise_id, axis, tag_id) values ($1, $2, 'category', $3), ($1, $2, 'category', $4)`,
      [clinic.id, exercise?.id, parent.id, child.id],
    )
    const { status, text } = await core.delete(`${CATEGORIES}/${parent.id}`, { as: clinic.admin })
    assert.deepEqual([status, text], [204, ''])
    const tops = await list(CATEGORIES, clinic.admin, 'scope=org')
    assert.deepEqual(shapeOf(tops.filter(({ slug }) => slug === 'child')), [['child', ['grandchild']]])
    assert.equal((await core.get(`${CATEGORIES}/${child.id}`, { as: clinic.admin })).body.data.parent_id, null)
    assert.equal(grandchild.parent_id, child.id)
    const tags = await core.database.query('select tag_id from exercise_tags where exercise_id = $1', [exercise?.id])
    assert.deepEqual(tags, [{ tag_id: child.id }])
    await added(CATEGORIES, clinic.admin, 'doomed')
  })

  test('deleting a category of the platform moves clinics’ categories to the top level', async () => {
    const parent = await added(CATEGORIES, operator, 'of-platform')
    const child = await added(CATEGORIES, clinic.admin, 'of-clinic', { parent_id: parent.id })
    assert.equal((await core.delete(`${CATEGORIES}/${parent.id}`, { as: operator })).status, 204)
    assert.equal((await core.get(`${CATEGORIES}/${child.id}`, { as: clinic.admin })).body.data.parent_id, null)
  })

  test('body regions have an area, and the list filters by several', async () => {
    const areas = new Set((await list(REGIONS, clinic.admin)).map(({ body_area }) => body_area))
    assert.deepEqual(areas, new Set(['core', 'full_body', 'lower_body', 'upper_body']))
    const ofCore = await list(REGIONS, clinic.admin, 'body_area=core')
    assert.ok(ofCore.length > 2 && ofCore.every(({ body_area }) => body_area === 'core'))
    const two = await list(REGIONS, clinic.admin, 'body_area=core,full_body,tail')
    assert.deepEqual(new Set(two.map(({ body_area }) => body_area)), new Set(['core', 'full_body']))
    assert.ok((await list(REGIONS, clinic.admin, 'body_area=tail')).length > ofCore.length)
    const region = await added(REGIONS, operator, 'tail', { body_area: 'core' })
    assert.equal(
      (await put(REGIONS, region.id, operator, { body_area: 'lower_body' })).body.data.body_area,
      'lower_body',
    )
    for (const body_area of ['tail', null])
      assert.deepEqual((await put(REGIONS, region.id, operator, { body_area })).status, 422)
  })

  test('deleting a body region leaves its conditions without one', async () => {
    const region = await added(REGIONS, operator, 'wing', { body_area: 'upper_body' })
    const condition = await added(CONDITIONS, operator, 'broken-wing', { body_region_id: region.id })
    assert.equal(condition.body_region_id, region.id)
    assert.equal((await core.delete(`${REGIONS}/${region.id}`, { as: operator })).status, 204)
    assert.equal((await core.get(`${CONDITIONS}/${condition.id}`, { as: operator })).body.data.body_region_id, null)
  })

  test('equipment has an icon under https', async () => {
    const icon_url = 'https://cdn.clinic.example/icons/rope.svg'
    const rope = await added(EQUIPMENT, clinic.admin, 'rope', { icon_url })
    assert.equal(rope.icon_url, icon_url)
    assert.equal((await put(EQUIPMENT, rope.id, clinic.admin, { icon_url: null })).body.data.icon_url, null)
    for (const bad of [
      'javascript:alert(1)',
      'http://clinic.example/a.svg',
      'rope.svg',
      `https://a.example/${'x'.repeat(1000)}`,
    ])
      assert.equal((await put(EQUIPMENT, rope.id, clinic.admin, { icon_url: bad })).status, 422, bad)
  })

  test('conditions are found by parts of words, without accents, in English and Romanian; beginnings come first', async () => {
    const both = { translations: { ro: { name: 'Mână obosită'.normalize('NFD') } } }
    await added(CONDITIONS, clinic.admin, 'tired-hand', { name: 'Tired hand', ...both })
    assert.deepEqual(await found('q=MANA%20OBOSITA'), ['tired-hand'])
    assert.deepEqual(await found('q=hand%20tir'), ['tired-hand'])
    for (const form of ['NFC', 'NFD'])
      assert.deepEqual(await found(`q=${encodeURIComponent('mână'.normalize(form))}&scope=org`), ['tired-hand'], form)
    assert.ok((await found('q=lombara')).includes('low_back_pain'))
    assert.ok((await found('q=genunchi')).includes('knee_replacement'))
    const pains = await found('q=pain')
    assert.ok(pains.includes('low_back_pain') && pains.includes('neck_pain'))
    assert.equal((await found('q=knee'))[0], 'knee_osteoarthritis')
    assert.equal((await found('q=hernie'))[0], 'cervical_disc_herniation')
    for (const q of ['%25', '_', '%5C', 'zzz', 'description', '%5B', '%5D', '%22'])
      assert.deepEqual(await found(`q=${q}`), [], q)
    assert.deepEqual(await found('q=tired', other.admin), [])
  })

  test('conditions are found by an ICD-10 code or its beginning, in any case, with the dot or without', async () => {
    for (const code of ['M54.5', 'm54.5', 'M545', ' m545 '])
      assert.deepEqual(await found(`icd10=${code}`), ['low_back_pain'], code)
    const chapter = await list(CONDITIONS, clinic.admin, 'icd10=m54')
    assert.deepEqual(
      chapter.map(({ icd10_code }) => icd10_code),
      ['M54.1', 'M54.2', 'M54.3', 'M54.4', 'M54.5', 'M54.6'],
    )
    assert.deepEqual(await found('icd10=M54.5,G20'), ['parkinsons_disease', 'low_back_pain'])
    for (const code of ['Q99', '.', '-']) assert.deepEqual(await found(`icd10=${code}`), [], code)
    assert.deepEqual(await found('icd10=M54&q=neck'), ['neck_pain'])
  })

  test('conditions filter by body region, and combine filters with AND; limit clamps', async () => {
    const regions = await list(REGIONS, clinic.admin)
    const knee = regions.find(({ slug }) => slug === 'knee').id
    const ofKnee = await list(CONDITIONS, clinic.admin, `body_region_id=${knee}`)
    assert.ok(ofKnee.length > 5 && ofKnee.every(({ body_region_id }) => body_region_id === knee))
    assert.deepEqual(await found(`body_region_id=${knee}&icd10=M17&scope=global`), ['knee_osteoarthritis'])
    assert.deepEqual(await found(`body_region_id=${knee}&scope=org`), [])
    assert.equal((await found('limit=3')).length, 3)
    assert.equal((await found('limit=0')).length, 1)
    assert.equal((await found('')).length, 50)
    assert.ok((await found('limit=100000')).length > 80)
  })

  test('a condition stores its code as M54.5 however it is written, and it cannot be changed', async () => {
    const region = (await list(REGIONS, clinic.admin)).find(({ slug }) => slug === 'knee')
    const own = await added(CONDITIONS, clinic.admin, 'own-knee', { icd10_code: 'm2350', body_region_id: region.id })
    assert.equal(own.icd10_code, 'M23.50')
    assert.equal((await added(CONDITIONS, clinic.admin, 'own-short', { icd10_code: 'g35' })).icd10_code, 'G35')
    for (const query of [
      'icd10=M23.50',
      `body_region_id=${region.id}&limit=500`,
      'q=own-knee',
      'scope=org&limit=500',
    ]) {
      assert.ok((await found(query)).includes('own-knee'), query)
      assert.ok(!(await found(query, other.admin)).includes('own-knee'), query)
    }
    const patch = (body: object) => core.patch(`${CONDITIONS}/${own.id}`, { as: clinic.admin, body })
    assert.deepEqual(Object.keys((await patch({ icd10_code: 'M17.0' })).body.error.fields), ['icd10_code'])
    assert.equal((await patch({ icd10_code: 'm23.50', body_region_id: null })).body.data.body_region_id, null)
    for (const icd10_code of ['54.5', 'M5', 'M54.12345', 'M54.', 'M54-5'])
      assert.equal(
        (await add(CONDITIONS, clinic.admin, { slug: 'bad', name: 'Bad', icd10_code })).status,
        422,
        icd10_code,
      )
    const [, category] = [await patch({}), await list(CATEGORIES, clinic.admin)]
    for (const body_region_id of [randomUUID(), category[0].id, own.id])
      assert.deepEqual(codeOf(await patch({ body_region_id })), [404, 'body_region_not_found'])
  })

  test('no login of the service renames a value, not even the privileged one', async () => {
    for (const changes of [
      { name: 'Other' },
      { slug: 'other' },
      { axis: 'equipment' as const },
      { icd10_code: 'A00' },
    ]) {
      const work = (tx: PlatformTx) => tx.updateTable('taxonomy_tags').set(changes).execute()
      await assert.rejects(core.services.db.platform(NOBODY, work), { code: '42501' })
    }
  })

  test('the platform ships values of every axis, each with a Romanian name', async () => {
    const shipped = async (path: string) => list(`/v1/exercise-${path}`, operator, 'scope=global&limit=500')
    assert.deepEqual(slugsOf(await shipped('recovery-phases')), [
      'acute',
      'subacute',
      'strength',
      'return_to_activity',
      'maintenance',
    ])
    assert.deepEqual(slugsOf(await shipped('skill-prerequisites')), [
      'balance_static',
      'balance_dynamic',
      'single_leg_stance',
      'floor_to_stand',
      'grip_strength',
      'bilateral_coordination',
      'weight_bearing_tolerance',
      'core_endurance',
    ])
    const categories = (await shipped('categories')).filter(({ children }) => children.length > 0)
    assert.ok(categories.length >= 8)
    const seeded = await core.database.query<Json>(
      `select slug, icd10_code, body_region_id, translations from taxonomy_tags
       where organization_id is null and created_by_principal_id is null and axis = 'condition'`,
    )
    assert.ok(seeded.length > 40)
    assert.ok(seeded.every(({ icd10_code, body_region_id }) => icd10_code && body_region_id))
    const untranslated = await core.database.query(
      `select slug from taxonomy_tags
       where created_by_principal_id is null and organization_id is null and coalesce(translations #>> '{ro,name}', '') = ''`,
    )
    assert.deepEqual(untranslated, [])
  })
})
