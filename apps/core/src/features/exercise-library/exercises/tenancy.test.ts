import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { NIL_UUID } from '@tendon/db'
import { type Answer, type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, type TestLibrary } from './library.testing.ts'
import { findExerciseRowBySlug } from './queries.ts'

// A clinic sees the platform's exercises and its own, and changes only its own.

describe('exercises of the platform and of clinics', () => {
  let core: TestCore
  let library: TestLibrary
  let clinic: TestOrganization
  let other: TestOrganization
  let as: Person
  let operator: Person
  /** Of the clinic, of another one, of the platform. */
  let own: Json
  let foreign: Json
  let platform: Json
  let foreignTag: string
  before(async () => {
    core = await sharedCore()
    library = libraryOf(core)
    clinic = await core.organization()
    other = await core.organization()
    as = clinic.admin
    operator = await core.superadmin()
    foreignTag = await library.tag('category', other.id)
    own = await library.published(as, { name: 'Own quokka raise', slug: 'shared-slug' })
    foreign = await library.published(other.admin, {
      name: 'Foreign quokka raise',
      slug: 'foreign-slug',
      category_ids: [foreignTag],
    })
    platform = await library.published(operator, { name: 'Common quokka raise', slug: 'shared-slug' })
  })
  after(() => core.close())

  const idsOf = ({ body }: Answer) => body.exercises.map(({ id }: Json) => id).toSorted()
  const list = (query: string, by = as) => core.get(`/v1/exercises?q=quokka&${query}`, { as: by })
  const sorted = (...rows: Json[]) => rows.map(({ id }): string => id).toSorted()

  /** Every write there is, on one exercise. */
  const writes = (id: string, by: Person): Promise<Answer>[] => {
    const put = (path: string, body: unknown) => core.put(`/v1/exercises/${id}${path}`, { as: by, body })
    const post = (path: string, body: unknown) => core.post(path, { as: by, body })
    const admin = `/v1/admin/exercises/${id}`
    const step = { sort_order: 1, content: 'Stand', instruction_type: 'step' }
    return [
      put('', { name: 'Mine' }),
      put('/status', { status: 'archived' }),
      core.delete(`/v1/exercises/${id}`, { as: by }),
      post(`/v1/exercises/${id}/instructions`, step),
      put('/instructions/1', { content: 'Sit' }),
      put('/instructions/reorder', { instruction_ids: [] }),
      core.delete(`/v1/exercises/${id}/instructions/1`, { as: by }),
      post(`/v1/exercises/${id}/contraindications`, { condition_id: randomUUID(), severity: 'relative' }),
      core.delete(`/v1/exercises/${id}/contraindications/${randomUUID()}`, { as: by }),
      post(`${admin}/prerequisites`, { prerequisite_exercise_id: own.id }),
      core.delete(`${admin}/prerequisites/${own.id}`, { as: by }),
      post(`${admin}/tags`, { tag_type: 'category', tag_id: foreignTag }),
      core.delete(`${admin}/tags?tag_type=category&tag_id=${foreignTag}`, { as: by }),
    ]
  }
  const reads = (id: string, by: Person) =>
    ['', '/instructions', '/prerequisites', '/contraindications'].map((path) =>
      core.get(`/v1/exercises/${id}${path}`, { as: by }),
    )

  test('list, scope, search and filter show the platform’s and the clinic’s own', async () => {
    assert.deepEqual(idsOf(await list('')), sorted(own, platform))
    assert.deepEqual(idsOf(await list('scope=all')), sorted(own, platform))
    assert.deepEqual(idsOf(await list('scope=global')), [platform.id])
    assert.deepEqual(idsOf(await list('scope=org')), [own.id])
    assert.deepEqual((await list('q=foreign quokka')).body.total, 0)
    assert.deepEqual((await list(`category_id=${foreignTag}`)).body.total, 0)
    assert.deepEqual(idsOf(await list(`category_id=${foreignTag}`, other.admin)), [foreign.id])
    for (const header of [other.id, randomUUID()]) {
      const answer = await core.get('/v1/exercises', { as, headers: { 'x-organization-id': header } })
      assert.deepEqual(refused(answer), [403, 'forbidden'])
    }
  })

  test('no answer contains the video or image of another clinic’s exercise', async () => {
    const named = 'object:exercise-videos/foreign-quokka.mp4'
    await core.database.query('update exercises set video_url = $1, video_thumbnail_url = $1 where id = $2', [
      named,
      foreign.id,
    ])
    await core.database.query('update exercise_instructions set image_url = $1 where exercise_id = $2', [
      named,
      foreign.id,
    ])
    for (const by of [as, operator]) {
      const lists = await Promise.all(['', 'has_video=true', 'scope=org', 'sort=name'].map((query) => list(query, by)))
      for (const { text } of lists) assert.ok(!text.includes('foreign-quokka'))
    }
    for (const { text } of await Promise.all(reads(foreign.id, as))) assert.ok(!text.includes('foreign-quokka'))
    assert.ok((await list('has_video=true', other.admin)).text.includes('/exercise-videos/foreign-quokka.mp4?'))
  })

  test('another clinic’s exercise is not found by id (404)', async () => {
    for (const id of [foreign.id, randomUUID()]) {
      for (const answer of await Promise.all([...reads(id, as), ...writes(id, as)]))
        assert.deepEqual(refused(answer), [404, 'exercise_not_found'])
      const clone = await core.post(`/v1/exercises/${id}/clone`, { as, body: {} })
      assert.deepEqual(refused(clone), [404, 'exercise_not_found'])
    }
    assert.equal((await library.read(other.admin, foreign.id)).body.data.name, 'Foreign quokka raise')
  })

  test('another clinic’s exercise or value cannot be a prerequisite or tag (422)', async () => {
    const require = (id: string) =>
      core.post(`/v1/admin/exercises/${own.id}/prerequisites`, { as, body: { prerequisite_exercise_id: id } })
    const tagWith = (id: string) =>
      core.post(`/v1/admin/exercises/${own.id}/tags`, { as, body: { tag_type: 'category', tag_id: id } })
    for (const [send, id, field] of [
      [require, foreign.id, 'prerequisite_exercise_id'],
      [tagWith, foreignTag, 'tag_id'],
    ] as const) {
      const unknown = await send(randomUUID())
      assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields)], [422, [field]])
      assert.deepEqual((await send(id)).body, unknown.body)
    }
  })

  test('by slug, the clinic’s own wins over the platform’s, and another clinic’s is not found', async () => {
    const bySlug = async (slug: string, organizationId: string) => {
      const context = { principalId: as.id, organizationId, permissions: '*' }
      return (await core.services.db.tenant(context, (tx) => findExerciseRowBySlug(tx, slug)))?.id
    }
    assert.equal(await bySlug('shared-slug', clinic.id), own.id)
    assert.equal(await bySlug('shared-slug', other.id), platform.id)
    assert.equal(await bySlug('shared-slug', NIL_UUID), platform.id)
    assert.equal(await bySlug('foreign-slug', clinic.id), undefined)
    assert.equal(await bySlug('foreign-slug', other.id), foreign.id)
  })

  test('a clinic can read the platform’s exercise but not change it (403)', async () => {
    for (const answer of await Promise.all(reads(platform.id, as))) assert.equal(answer.status, 200)
    for (const answer of await Promise.all(writes(platform.id, as))) {
      assert.deepEqual(refused(answer), [403, 'forbidden'])
      assert.match(answer.body.error.message, /clone/)
    }
    assert.equal((await library.read(as, platform.id)).body.data.name, 'Common quokka raise')
  })

  test('a superadmin creates and changes the platform’s exercises, in the platform’s audit log', async () => {
    const created = await library.exercise(operator)
    assert.equal(created.organization_id, null)
    const answer = await core.put(`/v1/exercises/${created.id}`, { as: operator, body: { name: 'Renamed' } })
    assert.equal(answer.body.data.name, 'Renamed')
    await library.instruction(operator, created.id)
    assert.equal((await core.delete(`/v1/exercises/${created.id}`, { as: operator })).status, 204)
    const entries = await library.audited(created.id)
    assert.deepEqual(
      entries.map(({ organization_id, actor_type }) => [organization_id, actor_type]),
      entries.map(() => [null, 'superadmin']),
    )
    assert.deepEqual(
      (await library.events(created.id)).map(({ organization_id }) => organization_id),
      [null, null, null, null],
    )
  })

  test('a superadmin lists the platform’s exercises and opens a clinic’s by id, in the clinic’s audit log', async () => {
    assert.ok(!idsOf(await list('', operator)).includes(own.id))
    assert.ok(idsOf(await list('q=common quokka', operator)).includes(platform.id))
    assert.deepEqual((await list('scope=org', operator)).body.exercises, [])
    const mine = await library.exercise(as)
    assert.equal((await library.read(operator, mine.id)).status, 200)
    const changed = await core.put(`/v1/exercises/${mine.id}`, { as: operator, body: { name: 'Corrected' } })
    assert.deepEqual([changed.body.data.name, changed.body.data.organization_id], ['Corrected', clinic.id])
    const foreignTagged = await core.put(`/v1/exercises/${mine.id}`, {
      as: operator,
      body: { category_ids: [foreignTag] },
    })
    assert.deepEqual(Object.keys(foreignTagged.body.error.fields), ['category_ids'])
    assert.deepEqual((await library.audited(mine.id)).at(-1), {
      action: 'exercises.update',
      organization_id: clinic.id,
      actor_type: 'superadmin',
    })
    assert.equal((await library.events(mine.id)).at(-1)?.organization_id, clinic.id)
  })

  test('without exercises.manage_org only published exercises are visible', async () => {
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    const draft = await library.exercise(as, { name: 'Unfinished quokka raise' })
    const ofPlatform = await library.exercise(operator, { name: 'Unfinished quokka raise' })
    assert.deepEqual(idsOf(await list('', reader)), sorted(own, platform))
    assert.deepEqual(idsOf(await list('status=draft,archived', reader)), [])
    assert.deepEqual(idsOf(await list('q=unfinished', reader)), [])
    assert.deepEqual(idsOf(await list('q=unfinished')), sorted(draft, ofPlatform))
    for (const { id } of [draft, ofPlatform]) {
      for (const answer of await Promise.all(reads(id, reader)))
        assert.deepEqual(refused(answer), [404, 'exercise_not_found'])
      assert.equal((await library.read(as, id)).status, 200)
    }
    await core.post(`/v1/admin/exercises/${own.id}/prerequisites`, { as, body: { prerequisite_exercise_id: draft.id } })
    assert.deepEqual((await library.read(reader, own.id)).body.data.prerequisites, [])
    assert.equal((await library.read(as, own.id)).body.data.prerequisites.length, 1)
  })
})
