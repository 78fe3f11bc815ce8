import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { findPlanSession } from '../../care/treatment-plans/index.ts'
import { plansOf } from '../../care/treatment-plans/plans.testing.ts'
import { libraryOf, refused, type TestLibrary } from '../exercises/library.testing.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
const CONFIG = {
  engine_code: 'blazepose-33',
  landmarks: ['left_hip', 'left_knee', 'left_ankle'],
  primary_angle: ['left_hip', 'left_knee', 'left_ankle'],
  side: 'left',
  thresholds: { up_degrees: 110, down_degrees: 160 },
  feedback_rules: [{ code: 'deeper', when: 'range_below', value: 50, message: { en: 'Deeper.', ro: 'Mai jos.' } }],
}
const WHOLE = {
  ...CONFIG,
  thresholds: { up_degrees: 110, down_degrees: 160, hysteresis_degrees: 5 },
  hold_seconds: null,
  target_range_degrees: null,
  min_visibility: 0.5,
  camera: null,
}

describe('the pose configuration of an exercise', () => {
  let core: TestCore
  let library: TestLibrary
  let clinic: TestOrganization
  let admin: Person
  let operator: Person
  before(async () => {
    core = await sharedCore()
    library = libraryOf(core)
    clinic = await core.organization()
    admin = clinic.admin
    operator = await core.superadmin()
  })
  after(() => core.close())

  const path = (slugOrId: string, rest = '') => `/v1/exercises/${slugOrId}/pose-config${rest}`
  const get = (slugOrId: string, as = admin, rest = '') => core.get(path(slugOrId, rest), { as })
  const put = (id: string, body: unknown = { config: CONFIG }, as = admin) => core.put(path(id), { as, body })
  async function write(id: string, body?: unknown, as?: Person): Promise<Json> {
    const answer = await put(id, body, as)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  test('the pose configuration of an exercise is written with its defaults, and read by slug and by id', async () => {
    const { id, slug } = await library.exercise(admin)
    assert.deepEqual(refused(await get(slug)), [404, 'pose_config_not_found'])
    const written = await write(id, { config: CONFIG, tracking_enabled: false, pinned_asset_version: '7' })
    const { id: configId, created_at, ...rest } = written
    assert.ok(configId && created_at)
    assert.deepEqual(rest, {
      exercise_id: id,
      version: 1,
      tracking_enabled: false,
      engine_code: 'blazepose-33',
      status: 'active',
      pinned_asset_version: '7',
      config: WHOLE,
      created_by_principal_id: admin.id,
    })
    assert.deepEqual((await get(slug)).body.data, written)
    for (const one of [id, id.toUpperCase()]) assert.deepEqual((await get(one)).body.data, written)
    assert.deepEqual((await library.read(admin, id)).body.data.pose_config, {
      id: configId,
      tracking_enabled: false,
      engine_code: 'blazepose-33',
      status: 'active',
      pinned_asset_version: '7',
    })
  })

  test('the pose configuration of an exercise keeps every version; the newest active one is in effect, not a newer draft', async () => {
    const { id, slug } = await library.exercise(admin)
    const first = await write(id)
    const draft = await write(id, { config: { ...CONFIG, hold_seconds: 5 }, status: 'draft', tracking_enabled: false })
    assert.deepEqual([first.version, draft.version], [1, 2])
    assert.deepEqual((await get(slug)).body.data, first)
    const summary = async () => (await library.read(admin, id)).body.data.pose_config
    assert.deepEqual([(await summary()).id, (await summary()).status], [first.id, 'active'])
    const tracked = await core.get(`/v1/exercises?tracking_enabled=true&scope=org`, { as: admin })
    assert.ok(tracked.body.exercises.some((one: Json) => one.id === id))
    const third = await write(id, { config: { ...CONFIG, hold_seconds: 5 } })
    assert.equal((await get(slug)).body.data.version, 3)
    assert.deepEqual((await get(slug, admin, '/versions')).body, { versions: [third, draft, first] })
    assert.deepEqual((await get(slug, admin, '/versions/1')).body.data, first)
    assert.deepEqual(refused(await get(slug, admin, '/versions/4')), [404, 'pose_config_not_found'])
    for (const bad of ['0', '-1', 'x', '99999999999'])
      assert.equal((await get(slug, admin, `/versions/${bad}`)).status, 404)
  })

  test('the pose configuration of an exercise is the draft while there is no active version', async () => {
    const { id, slug } = await library.exercise(admin)
    const draft = await write(id, { config: CONFIG, status: 'draft' })
    assert.deepEqual((await get(slug)).body.data, draft)
    assert.equal((await library.read(admin, id)).body.data.pose_config.status, 'draft')
  })

  test('written by many at once has versions without gaps or duplicates', async () => {
    const { id, slug } = await library.exercise(admin)
    const answers = await Promise.all(Array.from({ length: 12 }, () => put(id)))
    assert.deepEqual(
      answers.map(({ body }) => body.data.version).sort((a, b) => a - b),
      Array.from({ length: 12 }, (_, n) => n + 1),
    )
    assert.equal((await get(slug)).body.data.version, 12)
  })

  test('the pose configuration of an exercise of the clinic’s own exercise wins over the platform’s of the same slug', async () => {
    const { id: global, slug } = await library.published(operator)
    await write(global, { config: CONFIG }, operator)
    const other = (await core.organization()).admin
    assert.equal((await get(slug)).body.data.exercise_id, global)
    const { id } = await library.exercise(admin, { slug })
    assert.deepEqual(refused(await get(slug)), [404, 'pose_config_not_found'])
    await write(id)
    assert.equal((await get(slug)).body.data.exercise_id, id)
    assert.equal((await get(global)).body.data.exercise_id, global)
    for (const as of [other, operator]) assert.equal((await get(slug, as)).body.data.exercise_id, global)
    assert.deepEqual(refused(await get(id, other)), [404, 'exercise_not_found'])
    assert.deepEqual(refused(await get(id, other, '/versions')), [404, 'exercise_not_found'])
  })

  test('the pose configuration of an exercise of another clinic is not found, by slug and by id (404)', async () => {
    const { admin: other } = await core.organization()
    const { id, slug } = await library.published(other)
    await write(id, { config: CONFIG }, other)
    assert.equal((await get(slug, other)).body.data.exercise_id, id)
    for (const rest of ['', '/versions', '/versions/1']) {
      const unknown = await get('no-such-exercise', admin, rest)
      assert.deepEqual(refused(unknown), [404, 'exercise_not_found'])
      for (const name of [slug, id]) assert.deepEqual((await get(name, admin, rest)).body, unknown.body)
    }
    assert.deepEqual(refused(await get(slug, operator)), [404, 'exercise_not_found'], 'by slug, only the platform’s')
    assert.equal((await get(id, operator)).status, 200)
  })

  test('the pose configuration of an exercise is written with exercises.manage_org at the clinic, and on the platform by a superadmin', async () => {
    const { id: global, slug } = await library.published(operator)
    await write(global, { config: CONFIG }, operator)
    const foreign = (await library.exercise((await core.organization()).admin)).id
    const { id: own } = await library.published(admin)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    const nobody = await core.memberWith(clinic, [])
    for (const [as, id, expected] of [
      [admin, global, [403, 'forbidden']],
      [admin, foreign, [404, 'exercise_not_found']],
      [admin, UNKNOWN, [404, 'exercise_not_found']],
      [admin, slug, [404, 'not_found']],
      [reader, own, [403, 'forbidden']],
    ] as const)
      assert.deepEqual(refused(await put(id, { config: CONFIG }, as)), expected, `${id} ${expected.join()}`)
    assert.equal((await put(own, { config: CONFIG }, reader)).body.error.required, 'exercises.manage_org')
    assert.equal((await get(slug, reader)).status, 200)
    assert.equal((await get(slug, nobody)).body.error.required, 'exercises.view_published')
    assert.equal((await get(slug, admin, '/versions')).body.versions.length, 1)
    await write(foreign, { config: CONFIG }, operator)
    const [event] = (await library.events(foreign)).slice(-1)
    assert.deepEqual([event?.type, event?.payload.version], ['exercise.pose_config_changed', 1])
  })

  test('the pose configuration of an exercise of a draft needs more than exercises.view_published; that of a deleted exercise is not found', async () => {
    const { id, slug } = await library.exercise(admin)
    await write(id)
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    assert.deepEqual(refused(await get(slug, reader)), [404, 'exercise_not_found'])
    await core.delete(`/v1/exercises/${id}`, { as: admin })
    for (const answer of [await get(slug), await get(id), await put(id)])
      assert.deepEqual(refused(answer), [404, 'exercise_not_found'])
  })

  test('the pose configuration of an exercise is not available to patients directly; a run contains those of its exercises', async () => {
    const { id, slug } = await library.published(admin)
    await write(id)
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    const plan = await plansOf(core).given(clinic, patient.id, [id])
    assert.equal((await get(slug, person)).status, 403)
    const context = {
      principalId: person.id,
      organizationId: clinic.id,
      permissions: '',
      profileIds: [patient.profile_id],
    }
    const session = await core.services.db.tenant(context, (tx) => findPlanSession(tx, plan.sessions[0].id))
    assert.deepEqual(session?.exercises[0]?.pose_config?.config, WHOLE)
  })

  test('the pose configuration of an exercise is refused with every field that is wrong (422), and nothing is written', async () => {
    const { id, slug } = await library.exercise(admin)
    const { status, body } = await put(id, {
      tracking_enabled: 'yes',
      status: 'retired',
      colour: 'red',
      config: {
        engine_code: 'mine',
        landmarks: ['left_knee'],
        primary_angle: ['left_hip', 'left_knee', 'left_ankle'],
        side: 'left',
        thresholds: { up_degrees: 100, down_degrees: 110 },
        hold_seconds: -1,
        target_range_degrees: { min: 90, max: 80 },
        min_visibility: 2,
        feedback_rules: [{ code: 'A b', when: 'never', value: 'x', message: { english: 'x', en: '' } }],
        extra: 1,
      },
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).sort(), [
      'colour',
      'config.engine_code',
      'config.extra',
      'config.feedback_rules.0.code',
      'config.feedback_rules.0.message',
      'config.feedback_rules.0.message.en',
      'config.feedback_rules.0.value',
      'config.feedback_rules.0.when',
      'config.hold_seconds',
      'config.landmarks',
      'config.min_visibility',
      'config.target_range_degrees.min',
      'config.thresholds.up_degrees',
      'status',
      'tracking_enabled',
    ])
    for (const [sent, field] of [
      [{}, 'config'],
      [{ config: [] }, 'config'],
      [{ config: null }, 'config'],
      [[], 'body'],
      ['text', 'body'],
    ] as const)
      assert.ok(field in (await put(id, sent)).body.error.fields, JSON.stringify(sent))
    const endless = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 1]))
    assert.equal(Object.keys((await put(id, { config: endless })).body.error.fields).length, 100)
    assert.deepEqual((await get(slug, admin, '/versions')).body, { versions: [] })
  })

  test('the pose configuration of an exercise writes an audit row and an event', async () => {
    const { id } = await library.exercise(admin)
    await write(id)
    await write(id, { config: CONFIG, tracking_enabled: false })
    assert.deepEqual(
      (await library.audited(id)).map(({ action }) => action),
      ['exercises.create', 'exercises.update_pose_config', 'exercises.update_pose_config'],
    )
    assert.deepEqual(
      (await library.events(id)).slice(1).map(({ type, payload }) => [type, payload.version]),
      [
        ['exercise.pose_config_changed', 1],
        ['exercise.pose_config_changed', 2],
      ],
    )
  })
})
