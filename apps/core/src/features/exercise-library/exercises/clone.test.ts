import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, type TestLibrary } from './library.testing.ts'

describe('the clone of an exercise', () => {
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

  const clone = (id: string, body?: unknown, by = as) =>
    core.post(`/v1/exercises/${id}/clone`, { as: by, ...(body === undefined ? {} : { body }) })

  /** An exercise of the platform with everything that a copy takes along, and what it does not. */
  async function rich(): Promise<Json> {
    const [region, condition, first] = [
      await library.tag('body_region'),
      await library.tag('condition'),
      await library.exercise(operator),
    ]
    const { id } = await library.exercise(operator, {
      slug: `rich-${randomUUID().slice(0, 8)}`,
      description: 'Rich',
      difficulty: 'advanced',
      kind: 'static',
      estimated_duration_seconds: 60,
      translations: { ro: { name: 'Bogat', description: 'Bogată' } },
    })
    await library.instruction(operator, id, { sort_order: 2, content: 'Then this' })
    await library.instruction(operator, id, { sort_order: 1, content: 'First this', instruction_type: 'preparation' })
    const admin = `/v1/admin/exercises/${id}`
    const tag = { tag_type: 'body_region', tag_id: region, clinical_basis: 'Textbook' }
    await core.post(`${admin}/tags`, { as: operator, body: tag })
    await core.post(`${admin}/prerequisites`, { as: operator, body: { prerequisite_exercise_id: first.id } })
    const translations = { ro: { description: 'Cu grijă', clinical_basis: 'Studiu' } }
    const words = { description: 'Carefully', clinical_basis: 'Study', translations }
    const body = { condition_id: condition, severity: 'relative', ...words }
    await core.post(`/v1/exercises/${id}/contraindications`, { as: operator, body })
    await core.database.query(
      `update exercises set video_url = 'v', video_provider = 'local', video_thumbnail_url = 't', video_duration_seconds = 4.5,
         video_object_key = 'vk' where id = $1`,
      [id],
    )
    await core.database.query(
      `update exercise_instructions set image_url = 'i', image_object_key = 'ik' where exercise_id = $1 and sort_order = 1`,
      [id],
    )
    await core.database.query(`insert into exercise_pose_configs (exercise_id, version, config) values ($1, 1, '{}')`, [
      id,
    ])
    await core.put(`/v1/exercises/${id}/status`, { as: operator, body: { status: 'published' } })
    return (await library.read(operator, id)).body.data
  }

  test('the clone of an exercise is a draft of the clinic’s own with fields, instructions, images, contraindications and tags', async () => {
    const source = await rich()
    const { status, body, text } = await clone(source.id)
    assert.equal(status, 201, text)
    const { id, created_at: _c, updated_at: _u, instructions, contraindications, ...rest } = body.data
    assert.notEqual(id, source.id)
    const {
      id: _id,
      created_at: _at,
      updated_at: _then,
      instructions: steps,
      contraindications: against,
      ...original
    } = source
    assert.deepEqual(rest, {
      ...original,
      organization_id: clinic.id,
      slug: `${source.slug}-copy`,
      status: 'draft',
      cloned_from_id: source.id,
      created_by_user_id: as.id,
      prerequisites: [],
      pose_config: null,
      version: 1,
    })
    const words = (list: Json[]) => list.map(({ id: _id, created_at: _at, version: _v, ...one }) => one)
    assert.deepEqual(words(instructions), words(steps))
    assert.equal(instructions[0].image_url, 'i')
    assert.deepEqual(words(contraindications), words(against), 'with who said so, when and on what basis')
    const [tag] = await core.database.query(
      'select tagged_by_principal_id, clinical_basis from exercise_tags where exercise_id = $1',
      [id],
    )
    assert.deepEqual(tag, { tagged_by_principal_id: operator.id, clinical_basis: 'Textbook' })
    assert.deepEqual(
      (await library.events(id)).map(({ type, payload }) => [type, payload.cloned_from_id]),
      [['exercise.created', source.id]],
    )
    assert.deepEqual(
      (await library.audited(id)).map(({ action }) => action),
      ['exercises.clone'],
    )
  })

  test('the clone of an exercise gets the given name and slug; a slug in use is refused (409)', async () => {
    const source = await rich()
    const { body } = await clone(source.id, { name: ' My own ', slug: 'my-own' })
    assert.deepEqual([body.data.name, body.data.slug], ['My own', 'my-own'])
    assert.deepEqual(body.data.translations, { ro: { description: 'Bogată' } }, 'the old name is gone in each language')
    assert.deepEqual(refused(await clone(source.id, { slug: 'my-own' })), [409, 'slug_exists'])
    assert.equal((await clone(source.id, { slug: 'Not a slug' })).status, 422)
    assert.equal((await clone(source.id, { status: 'published' })).status, 422)
  })

  test('the clone of an exercise gets a slug of its own, also when many are made at once', async () => {
    const slug = 'x'.repeat(60)
    const { id } = await library.exercise(as, { slug })
    const answers = await Promise.all(Array.from({ length: 5 }, () => clone(id, {})))
    assert.deepEqual(
      answers.map(({ body }): string => body.data.slug).sort(),
      [`${'x'.repeat(58)}-copy`, ...[2, 3, 4, 5].map((count) => `${'x'.repeat(56)}-copy-${count}`)].sort(),
    )
  })

  test('the clone of an exercise of a draft, and of a copy, can be made too; a deleted exercise is gone (404)', async () => {
    const { id } = await library.exercise(as)
    const first = (await clone(id)).body.data
    const second = (await clone(first.id)).body.data
    assert.deepEqual([second.cloned_from_id, second.slug], [first.id, `${first.slug}-copy`])
    await core.delete(`/v1/exercises/${id}`, { as })
    assert.deepEqual(refused(await clone(id)), [404, 'exercise_not_found'])
    assert.equal((await library.read(as, first.id)).body.data.cloned_from_id, id)
  })

  test('the clone of an exercise by a superadmin is made from platform exercises on the platform, never from a clinic’s (403)', async () => {
    const source = await rich()
    const { body } = await clone(source.id, {}, operator)
    assert.deepEqual([body.data.organization_id, body.data.cloned_from_id], [null, source.id])
    const { id } = await library.exercise(as)
    assert.deepEqual(refused(await clone(id, {}, operator)), [403, 'forbidden'])
  })

  test('the clone of an exercise with a repeated Idempotency-Key is the same copy', async () => {
    const { id } = await library.exercise(as)
    const send = () =>
      core.post(`/v1/exercises/${id}/clone`, { as, body: {}, headers: { 'idempotency-key': 'copy-once' } })
    const [first, second] = [await send(), await send()]
    assert.equal(first.text, second.text)
  })
})
