import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunPayload, RunTimeline } from '@tendon/contracts'
import type { Page } from 'playwright-core'
import { checkNarrow, checkPrivate } from './browser.ts'
import { movementOf, playMovement, replaceModel } from './landmarks.ts'
import { writePlan } from './plan-builder.ts'
import { sessionsOf } from './sessions.ts'
import { finalised } from './telemetry.ts'
import { SKIPPED, useWorld } from './world.ts'

// The main workflow of the platform: a plan, a session at home, and its review by the physiotherapist.

describe('a session, from the plan to the review', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('live count, final count and performed repetitions are equal; all parts show the pain marker at the same millisecond', async () => {
    const sessions = sessionsOf(world.services)
    await sessions.film('squat')
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic, { first: 'Ilinca', last: 'Vornicu' })
    await sessions.consents(clinic, email)
    const path = `${clinic.slug}/patients/${record.id}/plans/new`
    const console = await world.open({ app: 'console', as: clinic.specialist, path })
    await writePlan(console, 'Knee, first weeks', 'Session A', [
      { name: 'Squat', sets: 2, reps: 4, rest: 8 },
      { name: 'Heel slide', sets: 1, reps: 3, rest: 2 },
    ])
    await world.check(console)

    const portal = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360, height: 740 })
    await replaceModel(portal)
    await portal.reload()
    const batches: number[] = []
    portal.on('response', (response) => {
      if (response.url().endsWith('/v1/pose/frames')) batches.push(response.status())
    })
    await portal.getByRole('button', { name: /Start: Session A/ }).click()
    await portal.waitForURL(/session-runs/)
    const runId = new URL(portal.url()).pathname.split('/').at(-1) ?? ''
    const payload: RunPayload = await world.api.get(`/v1/session-runs/${runId}/payload`, email)
    const squat = payload.exercises[0]
    assert.ok(squat)
    await portal.getByRole('button', { name: 'Start with camera' }).waitFor()
    await world.check(portal)
    await portal.getByRole('button', { name: 'Start with camera' }).click()
    await portal.getByRole('heading', { level: 1, name: 'Squat' }).waitFor()
    await portal.getByLabel('You, as in a mirror').waitFor()
    await world.check(portal)
    await checkNarrow(portal)
    await portal.getByRole('button', { name: 'Begin' }).click()

    const parts = [movementOf(squat, 4, 1), movementOf(squat, 2, 2), movementOf(squat, 2, 3)]
    const [first, second, third] = parts
    assert.ok(first && second && third)
    const truth = parts.reduce((sum, part) => sum + part.truth, 0)
    await playMovement(portal, first.frames)
    await portal.getByRole('heading', { level: 1, name: 'Rest' }).waitFor()
    await world.check(portal)
    const moving = playMovement(portal, second.frames)
    await portal.getByTestId('count').getByText('2', { exact: true }).waitFor()
    await atRest(portal)
    await reportPain(portal, '5', 'Knee')
    await world.check(portal)
    await moving
    await portal.getByRole('dialog').getByRole('button', { name: 'Continue', exact: true }).click()
    await playMovement(portal, third.frames)
    await portal.getByRole('heading', { level: 1, name: 'Heel slide' }).waitFor()
    await portal.getByRole('button', { name: 'Skip this exercise' }).click()
    await portal.getByRole('heading', { level: 1, name: 'The session has ended' }).waitFor()
    await portal.getByText('Everything has been sent to your clinic.').waitFor()
    await world.check(portal)
    assert.equal(
      await portal.getByText('Repetitions').locator('xpath=following-sibling::dd').textContent(),
      String(truth),
    )
    await checkPrivate(portal, ['Ilinca', 'Vornicu'])
    await portal.getByRole('group', { name: 'How hard was it?' }).getByRole('radio', { name: '4' }).check()
    await portal.getByRole('button', { name: 'Send' }).click()
    await portal.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const run = await finalised(() => world.api.get(`/v1/session-runs/${runId}/analytics`, clinic.specialist))
    const measured = run.exercise_results[0]
    assert.deepEqual(
      [
        measured?.pose?.repetitions,
        measured?.events.find(({ type }) => type === 'completed')?.data.repetitions_completed,
      ],
      [truth, truth],
      `${JSON.stringify(measured?.pose)}, batches: ${batches.join()}`,
    )
    assert.deepEqual(
      [run.incomplete, run.status, run.feedback?.pain, run.exercise_results[1]?.outcome],
      [false, 'ended_naturally', 5, 'skipped'],
    )
    await portal.getByRole('link', { name: 'Progress' }).click()
    await portal.getByRole('heading', { level: 2, name: 'Worst pain' }).waitFor()
    await world.check(portal)
    await checkNarrow(portal)
    await portal.getByRole('button', { name: 'Show as a table' }).click()
    await portal.getByRole('cell', { name: String(truth), exact: true }).waitFor()
    await world.check(portal)

    const timeline: RunTimeline = await world.api.get(`/v1/session-runs/${runId}/timeline`, clinic.specialist)
    const pain_ms = timeline.pain_reports[0]?.at_ms ?? -1
    const paused = timeline.media_events.find(({ event }) => event === 'video_paused')
    assert.equal(pain_ms, paused?.at_ms, 'the report has the time of the press')

    await console.getByRole('link', { name: 'Sessions', exact: true }).first().click()
    await console.locator('td a').first().click()
    await console.getByRole('heading', { level: 1, name: 'Ilinca Vornicu' }).waitFor()
    await console.getByRole('img', { name: 'Movement of the patient' }).waitFor()
    await world.check(console)
    await checkPrivate(console, ['Ilinca', 'Vornicu'])
    await console
      .getByRole('button', { name: /Pain 5 of 10/ })
      .first()
      .click()
    const shown = await clocks(console)
    assert.deepEqual(shown.run_ms, [pain_ms, pain_ms, pain_ms, pain_ms], 'video, skeleton, time and curve')
    assert.ok(pain_ms - shown.frame_ms >= 0 && pain_ms - shown.frame_ms < 500, `frame at ${shown.frame_ms}`)
    const played = timeline.media_events.findLast(
      ({ at_ms, position_seconds }) => (at_ms ?? 0) <= pain_ms && position_seconds !== null,
    )
    const expected = (played?.position_seconds ?? 0) + (pain_ms - (played?.at_ms ?? 0)) / 1000
    await console.waitForFunction(
      (seconds) => Math.abs((document.querySelector('video')?.currentTime ?? -1) - seconds) < 0.02,
      expected,
    )

    await console.keyboard.press('b')
    assert.ok((await clocks(console)).run_ms[0] !== pain_ms)
    await console.keyboard.press('n')
    assert.equal((await clocks(console)).run_ms[0], pain_ms)
    await console.keyboard.press('ArrowLeft')
    assert.equal((await clocks(console)).run_ms[0], pain_ms - 1000)
    await console.keyboard.press('l')
    await console.waitForFunction(
      (ms) => Number(document.querySelector<HTMLElement>('[data-run-ms]')?.dataset.runMs) > ms,
      pain_ms,
    )
    await console.keyboard.press('k')
    const stopped = (await clocks(console)).run_ms
    assert.equal(new Set(stopped).size, 1)
    await checkNarrow(console)
  })
})

/** Whether the ring that shows the movement is empty. */
const atRest = (page: Page) => page.locator('circle[stroke-dasharray^="0 "]').waitFor({ state: 'attached' })

async function reportPain(page: Page, severity: string, place: string): Promise<void> {
  await page.getByRole('button', { name: 'It hurts' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: severity, exact: true }).check()
  await dialog.getByRole('radio', { name: place }).check()
}

/** The time, in milliseconds, that each part of the review shows. */
const clocks = (page: Page) =>
  page.evaluate(() => ({
    run_ms: [...document.querySelectorAll<HTMLElement>('[data-run-ms]')].map((one) => Number(one.dataset.runMs)),
    frame_ms: Number(document.querySelector('canvas')?.dataset.frameMs),
  }))
