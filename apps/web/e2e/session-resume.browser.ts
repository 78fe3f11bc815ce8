import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { RunPayload, RunSummary, RunTimeline } from '@tendon/contracts'
import { decodeBatch } from '@tendon/pose'
import { until } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { replaceCamera } from './fake-camera.ts'
import { movementOf, playMovement, replaceModel } from './landmarks.ts'
import { type Prescribed, sessionsOf } from './sessions.ts'
import { finalised } from './telemetry.ts'
import { SKIPPED, useWorld } from './world.ts'

const COUNTDOWN_MS = 3_000

describe('a session that goes on in another page', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function opened(prescribed: Prescribed) {
    const sessions = sessionsOf(world.services)
    await sessions.film('squat')
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [prescribed])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    await replaceModel(page)
    await replaceCamera(page)
    await page.reload()
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.waitForURL(/session-runs/)
    const runId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const analytics = () => world.api.get(`/v1/session-runs/${runId}/analytics`, clinic.specialist)
    return { clinic, email, page, runId, analytics }
  }
  const start = (page: Page) => page.getByRole('button', { name: 'Start without camera' }).click()
  const tap = (page: Page) => page.getByRole('button', { name: /Tap after each/ })
  const counted = (page: Page, text: string) =>
    page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
  const everythingSent = (page: Page) => page.getByText('Everything has been sent to your clinic.').waitFor()

  /** The next set starts three seconds after the click, not before. */
  async function begin(page: Page): Promise<number> {
    const clicked = Date.now()
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.locator('[data-phase=work]').waitFor()
    return clicked + COUNTDOWN_MS
  }

  test('the absence between two pages, and between two tabs, is neither drawn as exercise nor counted', async () => {
    const { clinic, page, runId, analytics } = await opened({ slug: 'squat', sets: 1, reps: 3 })
    await start(page)
    const first = await begin(page)
    await tap(page).click()
    await counted(page, '1 of 3')
    await videoPlays(page)
    await putAside(page)
    await page.reload()
    const reloaded = Date.now()
    await start(page)
    const second = await begin(page)
    await tap(page).click()
    await counted(page, '2 of 3')
    await videoPlays(page)
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByRole('button', { name: 'Continue here' }).click()
    await page.getByText('This session is open in another tab').waitFor()
    const taken = Date.now()
    await start(tab)
    const third = await begin(tab)
    await tap(tab).click()
    await everythingSent(tab)
    const ended = Date.now()

    const run = await finalised(analytics)
    const most = (reloaded - first + (taken - second) + (ended - third)) / 1000
    assert.ok(run.active_seconds <= most, `${run.active_seconds} of at most ${most} seconds`)
    assert.deepEqual(run.repetitions, { measured: null, tapped: 3 })

    const timeline: RunTimeline = await world.api.get(`/v1/session-runs/${runId}/timeline`, clinic.specialist)
    const zero = Date.parse(timeline.session_start_at ?? '')
    const path = `${clinic.slug}/session-runs/${runId}`
    const staff = await world.open({ app: 'console', as: clinic.specialist, path })
    await staff.getByRole('slider', { name: 'Position' }).waitFor()
    const drawn = await staff.evaluate(() => {
      const length = Number(document.querySelector<HTMLInputElement>('input[type=range]')?.max)
      const share = (value: string) => (Number.parseFloat(value) * length) / 100
      return [...document.querySelectorAll<HTMLElement>('span[data-kind=exercise]')].map(({ style }) => ({
        from_ms: share(style.left),
        to_ms: share(style.left) + share(style.width),
      }))
    })
    const absences = [
      { from_ms: reloaded - zero, to_ms: second - zero },
      { from_ms: taken - zero, to_ms: third - zero },
    ]
    const overlaps = absences.map((absence) =>
      drawn.filter(({ from_ms, to_ms }) => from_ms < absence.to_ms - 5 && to_ms > absence.from_ms + 5),
    )
    const events = timeline.media_events.map(
      ({ event, media_id, at_ms }) => `${event} ${media_id.slice(0, 4)} ${at_ms}`,
    )
    assert.deepEqual(overlaps, [[], []], `${JSON.stringify({ drawn, absences })} ${events.join(', ')}`)
    assert.equal(drawn.length, 3)
    await world.check(staff)
  })

  test('after a reload in set 2 measured and tapped repetitions are kept; portal, review, list and API say the same', async () => {
    const { clinic, email, page, runId, analytics } = await opened({
      slug: 'squat',
      sets: 2,
      reps: 2,
      rest_seconds: 60,
    })
    const payload: RunPayload = await world.api.get(`/v1/session-runs/${runId}/payload`, email)
    const squat = payload.exercises[0]
    assert.ok(squat)
    const stored = framesStoredBy(page)
    await page.getByRole('button', { name: 'Start with camera' }).click()
    await page.getByLabel('You, as in a mirror').waitFor()
    await begin(page)
    await playMovement(page, movementOf(squat, 2, 1).frames)
    await page.getByRole('button', { name: 'Continue now' }).click()
    const still = movementOf(squat, 1, 3).frames.filter(({ at_ms }) => at_ms < 1_800)
    const moved_ms = await playMovement(page, movementOf(squat, 1, 2).frames)
    await playMovement(page, still, 'now')
    await page.getByTestId('count').getByText('1', { exact: true }).waitFor()
    await until(() => stored.until_ms >= moved_ms, 20_000)
    await page.reload()
    await start(page)
    await page.getByText('You continue with set 2 of 2, with 1 repetition counted.').waitFor()
    await begin(page)
    await tap(page).click()
    await everythingSent(page)
    const stated = async () => page.locator('[data-phase=done] dd').allInnerTexts()
    assert.deepEqual(await stated(), ['1 of 1', '4', '<\u00a01'])
    await page.reload()
    await everythingSent(page)
    assert.deepEqual(await stated(), ['1 of 1', '4', '<\u00a01'])

    const repetitions = { measured: 3, tapped: 1 }
    const run = await finalised(analytics)
    const [result] = run.exercise_results
    assert.deepEqual(run.repetitions, repetitions, JSON.stringify(result?.pose))
    assert.deepEqual([result?.pose?.repetitions, result?.repetitions_tapped], [3, 1])
    assert.deepEqual(result?.events.at(-1)?.data.repetitions_completed, 4)
    const own: RunSummary[] = await world.api.get('/v1/me/session-runs', email)
    assert.deepEqual([own[0]?.repetitions, own[0]?.active_seconds], [repetitions, run.active_seconds])

    const staff = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/session-runs` })
    const row = staff.getByRole('row').filter({ hasText: 'Session A' })
    await row.getByText('3 by camera, 1 by the patient').waitFor()
    await row.getByText('1 of 1 done').waitFor()
    await row.getByRole('link').first().click()
    const doses = staff.getByRole('region', { name: 'Prescribed and done' })
    await doses.getByText('less than a minute of exercise').waitFor()
    const dose = await doses.getByRole('row').filter({ hasText: 'Squat' }).textContent()
    assert.match(dose ?? '', /2 × 2.*3 repetitions.*1 repetition.*Completed/)
    await staff.getByRole('heading', { level: 3, name: 'Squat: 3 repetitions' }).waitFor()
    await world.check(staff)
  })
})

const videoPlays = (page: Page) =>
  page.waitForFunction(() => [...document.querySelectorAll('video')].some(({ currentTime }) => currentTime > 0))

/** A phone that shows another program: the page gets its event, then nothing of it runs any more. */
async function putAside(page: Page): Promise<void> {
  const told = page.waitForResponse(
    (response) => response.request().postData()?.includes('page_hidden') === true && response.ok(),
  )
  await page.evaluate(() => {
    const last = Number(setInterval(() => {}, 1e6))
    for (let id = 1; id <= last; id += 1) clearInterval(id)
    Object.defineProperty(document, 'hidden', { get: () => true })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await told
}

/** The time of the last frame that telemetry has. */
function framesStoredBy(page: Page): { until_ms: number } {
  const stored = { until_ms: 0 }
  page.on('response', (response) => {
    const bytes = response.request().postDataBuffer()
    if (!response.url().endsWith('/v1/pose/frames') || response.status() !== 202 || !bytes) return
    stored.until_ms = Math.max(stored.until_ms, decodeBatch(gunzipSync(bytes)).timestamps.at(-1) ?? 0)
  })
  return stored
}
