import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunPayload } from '@tendon/contracts'
import type { Page } from 'playwright-core'
import { replaceCamera, setCamera, skeletonIsDrawn } from './fake-camera.ts'
import { movementOf, playMovement, replaceModel } from './landmarks.ts'
import { sessionsOf } from './sessions.ts'
import { finalised } from './telemetry.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the camera picture during an exercise', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** In the overview of a session with squats. */
  async function opened(sets: number, reps: number, view: { language?: 'ro'; scheme?: 'dark'; width?: number } = {}) {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [{ slug: 'squat', sets, reps, rest_seconds: 60 }])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, ...view })
    await replaceModel(page)
    await replaceCamera(page)
    await page.reload()
    await page.getByRole('button', { name: /: Session A/ }).click()
    await page.waitForURL(/session-runs/)
    const runId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const payload: RunPayload = await world.api.get(`/v1/session-runs/${runId}/payload`, email)
    const squat = payload.exercises[0]
    assert.ok(squat)
    const analytics = () => world.api.get(`/v1/session-runs/${runId}/analytics`, clinic.specialist)
    return { page, squat, analytics }
  }
  const begin = (page: Page) => page.getByRole('button', { name: 'Begin' }).click()
  const tap = (page: Page) => page.getByRole('button', { name: /Tap after each/ })
  const cameraSwitch = (page: Page) => page.getByRole('button', { name: 'Camera', exact: true })
  const picture = (page: Page) => page.getByLabel('You, as in a mirror')
  const count = (page: Page, reps: number) => page.getByTestId('count').getByText(String(reps), { exact: true })
  const repetitionsIn = async (page: Page) => {
    await page.getByText('Everything has been sent to your clinic.').waitFor()
    return page.getByText('Repetitions').locator('xpath=following-sibling::dd').textContent()
  }

  test('a camera that becomes ready during a set shows picture and skeleton, says so, and counts from the next set', async () => {
    const { page, squat, analytics } = await opened(2, 2)
    await page.getByRole('button', { name: 'Start without camera' }).click()
    await begin(page)
    await tap(page).waitFor()
    await setCamera(page, { isHeld: true })
    await cameraSwitch(page).click()
    await tap(page).click()
    await setCamera(page, { isHeld: false })
    await picture(page).waitFor()
    await skeletonIsDrawn(page)
    await page.getByRole('status').getByText('The camera counts from the next set. Tap for this one.').waitFor()
    await world.check(page)
    await tap(page).click()
    await page.getByRole('button', { name: 'Continue now' }).click()
    const movement = movementOf(squat, 2, 1)
    const moving = playMovement(page, movement.frames)
    await page.getByTestId('count').waitFor()
    assert.equal(await page.getByText('The camera counts from the next set.').count(), 0)
    await moving
    assert.equal(await repetitionsIn(page), '4')
    const run = await finalised(analytics)
    assert.deepEqual(run.repetitions, { measured: movement.truth, tapped: 2 })
  })

  test('a camera that is turned on in the last set does not promise another one', async () => {
    const { page } = await opened(1, 2)
    await page.getByRole('button', { name: 'Start without camera' }).click()
    await begin(page)
    await tap(page).waitFor()
    await cameraSwitch(page).click()
    await picture(page).waitFor()
    await page.getByText('The camera does not count this set. Tap after each repetition.').waitFor()
    await tap(page).click()
    await tap(page).click()
    assert.equal(await repetitionsIn(page), '2')
  })

  test('frames that telemetry refuses for a moment are sent again before the session ends', async () => {
    const { page, squat, analytics } = await opened(1, 2)
    const refused = new Set<string>()
    await page.route('**/v1/pose/frames', async (route) => {
      const batch = route.request().postDataBuffer()?.toString('base64') ?? ''
      if (route.request().method() !== 'POST' || refused.has(batch)) return route.fallback()
      refused.add(batch)
      await route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*', 'retry-after': '1' } })
    })
    await page.getByRole('button', { name: 'Start with camera' }).click()
    await picture(page).waitFor()
    await begin(page)
    const movement = movementOf(squat, 2, 1)
    await playMovement(page, movement.frames)
    assert.equal(await repetitionsIn(page), '2')
    const run = await finalised(analytics)
    assert.ok(refused.size > 1)
    assert.deepEqual(run.repetitions, { measured: movement.truth, tapped: 0 })
  })

  test('a frozen camera picture is announced, the patient counts by tapping, and the camera counts again when it moves', async () => {
    const { page, squat, analytics } = await opened(1, 3)
    await page.getByRole('button', { name: 'Start with camera' }).click()
    await picture(page).waitFor()
    await begin(page)
    await playMovement(page, movementOf(squat, 1, 1).frames)
    await count(page, 1).waitFor()
    await setCamera(page, { isFrozen: true })
    const still = page.getByText(/The camera picture is frozen/)
    await still.waitFor()
    await tap(page).click()
    await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor({ state: 'attached' })
    await world.check(page)
    await setCamera(page, { isFrozen: false })
    await page.getByText('The camera picture is back.').waitFor()
    await count(page, 2).waitFor()
    assert.equal(await still.count(), 0)
    await setCamera(page, { isMuted: true })
    await still.waitFor()
    await setCamera(page, { isMuted: false })
    await still.waitFor({ state: 'detached' })
    await playMovement(page, movementOf(squat, 1, 2).frames, 'now')
    assert.equal(await repetitionsIn(page), '3')
    const { exercise_results } = await finalised(analytics)
    assert.equal(exercise_results[0]?.repetitions_tapped, 1)
  })

  test('a picture that is frozen before the set is announced too, and the camera can be turned off (ro, dark)', async () => {
    const { page } = await opened(1, 1, { language: 'ro', scheme: 'dark', width: 360 })
    await page.getByRole('button', { name: 'Începeți cu camera' }).click()
    await page.getByLabel('Imaginea dumneavoastră, ca în oglindă').waitFor()
    await setCamera(page, { isMuted: true })
    await page.getByText(/Imaginea camerei s-a oprit/).waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Cameră', exact: true }).click()
    await page.getByText(/Imaginea camerei s-a oprit/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Începeți', exact: true }).click()
    await page.getByRole('button', { name: /Atingeți după fiecare/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Foarte bine!' }).waitFor()
  })
})
