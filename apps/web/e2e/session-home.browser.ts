import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { checkNarrow, tabTo } from './browser.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

const OFFLINE_MS = 20_000

describe('a session at home', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function patientWith(exercises: Parameters<ReturnType<typeof sessionsOf>['plan']>[2]) {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, exercises)
    return { clinic, email }
  }
  const eventsOf = (runId: string) =>
    world.services.database.query<{ type: string; count: string }>(
      'select type, count(*) from session_run_events where session_run_id = $1 group by type order by type',
      [runId],
    )
  const hasEvent = async (runId: string, wanted: string) => (await eventsOf(runId)).some(({ type }) => type === wanted)
  const runIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

  test('after twenty seconds without a connection nothing is lost or duplicated (ro, dark, 768)', async () => {
    const { clinic, email } = await patientWith([
      { slug: 'heel-slide', reps: 2 },
      { slug: 'ankle-pumps', reps: 2 },
    ])
    const page = await world.open({
      app: 'portal',
      as: email,
      path: clinic.slug,
      language: 'ro',
      scheme: 'dark',
      width: 768,
    })
    await page.getByRole('button', { name: /Începeți: Session A/ }).click()
    await page.getByRole('button', { name: 'Începeți fără cameră' }).waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Începeți fără cameră' }).click()
    const runId = runIdOf(page)
    await page.getByRole('button', { name: 'Începeți', exact: true }).click()
    const tap = page.getByRole('button', { name: /Atingeți după fiecare/ })
    await tap.click()
    await until(() => hasEvent(runId, 'started'))
    await page.context().setOffline(true)
    const began = Date.now()
    await page.getByText(/Fără conexiune/).waitFor()
    await tap.click()
    await page.getByRole('button', { name: 'Începeți', exact: true }).click()
    await tap.click()
    await page.getByRole('button', { name: 'Mă doare' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: '8', exact: true }).check()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Mă odihnesc puțin' }).click()
    await page.getByText('Pauză. Nu vă grăbiți.').waitFor()
    await world.check(page)
    assert.deepEqual(await eventsOf(runId), [{ type: 'started', count: '1' }])
    await page.waitForTimeout(Math.max(0, OFFLINE_MS - (Date.now() - began)))
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Continuați' }).click()
    await tap.click()
    await page.getByRole('heading', { level: 1, name: 'Foarte bine!' }).waitFor()
    await page.getByText('Totul a fost trimis clinicii.').waitFor()
    await world.check(page)
    await checkNarrow(page)
    assert.deepEqual(await eventsOf(runId), [
      { type: 'completed', count: '2' },
      { type: 'paused_for_pain', count: '1' },
      { type: 'started', count: '2' },
    ])
    const pains = await world.services.database.query('select severity from pain_reports where session_run_id = $1', [
      runId,
    ])
    assert.deepEqual(pains, [{ severity: 8 }])
    const timeline = await mediaOf(runId, clinic.specialist)
    const starts = timeline.filter(({ event }) => event === 'session_start').map(({ at_ms }) => at_ms)
    assert.equal(new Set(starts).size, starts.length, 'each media event once')
    assert.equal(timeline.filter(({ event }) => event === 'session_end').length, 1)
  })

  async function mediaOf(runId: string, specialist: string): Promise<{ event: string; at_ms: number }[]> {
    for (let asked = 0; asked < 100; asked++) {
      const { media_events } = await world.api.get(`/v1/session-runs/${runId}/timeline`, specialist)
      if (media_events.some(({ event }: { event: string }) => event === 'session_end')) return media_events
      await new Promise((done) => setTimeout(done, 200))
    }
    throw new Error(`The timeline of ${runId} has no end after 20 s`)
  }

  test('after closing the tab the session resumes at the first unfinished exercise, even if reports are unsent', async () => {
    const { clinic, email } = await patientWith([
      { slug: 'heel-slide', reps: 1 },
      { slug: 'ankle-pumps', reps: 1 },
      { slug: 'sit-to-stand', reps: 1 },
    ])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360, height: 740 })
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.getByRole('button', { name: 'Start without camera' }).click()
    const runId = runIdOf(page)
    const doOne = async () => {
      await page.getByRole('button', { name: 'Begin' }).click()
      await page.getByRole('button', { name: /Tap after each/ }).click()
    }
    await doOne()
    await page.getByRole('heading', { level: 1, name: 'Ankle pumps' }).waitFor()
    // Sent, so that only the report of the second exercise waits on the device.
    await until(() => hasEvent(runId, 'completed'))
    await page.context().setOffline(true)
    await doOne()
    await page.getByRole('heading', { level: 1, name: 'Sit to stand' }).waitFor()
    await saved(page, 'completed')
    const context = page.context()
    await page.close()
    await context.setOffline(false)

    const again = await context.newPage()
    await again.goto(`${world.services.url}/portal/${clinic.slug}`)
    await again.getByRole('button', { name: /Continue: Session A/ }).click()
    await again.getByText('You continue where you stopped.').waitFor()
    await world.check(again)
    await again.getByRole('button', { name: 'Start without camera' }).click()
    await again.getByRole('heading', { level: 1, name: 'Sit to stand' }).waitFor()
    assert.equal(runIdOf(again), runId)
    assert.deepEqual(await eventsOf(runId), [
      { type: 'completed', count: '2' },
      { type: 'started', count: '2' },
    ])
    await again.getByRole('button', { name: 'Leave the session' }).click()
    await world.check(again)
    await again.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
    await again.getByText('Everything has been sent to your clinic.').waitFor()
    const run = await world.api.get(`/v1/session-runs/${runId}/analytics`, clinic.specialist)
    assert.deepEqual([run.status, run.exercise_results[2].outcome], ['ended_explicit', 'abandoned'])
  })

  test('a session works with the keyboard only, with a held and a timed exercise', async () => {
    const { clinic, email } = await patientWith([
      { slug: 'quadriceps-set', reps: 1, hold_seconds: 1 },
      // Long enough to reach the button that pauses it.
      { slug: 'forearm-plank', hold_seconds: 8 },
    ])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 1440 })
    await page.getByRole('button', { name: /Start: Session A/ }).waitFor()
    await tabTo(page, 'main button')
    await page.keyboard.press('Enter')
    await page.waitForURL(/session-runs/)
    await page.getByRole('heading', { level: 1, name: 'Session A' }).waitFor()
    await page.locator('[data-next]:focus').waitFor()
    const buttons = await page.getByRole('button').allTextContents()
    if (buttons.includes('Start without camera')) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Quadriceps set' }).waitFor()
    // The next action has the focus.
    const begin = page.locator('[data-next]:focus', { hasText: 'Begin' })
    await begin.waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-next]:focus', { hasText: 'Tap, then hold' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Forearm plank' }).waitFor()
    await begin.waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('timer').waitFor()
    await tabTo(page, 'button:has(svg):not([aria-label])')
    await page.keyboard.press('Enter')
    await page.getByText('Paused. Take your time.').waitFor()
    await world.check(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Well done!' }).waitFor()
    await tabTo(page, 'input[type=radio]')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, 'input[type=radio]')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  })
})

/** Waits until the device has saved a report of this type. */
async function saved(page: Page, type: string): Promise<void> {
  const found = () =>
    page.evaluate(
      (wanted) =>
        new Promise<boolean>((resolve) => {
          const opening = indexedDB.open('tendon-outbox')
          opening.addEventListener('success', () => {
            const all = opening.result.transaction('entries').objectStore('entries').getAll()
            all.addEventListener('success', () => {
              opening.result.close()
              resolve(all.result.some(({ body }: { body: { type?: string } }) => body.type === wanted))
            })
          })
        }),
      type,
    )
  while (!(await found())) await page.waitForTimeout(50)
}
