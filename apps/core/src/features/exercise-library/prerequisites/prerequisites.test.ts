import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, statusesOf, type TestLibrary } from '../exercises/library.testing.ts'

describe('prerequisites of an exercise', () => {
  let core: TestCore
  let library: TestLibrary
  let clinic: TestOrganization
  let as: Person
  let operator: Person
  before(async () => {
    core = await sharedCore()
    library = libraryOf(core)
    clinic = await core.organization()
    as = clinic.admin
    operator = await core.superadmin()
  })
  after(() => core.close())

  const add = (id: string, before: string, by = as, words: Record<string, unknown> = {}) =>
    core.post(`/v1/admin/exercises/${id}/prerequisites`, {
      as: by,
      body: { prerequisite_exercise_id: before, ...words },
    })
  const remove = (id: string, before: string, by = as) =>
    core.delete(`/v1/admin/exercises/${id}/prerequisites/${before}`, { as: by })
  const list = async (id: string, by = as): Promise<Json[]> =>
    (await core.get(`/v1/exercises/${id}/prerequisites`, { as: by })).body.prerequisites
  const several = (count: number, by = as): Promise<Json[]> =>
    Promise.all(Array.from({ length: count }, () => library.exercise(by)))

  test('prerequisites of an exercise are added with author, time and clinical basis, and removed', async () => {
    const [hard, easy] = await several(2)
    const words = {
      clinical_basis: 'Textbook, chapter 4',
      translations: { ro: { clinical_basis: 'Manual, capitolul 4' } },
    }
    const { status, body, text } = await add(hard.id, easy.id, as, words)
    assert.equal(status, 201, text)
    const { tagged_at, ...rest } = body.data
    assert.ok(tagged_at)
    assert.deepEqual(rest, {
      exercise_id: easy.id,
      name: easy.name,
      slug: easy.slug,
      tagged_by_principal_id: as.id,
      ...words,
    })
    assert.deepEqual(await list(hard.id), [body.data])
    assert.deepEqual((await library.read(as, hard.id)).body.data.prerequisites, [
      { id: easy.id, name: easy.name, slug: easy.slug },
    ])
    assert.deepEqual(refused(await add(hard.id, easy.id)), [409, 'prerequisite_exists'])
    assert.equal((await remove(hard.id, easy.id)).status, 204)
    for (const id of [easy.id, randomUUID()])
      assert.deepEqual(refused(await remove(hard.id, id)), [404, 'prerequisite_not_found'])
    assert.deepEqual(
      (await library.audited(hard.id)).map(({ action }) => action),
      ['exercises.create', 'exercises.add_prerequisite', 'exercises.remove_prerequisite'],
    )
    assert.deepEqual((await library.events(hard.id)).at(-1), {
      type: 'exercise.prerequisites_changed',
      organization_id: clinic.id,
      payload: { exercise_id: hard.id, prerequisite_exercise_id: easy.id },
    })
  })

  test('prerequisites of an exercise are translated into languages and texts that are known (422), or not at all', async () => {
    const [hard, easy] = await several(2)
    for (const translations of [{ xx: {} }, { ro: { name: 'Ușor' } }, { ro: { clinical_basis: ' ' } }])
      assert.equal((await add(hard.id, easy.id, as, { translations })).status, 422)
    assert.deepEqual((await add(hard.id, easy.id)).body.data.translations, {})
  })

  test('prerequisites of an exercise never form a cycle (409)', async () => {
    const [a, b, c] = await several(3)
    assert.deepEqual(refused(await add(a.id, a.id)), [409, 'prerequisite_cycle'])
    assert.equal((await add(a.id, b.id)).status, 201)
    assert.deepEqual(refused(await add(b.id, a.id)), [409, 'prerequisite_cycle'])
    assert.equal((await add(b.id, c.id)).status, 201)
    assert.deepEqual(refused(await add(c.id, a.id)), [409, 'prerequisite_cycle'])
    assert.equal((await add(a.id, c.id)).status, 201, 'two roads to one place are no circle')
    await core.delete(`/v1/exercises/${b.id}`, { as })
    await remove(a.id, c.id)
    assert.equal((await add(c.id, a.id)).status, 201, 'what is deleted leads nowhere')
  })

  test('that would form a cycle, all added at once, leave one out', async () => {
    for (let round = 0; round < soakRuns(2); round += 1) {
      for (const by of [as, operator]) {
        const ring = await several(6, by)
        const answers = await Promise.all(ring.map(({ id }, index) => add(id, ring[(index + 1) % ring.length].id, by)))
        assert.deepEqual(statusesOf(answers), [201, 201, 201, 201, 201, 409])
      }
    }
  })

  test('of two opposite ones at once, one wins', async () => {
    for (let round = 0; round < soakRuns(5); round += 1) {
      const [a, b] = await several(2)
      const answers = await Promise.all([add(a.id, b.id), add(b.id, a.id)])
      assert.deepEqual(statusesOf(answers), [201, 409])
    }
  })

  test('prerequisites of an exercise may be the platform’s; the platform’s exercises need only the platform’s (422)', async () => {
    const [own] = await several(1)
    const [common, basic] = await several(2, operator)
    assert.equal((await add(own.id, common.id)).status, 201)
    assert.equal((await add(common.id, basic.id, operator)).status, 201)
    const refusedOne = await add(common.id, own.id, operator)
    assert.deepEqual(Object.keys(refusedOne.body.error.fields), ['prerequisite_exercise_id'])
    assert.deepEqual((await add(common.id, randomUUID(), operator)).body, refusedOne.body)
    assert.equal((await list(own.id)).length, 1)
  })

  test('that are deleted are not listed and cannot be added (422)', async () => {
    const [hard, easy] = await several(2)
    await add(hard.id, easy.id)
    await core.delete(`/v1/exercises/${easy.id}`, { as })
    assert.deepEqual(await list(hard.id), [])
    assert.equal((await add(hard.id, easy.id)).status, 422)
  })

  test('that are deleted while they are added are refused, or added first', async () => {
    for (let round = 0; round < soakRuns(8); round += 1) {
      const [hard, easy] = await several(2)
      const [added, deleted] = await Promise.all([
        add(hard.id, easy.id),
        core.delete(`/v1/exercises/${easy.id}`, { as }),
      ])
      assert.equal(deleted.status, 204)
      if (added.status !== 201) assert.deepEqual(refused(added), [422, 'validation_failed'])
      assert.deepEqual(await list(hard.id), [])
    }
  })

  test('prerequisites of an exercise need exercises.manage_org to be written (403)', async () => {
    const { id } = await library.published(as)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    assert.deepEqual(await list(id, reader), [])
    for (const { status, body } of [await add(id, id, reader), await remove(id, id, reader)])
      assert.deepEqual([status, body.error.required], [403, 'exercises.manage_org'])
  })
})
