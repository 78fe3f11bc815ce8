import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { TAG_KEYS, TAXONOMY_AXES } from '@tendon/contracts'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, statusesOf, type TestLibrary } from './library.testing.ts'

describe('exercises', () => {
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

  const change = (id: string, body: unknown, by = as) => core.put(`/v1/exercises/${id}`, { as: by, body })
  const move = (id: string, status: string, by = as) =>
    core.put(`/v1/exercises/${id}/status`, { as: by, body: { status } })
  const remove = (id: string, by = as) => core.delete(`/v1/exercises/${id}`, { as: by })

  test('a new exercise is a draft of the clinic and is returned with all fields', async () => {
    const given = {
      name: 'Genuflexiune',
      slug: 'genuflexiune',
      description: 'Întărește coapsele.',
      instructions_summary: 'Îndoiți genunchii.',
      difficulty: 'beginner',
      estimated_duration_seconds: 90,
      kind: 'duration_based',
      translations: { en: { name: 'Squat' } },
    }
    const { status, body, text } = await library.create(as, { ...given, status: 'draft' })
    assert.equal(status, 201, text)
    const { id, created_at, updated_at, version, ...rest } = body.data
    assert.equal(version, 1)
    assert.equal(created_at, updated_at)
    const empty = Object.fromEntries(Object.values(TAG_KEYS).map((key) => [key, []]))
    assert.deepEqual(rest, {
      ...given,
      ...empty,
      organization_id: clinic.id,
      status: 'draft',
      video_url: null,
      video_provider: null,
      video_thumbnail_url: null,
      video_duration_seconds: null,
      cloned_from_id: null,
      created_by_user_id: as.id,
      prerequisites: [],
      contraindications: [],
      instructions: [],
      pose_config: null,
      default_dose: null,
      progression: null,
      regression: null,
      source: null,
    })
    assert.deepEqual((await library.read(as, id)).body.data, body.data)
    const bare = await library.exercise(as, { name: '  Lunge ' })
    assert.deepEqual(
      [bare.name, bare.description, bare.difficulty, bare.estimated_duration_seconds, bare.kind, bare.status],
      ['Lunge', null, null, null, 'reps_based', 'draft'],
    )
  })

  test('tags of every axis are set by id and returned as summaries', async () => {
    const ids: Record<string, string> = {}
    for (const axis of TAXONOMY_AXES) ids[axis] = await library.tag(axis, null, `A ${axis}`)
    const body = Object.fromEntries(TAXONOMY_AXES.map((axis) => [`${axis}_ids`, [ids[axis], ids[axis]]]))
    const exercise = await library.exercise(as, body)
    for (const axis of TAXONOMY_AXES) {
      const [tag, ...others] = exercise[TAG_KEYS[axis]]
      assert.equal(others.length, 0, axis)
      const own =
        axis === 'body_region' ? { body_area: 'lower_body' } : axis === 'condition' ? { icd10_code: null } : {}
      assert.deepEqual(tag, { id: ids[axis], name: `A ${axis}`, slug: tag.slug, ...own })
    }
    const [row] = await core.database.query<{ tagged_by_principal_id: string }>(
      'select distinct tagged_by_principal_id from exercise_tags where exercise_id = $1',
      [exercise.id],
    )
    assert.equal(row?.tagged_by_principal_id, as.id)
  })

  test('a tag that is unknown, foreign, of another axis or deprecated is refused under its field (422)', async () => {
    const other = await core.organization()
    const foreign = await library.tag('category', other.id)
    const equipment = await library.tag('equipment')
    const old = await library.tag('category', clinic.id)
    const kept = await library.exercise(as, { category_ids: [old] })
    await core.database.query('update taxonomy_tags set deprecated_at = now() where id = $1', [old])
    const unknown = await library.create(as, { category_ids: [randomUUID()] })
    assert.deepEqual(refused(unknown), [422, 'validation_failed'])
    assert.deepEqual(Object.keys(unknown.body.error.fields), ['category_ids'])
    for (const id of [foreign, equipment])
      assert.deepEqual((await library.create(as, { category_ids: [id] })).body, unknown.body)
    const deprecated = await library.create(as, { category_ids: [old], condition_ids: [randomUUID()] })
    assert.match(deprecated.body.error.fields.category_ids, /deprecated/)
    assert.deepEqual(Object.keys(deprecated.body.error.fields).sort(), ['category_ids', 'condition_ids'])
    assert.equal((await change(kept.id, { category_ids: [old] })).status, 200, 'what it has already it may keep')
    const gone = await change(kept.id, { category_ids: [foreign] })
    assert.deepEqual(gone.body, unknown.body)
    assert.equal((await library.read(as, kept.id)).body.data.categories.length, 1)
  })

  test('bad fields are refused, each with its reason (422)', async () => {
    const { status, body } = await library.create(as, {
      name: ' ',
      slug: 'Not a slug',
      difficulty: 'heroic',
      kind: 'dance',
      estimated_duration_seconds: 0,
      category_ids: ['x'],
      translations: { de: { name: 'Kniebeuge' } },
      organization_id: clinic.id,
      video_url: 'https://video.example/x',
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).sort(), [
      'category_ids.0',
      'difficulty',
      'estimated_duration_seconds',
      'kind',
      'name',
      'organization_id',
      'slug',
      'translations.de',
      'video_url',
    ])
    const { id } = await library.exercise(as)
    for (const changes of [{}, { name: null }, { cloned_from_id: id }])
      assert.equal((await change(id, changes)).status, 422, JSON.stringify(changes))
  })

  test('a change affects the given fields only; null clears; a list of ids replaces the previous one', async () => {
    const [knee, hip] = [
      await library.tag('body_region', null, 'A knee'),
      await library.tag('body_region', null, 'B hip'),
    ]
    const before = await library.exercise(as, { description: 'Old', body_region_ids: [knee], difficulty: 'beginner' })
    const { status, body } = await change(before.id, { description: null, body_region_ids: [hip, knee] })
    assert.equal(status, 200)
    const { updated_at, version, body_regions, ...rest } = body.data
    assert.deepEqual(new Set(body_regions.map(({ id }: { id: string }) => id)), new Set([knee, hip]))
    assert.ok(updated_at >= before.updated_at)
    const { updated_at: _then, version: first, body_regions: _before, ...original } = before
    assert.ok(version > first)
    assert.deepEqual(rest, { ...original, description: null })
    assert.deepEqual((await change(before.id, { body_region_ids: [] })).body.data.body_regions, [])
    assert.equal((await change(before.id, { status: 'draft', name: 'Same status' })).status, 200)
  })

  test('a slug is unique among the exercises of one library that are not deleted (409)', async () => {
    const slug = `slug-${randomUUID().slice(0, 8)}`
    const { id } = await library.exercise(as, { slug })
    assert.deepEqual(refused(await library.create(as, { slug })), [409, 'slug_exists'])
    const second = await library.exercise(as)
    assert.deepEqual(refused(await change(second.id, { slug })), [409, 'slug_exists'])
    await library.exercise((await core.organization()).admin, { slug })
    await library.exercise(operator, { slug })
    assert.deepEqual(refused(await library.create(operator, { slug })), [409, 'slug_exists'])
    await remove(id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => library.create(as, { slug })))
    assert.deepEqual(statusesOf(answers), [201, 409, 409, 409, 409])
  })

  test('a draft is published with an instruction, archived, and published or reopened from there', async () => {
    const { id } = await library.exercise(as)
    const unready = await move(id, 'published')
    assert.deepEqual(refused(unready), [422, 'not_publishable'])
    assert.deepEqual(unready.body.error.missing, ['at least one instruction'])
    assert.deepEqual(refused(await move(id, 'archived')), [409, 'invalid_transition'])
    await library.instruction(as, id)
    const steps: [string, number][] = [
      ['draft', 409],
      ['published', 200],
      ['published', 409],
      ['draft', 409],
      ['archived', 200],
      ['archived', 409],
      ['draft', 200],
      ['published', 200],
      ['archived', 200],
      ['published', 200],
    ]
    for (const [to, expected] of steps) {
      const { status, body } = await move(id, to)
      assert.equal(status, expected, to)
      if (status === 200) assert.equal(body.data.status, to)
      else assert.equal(body.error.to, to)
    }
    assert.equal((await move(id, 'gone')).status, 422)
  })

  test('an archived exercise can be published again only when it is complete', async () => {
    const { id } = await library.published(as)
    await move(id, 'archived')
    const [instruction] = (await library.read(as, id)).body.data.instructions
    assert.equal((await core.delete(`/v1/exercises/${id}/instructions/${instruction.id}`, { as })).status, 204)
    assert.deepEqual(refused(await move(id, 'published')), [422, 'not_publishable'])
  })

  test('the same rules hold for a status in a new exercise or in a change', async () => {
    assert.deepEqual(refused(await library.create(as, { status: 'published' })), [422, 'not_publishable'])
    assert.deepEqual(refused(await library.create(as, { status: 'archived' })), [409, 'invalid_transition'])
    const { id } = await library.exercise(as)
    assert.deepEqual(refused(await change(id, { status: 'published' })), [422, 'not_publishable'])
    assert.deepEqual(refused(await change(id, { status: 'archived' })), [409, 'invalid_transition'])
    await library.instruction(as, id)
    assert.equal((await change(id, { status: 'published' })).body.data.status, 'published')
  })

  test('of publishing and deleting the last instruction at once, one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await library.exercise(as)
      const instruction = await library.instruction(as, id)
      await Promise.all([
        move(id, 'published'),
        core.delete(`/v1/exercises/${id}/instructions/${instruction.id}`, { as }),
      ])
      const { data } = (await library.read(as, id)).body
      assert.equal(data.status === 'published', data.instructions.length === 1)
    }
  })

  test('a deleted exercise is gone for everybody, once', async () => {
    const { id } = await library.published(as)
    const answers = await Promise.all([remove(id), remove(id), remove(id)])
    assert.deepEqual(statusesOf(answers), [204, 404, 404])
    for (const answer of [await library.read(as, id), await change(id, { name: 'Back' }), await move(id, 'archived')])
      assert.deepEqual(refused(answer), [404, 'exercise_not_found'])
    assert.deepEqual(refused(await library.read(operator, id)), [404, 'exercise_not_found'])
  })

  test('an exercise that an active treatment plan uses is not deleted (409)', async () => {
    const { id } = await library.exercise(as)
    const [kept] = await core.database.query<{ source: string }>(
      `select pg_get_functiondef('exercise_in_use(uuid)'::regprocedure) as source`,
    )
    await core.database.query(
      `create or replace function exercise_in_use(p_exercise_id uuid) returns boolean language sql stable security definer
       set search_path = public as $$ select p_exercise_id = '${id}' $$`,
    )
    assert.deepEqual(refused(await remove(id)), [409, 'exercise_in_use'])
    assert.deepEqual(refused(await remove(id, operator)), [409, 'exercise_in_use'])
    await core.database.query(kept?.source ?? '')
    assert.equal((await remove(id)).status, 204)
  })

  test('a repeated Idempotency-Key returns the same exercise', async () => {
    const send = () =>
      core.post('/v1/exercises', {
        as,
        body: { name: 'Once', slug: 'once' },
        headers: { 'idempotency-key': 'exercise-once' },
      })
    const [first, second] = await Promise.all([send(), send()])
    assert.deepEqual([first.status, second.status, first.text], [201, 201, second.text])
  })

  test('reading needs exercises.view_published, writing exercises.manage_org (403)', async () => {
    const { id } = await library.published(as)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    const stranger = await core.memberWith(clinic, [])
    assert.equal((await library.read(reader, id)).status, 200)
    for (const path of ['', `/${id}`]) {
      const { status, body } = await core.get(`/v1/exercises${path}`, { as: stranger })
      assert.deepEqual([status, body.error.required], [403, 'exercises.view_published'])
    }
    for (const answer of [
      await library.create(reader),
      await change(id, { name: 'Mine' }, reader),
      await move(id, 'archived', reader),
      await remove(id, reader),
      await core.post(`/v1/exercises/${id}/clone`, { as: reader, body: {} }),
    ]) {
      assert.deepEqual([answer.status, answer.body.error.required], [403, 'exercises.manage_org'])
    }
    const roles = await core.database.query<{ code: string; codes: string }>(
      `select r.code, string_agg(p.permission_code, ' ' order by p.permission_code) as codes
       from roles r join role_permissions p on p.role_id = r.id and p.permission_code like 'exercises.%'
       where r.organization_id = $1 and r.is_system group by r.code order by r.code`,
      [clinic.id],
    )
    assert.deepEqual(roles, [
      { code: 'admin', codes: 'exercises.compose exercises.manage_org exercises.view_published' },
      { code: 'customer_support', codes: 'exercises.view_published' },
      { code: 'specialist', codes: 'exercises.compose exercises.manage_org exercises.view_published' },
    ])
  })

  test('every write leaves an audit row and an event', async () => {
    const { id } = await library.exercise(as)
    await change(id, { name: 'Deep squat' })
    await library.instruction(as, id)
    await move(id, 'published')
    await remove(id)
    const mine = { organization_id: clinic.id, actor_type: 'user' }
    assert.deepEqual(
      await library.audited(id),
      ['create', 'update', 'add_instruction', 'change_status', 'delete'].map((what) => ({
        action: `exercises.${what}`,
        ...mine,
      })),
    )
    assert.deepEqual(
      (await library.events(id)).map(({ type, organization_id }) => [type, organization_id]),
      ['created', 'updated', 'instructions_changed', 'status_changed', 'deleted'].map((what) => [
        `exercise.${what}`,
        clinic.id,
      ]),
    )
  })
})
