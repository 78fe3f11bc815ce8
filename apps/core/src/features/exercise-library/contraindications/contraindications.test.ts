import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, statusesOf, type TestLibrary } from '../exercises/library.testing.ts'

describe('contraindications of an exercise', () => {
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

  const path = (id: string, rest = '') => `/v1/exercises/${id}/contraindications${rest}`
  const add = (id: string, body: Record<string, unknown>, by = as) =>
    core.post(path(id), { as: by, body: { severity: 'contraindicated', ...body } })
  const remove = (id: string, contraindication: string, by = as) =>
    core.delete(path(id, `/${contraindication}`), { as: by })
  const list = async (id: string): Promise<Json[]> => (await core.get(path(id), { as })).body.contraindications

  test('contraindications of an exercise are added with author, time and clinical basis, and removed', async () => {
    const { id } = await library.exercise(as)
    const condition = await library.tag('condition', clinic.id, 'Sore knee')
    const translations = { ro: { description: 'Nu adânc', clinical_basis: 'Ghidul 12' } }
    const words = { description: 'Not deep', clinical_basis: 'Guideline 12', source: 'Textbook, page 7', translations }
    const given = { severity: 'relative', ...words, stages: ['acute'], until_cleared_for: null }
    const { status, body, text } = await add(id, { condition_id: condition, ...given })
    assert.equal(status, 201, text)
    const { id: contraindication, tagged_at, condition: shown, ...rest } = body.data
    assert.ok(tagged_at)
    assert.deepEqual(rest, { ...given, tagged_by_principal_id: as.id })
    assert.deepEqual(shown, { id: condition, name: 'Sore knee', slug: shown.slug, icd10_code: null })
    assert.deepEqual(await list(id), [body.data])
    assert.deepEqual((await library.read(as, id)).body.data.contraindications, [body.data])
    assert.deepEqual(refused(await add(id, { condition_id: condition })), [409, 'contraindication_exists'])
    const [removed, again] = [await remove(id, contraindication.toUpperCase()), await remove(id, contraindication)]
    assert.deepEqual([removed.status, ...refused(again)], [204, 404, 'contraindication_not_found'])
    assert.deepEqual(
      (await library.audited(id)).map(({ action }) => action),
      ['exercises.create', 'exercises.add_contraindication', 'exercises.remove_contraindication'],
    )
    assert.deepEqual(
      (await library.events(id)).slice(1).map(({ type, payload }) => [type, payload.condition_id]),
      Array.from({ length: 2 }, () => ['exercise.contraindications_changed', condition]),
    )
  })

  test('contraindications of an exercise hold for stages or until the patient is cleared, not both (422)', async () => {
    const { id } = await library.exercise(as)
    const condition_id = await library.tag('condition')
    const both = await add(id, { condition_id, stages: ['acute'], until_cleared_for: 'load' })
    assert.deepEqual(refused(both), [422, 'validation_failed'])
    for (const wrong of [{ stages: [] }, { stages: ['later'] }, { until_cleared_for: 'everything' }])
      assert.equal((await add(id, { condition_id, ...wrong })).status, 422)
    assert.equal((await add(id, { condition_id, until_cleared_for: 'load' })).status, 201)
    const copy = await core.post(`/v1/exercises/${id}/clone`, { as })
    const [copied] = copy.body.data.contraindications
    assert.deepEqual([copied.until_cleared_for, copied.stages], ['load', null])
  })

  test('contraindications of an exercise of one condition, added five times at once, are stored once', async () => {
    const { id } = await library.exercise(as)
    const condition_id = await library.tag('condition')
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(id, { condition_id })))
    assert.deepEqual(statusesOf(answers), [201, 409, 409, 409, 409])
  })

  test('contraindications of an exercise need a condition of the platform or of the clinic that is not deprecated, and a known severity (422)', async () => {
    const { id } = await library.exercise(as)
    const unknown = await add(id, { condition_id: randomUUID() })
    assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields)], [422, ['condition_id']])
    const foreign = await library.tag('condition', (await core.organization()).id)
    for (const condition_id of [foreign, await library.tag('category')])
      assert.deepEqual((await add(id, { condition_id })).body, unknown.body)
    const old = await library.tag('condition')
    await core.database.query('update taxonomy_tags set deprecated_at = now() where id = $1', [old])
    assert.match((await add(id, { condition_id: old })).body.error.fields.condition_id, /deprecated/)
    const wrong = await add(id, { condition_id: old, severity: 'maybe' })
    assert.deepEqual(Object.keys(wrong.body.error.fields), ['severity'])
    for (const severity of ['contraindicated', 'relative', 'precaution'])
      assert.equal((await add(id, { condition_id: await library.tag('condition'), severity })).status, 201)
  })

  test('contraindications of an exercise are translated into languages and texts that are known (422), or not at all', async () => {
    const { id } = await library.exercise(as)
    const condition_id = await library.tag('condition')
    for (const translations of [{ xx: {} }, { ro: { severity: 'relative' } }, { ro: { description: ' ' } }])
      assert.equal((await add(id, { condition_id, translations })).status, 422)
    assert.deepEqual((await add(id, { condition_id })).body.data.translations, {})
  })

  test('contraindications of an exercise of another exercise are not found (404)', async () => {
    const [{ id }, other] = [await library.exercise(as), await library.exercise(as)]
    const { body } = await add(other.id, { condition_id: await library.tag('condition') })
    assert.deepEqual(refused(await remove(id, body.data.id)), [404, 'contraindication_not_found'])
    assert.equal((await list(other.id)).length, 1)
  })

  test('contraindications of an exercise need exercises.manage_org to be written (403)', async () => {
    const { id } = await library.published(as)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    assert.equal((await core.get(path(id), { as: reader })).status, 200)
    for (const { status, body } of [await add(id, {}, reader), await remove(id, id, reader)])
      assert.deepEqual([status, body.error.required], [403, 'exercises.manage_org'])
  })
})
