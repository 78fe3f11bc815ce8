import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { TAG_KEYS, TAXONOMY_AXES } from '@tendon/contracts'
import { type Answer, type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, type TestLibrary } from './library.testing.ts'

const namesOf = ({ body }: Answer) => body.exercises.map(({ name }: Json) => name)

describe('the list of exercises', () => {
  let core: TestCore
  let library: TestLibrary
  let clinic: TestOrganization
  let as: Person
  before(async () => {
    core = await sharedCore()
    library = libraryOf(core)
    clinic = await core.organization()
    as = clinic.admin
  })
  after(() => core.close())

  /** Only the clinic's own, so that whatever the platform has is out of the way. */
  const list = (query = '', by = as) => core.get(`/v1/exercises?scope=org&${query}`, { as: by })
  const freshClinic = async () => (await core.organization()).admin

  test('the list of exercises returns summaries, newest first, with counts, page and total', async () => {
    const admin = await freshClinic()
    const condition = await library.tag('condition')
    for (const name of ['First', 'Second', 'Third']) await library.exercise(admin, { name })
    const { id } = await library.exercise(admin, { name: 'Fourth', instructions_summary: 'Only in the detail' })
    for (const sort_order of [1, 2]) await library.instruction(admin, id, { sort_order })
    await core.post(`/v1/exercises/${id}/contraindications`, {
      as: admin,
      body: { condition_id: condition, severity: 'precaution' },
    })
    const answer = await list('limit=3', admin)
    assert.equal(answer.status, 200, answer.text)
    const { exercises, ...page } = answer.body
    assert.deepEqual(page, { total: 4, page: 1, limit: 3, total_pages: 2 })
    assert.deepEqual(namesOf(answer), ['Fourth', 'Third', 'Second'])
    const [first] = exercises
    assert.deepEqual([first.instructions_count, first.contraindications_count], [2, 1])
    assert.equal(first.contraindications[0].condition.id, condition)
    const { data } = (await library.read(admin, id)).body
    const { contraindications_count: _c, instructions_count: _i, ...summary } = first
    const { instructions: _l, instructions_summary: _s, created_by_user_id: _u, ...rest } = data
    const { default_dose: _d, progression: _p, regression: _r, source: _o, ...detail } = rest
    assert.deepEqual(summary, detail)
  })

  test('the list of exercises returns the right total on every page, also past the last', async () => {
    const admin = await freshClinic()
    for (let count = 0; count < 5; count += 1) await library.exercise(admin)
    for (const [query, names, total, pages] of [
      ['limit=2&page=3', 1, 5, 3],
      ['limit=2&page=4', 0, 5, 3],
      ['limit=2&page=400', 0, 5, 3],
      ['limit=500', 5, 5, 1],
      ['q=nothing-like-this', 0, 0, 0],
    ] as const) {
      const { body } = await list(query, admin)
      assert.deepEqual([body.exercises.length, body.total, body.total_pages], [names, total, pages], query)
    }
    const seen = await Promise.all([1, 2, 3].map((page) => list(`limit=2&page=${page}&sort=status`, admin)))
    assert.equal(new Set(seen.flatMap(({ body }) => body.exercises.map(({ id }: Json) => id))).size, 5)
  })

  test('searches name and description, in every language, without accents, every word of it', async () => {
    const admin = await freshClinic()
    await library.exercise(admin, { name: 'Flexie genunchi în șezut', description: 'Pentru mobilitate' })
    await library.exercise(admin, { name: 'Wall slide', translations: { ro: { name: 'Alunecare pe perete' } } })
    await library.exercise(admin, { name: '100%_sure\\', description: 'Odd' })
    const both = { ro: { name: 'Pas', description: 'În față' }, en: { name: 'Step', description: 'Forward' } }
    await library.exercise(admin, { name: 'Pas', translations: both })
    for (const [q, names] of [
      ['GENUNCHI in sezut', ['Flexie genunchi în șezut']],
      ['mobilitate  flexie', ['Flexie genunchi în șezut']],
      ['șezut', ['Flexie genunchi în șezut']],
      ['peréte', ['Wall slide']],
      ['slide wall', ['Wall slide']],
      ['%', ['100%_sure\\']],
      ['_', ['100%_sure\\']],
      ['sure\\', ['100%_sure\\']],
      ['flexie wall', []],
      ['step fata', ['Pas']],
      ['description', []],
      ...['[', ']', '"', ',', '{', 'null'].map((mark) => [mark, []] as const),
    ] as const) {
      assert.deepEqual(namesOf(await list(`q=${encodeURIComponent(q)}`, admin)), names, q)
    }
    assert.equal((await list('q=%20', admin)).body.total, 4)
  })

  test('filters by every axis, difficulty, status, video and tracking', async () => {
    const admin = await freshClinic()
    const tags: Record<string, string> = {}
    for (const axis of TAXONOMY_AXES) tags[axis] = await library.tag(axis)
    const all = Object.fromEntries(TAXONOMY_AXES.map((axis) => [`${axis}_ids`, [tags[axis]]]))
    const tagged = await library.published(admin, { name: 'Tagged', difficulty: 'advanced', ...all })
    await library.exercise(admin, { name: 'Plain', difficulty: 'beginner' })
    await core.database.query(`update exercises set video_url = 'https://video.example/x' where id = $1`, [tagged.id])
    await core.database.query(
      `insert into exercise_pose_configs (exercise_id, version, tracking_enabled, config, pinned_asset_version)
       values ($1, 1, false, '{}', null), ($1, 2, true, '{}', '7')`,
      [tagged.id],
    )
    for (const axis of TAXONOMY_AXES) {
      assert.deepEqual(namesOf(await list(`${axis}_id=${tags[axis]}`, admin)), ['Tagged'], axis)
      const elsewhere = axis === 'category' ? 'equipment' : 'category'
      assert.deepEqual(namesOf(await list(`${elsewhere}_id=${tags[axis]}`, admin)), [], `${axis} is no ${elsewhere}`)
      assert.deepEqual(namesOf(await list(`${axis}_id=${randomUUID()},${tags[axis]}`, admin)), ['Tagged'])
    }
    for (const [query, names] of [
      ['difficulty=advanced', ['Tagged']],
      ['difficulty=beginner,advanced', ['Plain', 'Tagged']],
      ['status=published', ['Tagged']],
      ['status=draft', ['Plain']],
      ['has_video=true', ['Tagged']],
      ['has_video=false', ['Plain']],
      ['tracking_enabled=true', ['Tagged']],
      ['tracking_enabled=false', ['Plain']],
    ] as const) {
      assert.deepEqual(namesOf(await list(query, admin)), names, query)
    }
    const { pose_config } = (await list('tracking_enabled=true', admin)).body.exercises[0]
    assert.deepEqual(
      { ...pose_config, id: null },
      { id: null, tracking_enabled: true, engine_code: 'blazepose-33', status: 'active', pinned_asset_version: '7' },
    )
  })

  test('the list of exercises combines filters with AND', async () => {
    const admin = await freshClinic()
    const [knee, band] = [await library.tag('body_region'), await library.tag('equipment')]
    await library.exercise(admin, {
      name: 'Both',
      difficulty: 'beginner',
      body_region_ids: [knee],
      equipment_ids: [band],
    })
    await library.exercise(admin, { name: 'Knee only', difficulty: 'beginner', body_region_ids: [knee] })
    await library.exercise(admin, {
      name: 'Hard both',
      difficulty: 'advanced',
      body_region_ids: [knee],
      equipment_ids: [band],
    })
    const query = `body_region_id=${knee}&equipment_id=${band}`
    assert.deepEqual(namesOf(await list(query, admin)), ['Hard both', 'Both'])
    assert.deepEqual(namesOf(await list(`${query}&difficulty=beginner`, admin)), ['Both'])
    assert.deepEqual(namesOf(await list(`${query}&q=hard&difficulty=advanced&status=draft&has_video=false`, admin)), [
      'Hard both',
    ])
    assert.equal((await list(`${query}&difficulty=intermediate`, admin)).body.total, 0)
  })

  test('ignores unknown filters, and refuses an unknown sort (422)', async () => {
    const admin = await freshClinic()
    await library.exercise(admin, { name: 'Here' })
    for (const query of [
      'difficulty=heroic',
      'status=lost,draft',
      'scope=galaxy',
      'has_video=perhaps',
      'category_id=x',
      'colour=red',
      'page=0&limit=x',
    ]) {
      const { status, body } = await list(query, admin)
      assert.deepEqual([status, body.total], [200, 1], query)
    }
    const { status, body } = await list('sort=difficulty', admin)
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['sort']])
    assert.equal((await list('limit=9999', admin)).body.limit, 500)
  })

  test('sorts by the allowed fields, names alphabetically without regard to case and accents', async () => {
    const admin = await freshClinic()
    for (const [name, estimated_duration_seconds] of [
      ['Șold', 30],
      ['Spate', 10],
      ['Umăr', 20],
      ['sărituri', 40],
    ] as const)
      await library.exercise(admin, { name, estimated_duration_seconds })
    assert.deepEqual(namesOf(await list('sort=name', admin)), ['sărituri', 'Spate', 'Șold', 'Umăr'])
    assert.deepEqual(namesOf(await list('sort=-estimated_duration_seconds', admin)), [
      'sărituri',
      'Șold',
      'Umăr',
      'Spate',
    ])
    assert.deepEqual(namesOf(await list('sort=created_at', admin)), ['Șold', 'Spate', 'Umăr', 'sărituri'])
  })

  test('the list of exercises loses a tag that is deleted from the taxonomy', async () => {
    const category = await library.tag('category', clinic.id)
    const { id } = await library.exercise(as, { category_ids: [category] })
    assert.equal((await list(`category_id=${category}`)).body.total, 1)
    assert.equal((await core.delete(`/v1/exercise-categories/${category}`, { as })).status, 204)
    assert.equal((await list(`category_id=${category}`)).body.total, 0)
    assert.deepEqual((await library.read(as, id)).body.data[TAG_KEYS.category], [])
  })
})
