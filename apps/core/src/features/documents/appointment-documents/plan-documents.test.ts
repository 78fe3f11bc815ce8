import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { extractImages, getDocumentProxy } from 'unpdf'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { plansOf } from '../../care/treatment-plans/plans.testing.ts'
import { documentTools } from '../documents.testing.ts'

describe('documents of treatment plans', () => {
  let core: TestCore
  let clinic: TestOrganization
  let tools: ReturnType<typeof documentTools>
  let plans: ReturnType<typeof plansOf>
  before(async () => {
    core = await sharedCore()
    tools = documentTools(core)
    plans = plansOf(core)
    clinic = await core.organization()
    await core.publishNotice(clinic)
  })
  after(() => core.close())

  const photo = (format: 'png' | 'jpeg' | 'webp', width = 1200) =>
    sharp({ create: { width, height: 800, channels: 3, background: '#0b7a61' } })
      .toFormat(format)
      .toBuffer()
  /** An exercise whose first step has this image. */
  async function exerciseWith(name: string, image: Buffer | null): Promise<string> {
    const id = await plans.exercise(clinic, name)
    if (!image) return id
    const key = `instruction-images/${clinic.id}/${randomUUID()}.bin`
    await core.services.objects.put(key, image, { contentType: 'image/png', maxBytes: 10_000_000 })
    await core.database.query(
      `update exercise_instructions set image_url = 'object:' || $2, image_object_key = $2 where exercise_id = $1`,
      [id, key],
    )
    return id
  }
  async function printed(exercises: object[], language = 'en') {
    const { id: patientId } = await core.patient(clinic)
    const plan = await plans.written(clinic, patientId, exercises)
    assert.equal((await plans.become(clinic.admin, plan.id, 'active')).status, 200)
    const body = { language }
    const { id } = await tools.ok(core.post(`/v1/treatment-plans/${plan.id}/render`, { as: clinic.admin, body }))
    const bytes = await tools.fileOf(id, clinic.admin)
    const pdf = await getDocumentProxy(new Uint8Array(bytes))
    return { text: await tools.textOf(bytes), images: await extractImages(pdf, 1), bytes }
  }

  test('each exercise is printed with its picture, how much of it, and how to do it', async () => {
    const [png, jpeg, webp] = [await photo('png'), await photo('jpeg'), await photo('webp')]
    const exercises = []
    for (const [name, image] of [
      ['Squat', png],
      ['Bridge', jpeg],
      ['Lunge', webp],
      ['Plank', null],
    ] as const)
      exercises.push({
        exercise_id: await exerciseWith(name, image),
        sets: 2,
        hold_seconds: 20,
        notes: `Slow ${name}.`,
      })
    const { text, images, bytes } = await printed(exercises)
    for (const name of ['Squat', 'Bridge', 'Lunge', 'Plank'])
      assert.match(text, new RegExp(`${name} 2 sets.* hold 20 s.*Slow ${name}\\. Stand`), text)
    assert.equal(images.length, 3)
    for (const { width, height } of images) assert.deepEqual([width, height], [400, 267])
    assert.ok(bytes.length < 200_000, String(bytes.length))
  })

  test('a picture that cannot be read is left out, and the plan is printed', async () => {
    const broken = (await photo('png')).subarray(0, 100)
    const { text, images } = await printed(
      [{ exercise_id: await exerciseWith('Squat', broken), sets: 3, reps: 8 }],
      'ro',
    )
    assert.match(text, /Squat 3 serii × 8 repetări Stați/)
    assert.equal(images.length, 0)
  })
})
