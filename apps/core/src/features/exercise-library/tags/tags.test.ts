import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { TAG_KEYS, TAXONOMY_AXES } from '@tendon/contracts'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, type TestLibrary } from '../exercises/library.testing.ts'

describe('tags of an exercise', () => {
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

  const path = (id: string) => `/v1/admin/exercises/${id}/tags`
  const add = (id: string, body: unknown, by = as) => core.post(path(id), { as: by, body })
  const remove = (id: string, tag_type: string, tag_id: string, by = as) =>
    core.delete(`${path(id)}?tag_type=${tag_type}&tag_id=${tag_id}`, { as: by })

  test('tags of an exercise of every axis are added with author, time and clinical basis, and removed', async () => {
    const { id } = await library.exercise(as)
    for (const axis of TAXONOMY_AXES) {
      const tag_id = await library.tag(axis)
      const { status, body, text } = await add(id, { tag_type: axis, tag_id, clinical_basis: 'Course notes' })
      assert.equal(status, 201, text)
      const { tagged_at, slug, ...rest } = body.data
      assert.ok(tagged_at && slug)
      assert.deepEqual(rest, {
        tag_type: axis,
        tag_id,
        name: 'Knee',
        tagged_by_principal_id: as.id,
        clinical_basis: 'Course notes',
      })
      const shown = async () => (await library.read(as, id)).body.data[TAG_KEYS[axis]].length
      assert.equal(await shown(), 1)
      assert.deepEqual(refused(await add(id, { tag_type: axis, tag_id })), [409, 'tag_exists'])
      assert.equal((await remove(id, axis, tag_id)).status, 204)
      assert.deepEqual(refused(await remove(id, axis, tag_id)), [404, 'exercise_tag_not_found'])
      assert.equal(await shown(), 0)
    }
    const expected = ['create', ...TAXONOMY_AXES.flatMap(() => ['add_tag', 'remove_tag'])]
    assert.deepEqual(
      (await library.audited(id)).map(({ action }) => action),
      expected.map((what) => `exercises.${what}`),
    )
    assert.equal((await library.events(id)).at(-1)?.type, 'exercise.tags_changed')
  })

  test('tags of an exercise keep their author when somebody else changes the exercise', async () => {
    const [first, second] = [await library.tag('category'), await library.tag('category')]
    const { id } = await library.exercise(as, { category_ids: [first] })
    const colleague = await core.member(clinic, 'specialist')
    const { status } = await core.put(`/v1/exercises/${id}`, { as: colleague, body: { category_ids: [first, second] } })
    assert.equal(status, 200)
    const rows = await core.database.query<{ tag_id: string; tagged_by_principal_id: string }>(
      'select tag_id, tagged_by_principal_id from exercise_tags where exercise_id = $1 order by tag_id',
      [id],
    )
    assert.deepEqual(rows, [
      { tag_id: first, tagged_by_principal_id: as.id },
      { tag_id: second, tagged_by_principal_id: colleague.id },
    ])
  })

  test('that are unknown, of another axis or deprecated are refused (422)', async () => {
    const { id } = await library.exercise(as)
    const tag_id = await library.tag('category')
    const unknown = await add(id, { tag_type: 'category', tag_id: randomUUID() })
    assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields)], [422, ['tag_id']])
    assert.deepEqual((await add(id, { tag_type: 'equipment', tag_id })).body, unknown.body)
    await core.database.query('update taxonomy_tags set deprecated_at = now() where id = $1', [tag_id])
    assert.match((await add(id, { tag_type: 'category', tag_id })).body.error.fields.tag_id, /deprecated/)
    const { body } = await add(id, { tag_type: 'colour', tagged_by_principal_id: as.id })
    assert.deepEqual(Object.keys(body.error.fields).sort(), ['tag_id', 'tag_type', 'tagged_by_principal_id'])
    for (const query of ['', '?tag_type=category', '?tag_type=x&tag_id=y'])
      assert.equal((await core.delete(`${path(id)}${query}`, { as })).status, 422, query)
  })

  test('tags of an exercise of the platform’s exercises are added by a superadmin, from the platform’s values only', async () => {
    const operator = await core.superadmin()
    const { id } = await library.exercise(operator)
    const tag_id = await library.tag('category')
    assert.equal((await add(id, { tag_type: 'category', tag_id }, operator)).status, 201)
    const own = await library.tag('category', clinic.id)
    assert.equal((await add(id, { tag_type: 'category', tag_id: own }, operator)).status, 422)
    const mine = await library.exercise(as)
    assert.equal((await add(mine.id, { tag_type: 'category', tag_id: own }, operator)).status, 201)
    assert.equal((await remove(mine.id, 'category', own, operator)).status, 204)
  })

  test('tags of an exercise need exercises.manage_org (403)', async () => {
    const { id } = await library.published(as)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    for (const { status, body } of [await add(id, {}, reader), await remove(id, 'category', id, reader)])
      assert.deepEqual([status, body.error.required], [403, 'exercises.manage_org'])
  })
})
