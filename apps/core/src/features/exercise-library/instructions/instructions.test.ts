import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, statusesOf, type TestLibrary } from '../exercises/library.testing.ts'

describe('instructions of an exercise', () => {
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

  const path = (id: string, rest = '') => `/v1/exercises/${id}/instructions${rest}`
  const list = async (id: string): Promise<Json[]> => (await core.get(path(id), { as })).body.instructions
  const change = (id: string, instruction: unknown, body: unknown) =>
    core.put(path(id, `/${String(instruction)}`), { as, body })
  const remove = (id: string, instruction: unknown) => core.delete(path(id, `/${String(instruction)}`), { as })
  const reorder = (id: string, instruction_ids: unknown) =>
    core.put(path(id, '/reorder'), { as, body: { instruction_ids } })
  const idsOf = (rows: Json[]) => rows.map(({ id }) => id)

  test('instructions of an exercise are added with a number of their own and listed in their order', async () => {
    const { id } = await library.exercise(as)
    const body = {
      sort_order: 5,
      title: 'Get ready',
      content: 'Take a chair.',
      instruction_type: 'preparation',
      translations: { ro: { title: 'Pregătire', content: 'Luați un scaun.' } },
    }
    const answer = await core.post(path(id), { as, body })
    assert.equal(answer.status, 201, answer.text)
    const { id: number, created_at, ...rest } = answer.body.data
    assert.ok(Number.isInteger(number) && created_at)
    assert.deepEqual(rest, { ...body, image_url: null, version: 1 })
    const early = await library.instruction(as, id, { sort_order: 1, instruction_type: 'form_cue' })
    const late = await library.instruction(as, id, { sort_order: 5, instruction_type: 'safety' })
    assert.equal(early.title, null)
    assert.deepEqual(idsOf(await list(id)), [early.id, number, late.id])
    assert.deepEqual((await library.read(as, id)).body.data.instructions, await list(id))
  })

  test('instructions of an exercise need a place, content and a known type (422)', async () => {
    const { id } = await library.exercise(as)
    const { status, body } = await core.post(path(id), {
      as,
      body: { title: '', content: ' ', instruction_type: 'dance', image_url: 'https://x.example' },
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).sort(), [
      'content',
      'image_url',
      'instruction_type',
      'sort_order',
      'title',
    ])
  })

  test('instructions of an exercise change only in the given fields; null clears the title', async () => {
    const { id } = await library.exercise(as)
    const before = await library.instruction(as, id, { title: 'Old' })
    const { status, body } = await change(id, before.id, { title: null, content: 'New' })
    assert.equal(status, 200)
    assert.deepEqual(body.data, { ...before, title: null, content: 'New', version: 2 })
    for (const wrong of [{}, { content: null }, { id: 5 }])
      assert.equal((await change(id, before.id, wrong)).status, 422)
  })

  test('that are unknown or of another exercise are not found (404)', async () => {
    const [{ id }, other] = [await library.exercise(as), await library.exercise(as)]
    const elsewhere = await library.instruction(as, other.id)
    for (const instruction of [elsewhere.id, 2_147_483_647]) {
      assert.deepEqual(refused(await change(id, instruction, { content: 'x' })), [404, 'instruction_not_found'])
      assert.deepEqual(refused(await remove(id, instruction)), [404, 'instruction_not_found'])
    }
    for (const bad of [2_147_483_648, -1, 0, 1.5, 'x', '1e1'])
      assert.equal((await remove(id, bad)).status, 404, String(bad))
    assert.equal((await list(other.id)).length, 1)
  })

  test('instructions of an exercise are deleted; a published exercise keeps its last one (409)', async () => {
    const { id } = await library.published(as)
    const [only] = await list(id)
    assert.deepEqual(refused(await remove(id, only?.id)), [409, 'last_instruction'])
    const second = await library.instruction(as, id)
    const answers = await Promise.all([remove(id, only?.id), remove(id, second.id)])
    assert.deepEqual(statusesOf(answers), [204, 409])
    assert.equal((await list(id)).length, 1)
    const draft = await library.exercise(as)
    const lone = await library.instruction(as, draft.id)
    assert.equal((await remove(draft.id, lone.id)).status, 204)
  })

  test('instructions of an exercise are reordered by a list of all their ids', async () => {
    const { id } = await library.exercise(as)
    const ids: number[] = []
    for (let count = 0; count < 3; count += 1) ids.push((await library.instruction(as, id, { sort_order: 9 })).id)
    const wanted = ids.toReversed()
    const { status, body } = await reorder(id, wanted)
    assert.equal(status, 200)
    assert.deepEqual(idsOf(body.instructions), wanted)
    assert.deepEqual(
      body.instructions.map(({ sort_order }: Json) => sort_order),
      [1, 2, 3],
    )
    const foreign = await library.instruction(as, (await library.exercise(as)).id)
    const [first, second, third] = ids
    for (const wrong of [[], [first, second], [first, second, second], [...ids, first], [first, second, foreign.id]]) {
      const answer = await reorder(id, wrong)
      assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, ['instruction_ids']])
    }
    assert.equal((await reorder(id, [first, second, 'x'])).status, 422)
    assert.deepEqual(idsOf(await list(id)), [third, second, first])
  })

  test('added and reordered at once are never partly ordered', async () => {
    const { id } = await library.exercise(as)
    const [a, b] = [await library.instruction(as, id), await library.instruction(as, id, { sort_order: 2 })]
    await Promise.all([
      reorder(id, [b.id, a.id]),
      reorder(id, [a.id, b.id]),
      library.instruction(as, id, { sort_order: 7 }),
    ])
    assert.deepEqual(
      (await list(id)).map(({ sort_order }) => sort_order),
      [1, 2, 7],
    )
  })

  test('instructions of an exercise need exercises.manage_org to be written (403), and leave an audit row and an event', async () => {
    const { id } = await library.published(as)
    const [first] = await list(id)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    assert.equal((await core.get(path(id), { as: reader })).status, 200)
    const refusals = await Promise.all([
      core.post(path(id), { as: reader, body: {} }),
      core.put(path(id, `/${first?.id}`), { as: reader, body: { content: 'x' } }),
      core.put(path(id, '/reorder'), { as: reader, body: { instruction_ids: [] } }),
      core.delete(path(id, `/${first?.id}`), { as: reader }),
    ])
    for (const { status, body } of refusals)
      assert.deepEqual([status, body.error.required], [403, 'exercises.manage_org'])
    const second = await library.instruction(as, id)
    await change(id, second.id, { content: 'Changed' })
    await reorder(id, [second.id, first?.id])
    await remove(id, second.id)
    assert.deepEqual(
      (await library.audited(id)).slice(3).map(({ action }) => action),
      ['add', 'update', 'reorder', 'delete'].map(
        (what) => `exercises.${what}_instruction${what === 'reorder' ? 's' : ''}`,
      ),
    )
    assert.deepEqual(
      (await library.events(id)).slice(3).map(({ type }) => type),
      Array.from({ length: 4 }, () => 'exercise.instructions_changed'),
    )
  })
})
