import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { bodyOf, FILES, partOf, upload } from '../../../platform/uploads.testing.ts'
import type { Json, Person } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { plansOf } from '../../care/treatment-plans/plans.testing.ts'
import { refusedAs, startMedia, type TestMedia } from '../videos/media.testing.ts'

const FOLDER = 'instruction-images/'
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')

describe('the image of an instruction', () => {
  let core: TestMedia
  let clinic: TestOrganization
  let admin: Person
  let operator: Person
  before(async () => {
    core = await startMedia({ EXERCISE_IMAGE_MAX_MB: '1' })
    clinic = await core.organization()
    admin = clinic.admin
    operator = await core.superadmin()
  })
  after(() => core.close())

  async function step(as = admin) {
    const { id } = await core.library.published(as)
    const [{ id: instruction }] = (await core.get(`/v1/exercises/${id}/instructions`, { as })).body.instructions
    return { id: id as string, instruction: instruction as number }
  }
  const imagePath = (of: { id: string; instruction: number }) =>
    `/v1/exercises/${of.id}/instructions/${of.instruction}/image`
  const send = (of: { id: string; instruction: number }, content = FILES.png, type = 'image/png', as = admin) =>
    core.sendImage(as, of.id, of.instruction, content, type)
  const shown = async (id: string, as = admin): Promise<Json> =>
    (await core.get(`/v1/exercises/${id}/instructions`, { as })).body.instructions[0].image_url

  test('the image of an instruction can be JPEG, PNG or WebP, replaces the previous one, and is returned with the instruction', async () => {
    const of = await step()
    for (const [content, type] of [
      [FILES.jpeg, 'image/jpeg'],
      [WEBP, 'image/webp'],
      [FILES.png, 'image/png'],
    ] as const) {
      const { status, body } = await send(of, content, type)
      assert.deepEqual([status, Object.keys(body)], [200, ['image_url']])
      const picture = await core.open(body.image_url)
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, type])
      assert.ok(picture.bytes.equals(content))
      assert.equal(picture.headers.get('x-content-type-options'), 'nosniff')
    }
    assert.equal((await core.keysAtRest(FOLDER)).length, 1)
    const detail = (await core.library.read(admin, of.id)).body.data.instructions[0].image_url
    const path = `/v1/exercises/${of.id}/instructions`
    const changed = await core.put(`${path}/${of.instruction}`, { as: admin, body: { title: 'Stand' } })
    const ordered = await core.put(`${path}/reorder`, { as: admin, body: { instruction_ids: [of.instruction] } })
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    const plan = await plansOf(core).given(clinic, patient.id, [of.id])
    const mine = await core.get(`/v1/me/treatment-plans/${plan.id}`, { as: person })
    for (const address of [
      detail,
      await shown(of.id),
      changed.body.data.image_url,
      ordered.body.instructions[0].image_url,
      mine.body.data.sessions[0].exercises[0].instructions[0].image_url,
    ])
      assert.ok((await core.open(address)).bytes.equals(FILES.png))
    assert.deepEqual(
      (await core.library.audited(of.id)).map(({ action }) => action).filter((action) => action.includes('image')),
      Array.from({ length: 3 }, () => 'exercises.upload_instruction_image'),
    )
  })

  test('the image of an instruction is deleted (204), also with its instruction, unless a copy shows it', async () => {
    const of = await step(operator)
    await send(of, FILES.png, 'image/png', operator)
    const copy = (await core.post(`/v1/exercises/${of.id}/clone`, { as: admin })).body.data
    const before = await core.keysAtRest(FOLDER)
    assert.equal((await core.delete(imagePath(of), { as: operator })).status, 204)
    assert.equal((await core.delete(imagePath(of), { as: operator })).status, 204)
    assert.equal(await shown(of.id, operator), null)
    assert.deepEqual(await core.keysAtRest(FOLDER), before)
    assert.equal((await core.open(await shown(copy.id))).status, 200)
    const [{ id: instruction }] = copy.instructions
    const path = `/v1/exercises/${copy.id}/instructions/${instruction}`
    assert.equal((await core.delete(path, { as: admin })).status, 204)
    await until(async () => (await core.keys(FOLDER)).length === before.length - 1)
  })

  test('that two copies delete at the same time is gone', async () => {
    const of = await step(operator)
    await send(of, FILES.png, 'image/png', operator)
    const kept = await core.keysAtRest(FOLDER)
    const copies = await Promise.all(
      [1, 2, 3, 4].map(async () => (await core.post(`/v1/exercises/${of.id}/clone`, { as: admin })).body.data),
    )
    await core.delete(imagePath(of), { as: operator })
    await Promise.all(
      copies.map(({ id, instructions: [{ id: instruction }] }) =>
        core.delete(imagePath({ id, instruction }), { as: admin }),
      ),
    )
    await until(async () => (await core.keys(FOLDER)).length === kept.length - 1)
  })

  test('of many uploaded at once, one remains', async () => {
    const of = await step()
    const before = await core.keysAtRest(FOLDER)
    const sent = await Promise.all(Array.from({ length: 6 }, () => send(of)))
    assert.ok(sent.every(({ status }) => status === 200))
    assert.equal((await core.keysAtRest(FOLDER)).length, before.length + 1)
    assert.equal((await core.open(await shown(of.id))).status, 200)
  })

  test('the image of an instruction is refused when it is not an image, too large or not an upload; nothing of it is stored', async () => {
    const of = await step()
    const before = await core.keysAtRest(FOLDER)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const [content, type, code] of [
      [FILES.text, 'image/png', 'invalid_file_type'],
      [FILES.png, 'image/jpeg', 'invalid_file_type'],
      [svg, 'image/svg+xml', 'invalid_file_type'],
      [FILES.pdf, 'application/pdf', 'invalid_file_type'],
      [Buffer.concat([FILES.png, svg]).subarray(0, 4), 'image/png', 'invalid_file_type'],
      [Buffer.concat([FILES.jpeg, Buffer.alloc(1024 * 1024)]), 'image/jpeg', 'file_too_large'],
    ] as const)
      assert.deepEqual(refusedAs(await send(of, content, type)), [400, code], type)
    const two = bodyOf(partOf(FILES.png, 'image/png'), partOf(FILES.png, 'image/png'))
    assert.deepEqual(refusedAs(await upload(core.url + imagePath(of), admin, two)), [422, 'validation_failed'])
    assert.deepEqual(refusedAs(await core.post(imagePath(of), { as: admin, body: {} })), [
      415,
      'unsupported_media_type',
    ])
    assert.deepEqual(await core.keysAtRest(FOLDER), before)
    assert.equal(await shown(of.id), null)
  })

  test('the image of an instruction can be changed by the clinic for its own exercises, by a superadmin for the platform’s', async () => {
    const [own, global, foreign] = [await step(), await step(operator), await step((await core.organization()).admin)]
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    for (const [of, as, expected] of [
      [global, admin, [403, 'forbidden']],
      [foreign, admin, [404, 'exercise_not_found']],
      [{ ...own, instruction: foreign.instruction }, admin, [404, 'instruction_not_found']],
      [{ ...own, instruction: 2_000_000_000 }, admin, [404, 'instruction_not_found']],
      [own, reader, [403, 'forbidden']],
    ] as const) {
      assert.deepEqual(refusedAs(await send(of, FILES.png, 'image/png', as)), expected)
      assert.deepEqual(refusedAs(await core.delete(imagePath(of), { as })), expected)
    }
    assert.equal((await send(global, FILES.png, 'image/png', operator)).status, 200)
    assert.equal((await core.open(await shown(global.id))).status, 200)
  })
})
