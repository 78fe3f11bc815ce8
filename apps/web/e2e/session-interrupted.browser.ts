import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

type Prescribed = Parameters<ReturnType<typeof sessionsOf>['plan']>[2]

describe('a session that is interrupted', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function startedWith(exercises: Prescribed, view: { width?: number; scheme?: 'dark' } = {}) {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, exercises)
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, ...view })
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.getByRole('button', { name: 'Start without camera' }).click()
    return { clinic, email, page }
  }
  const begin = (page: Page) => page.getByRole('button', { name: 'Begin' }).click()
  const tap = (page: Page) => page.getByRole('button', { name: /Tap after each/ })
  const phaseOf = (page: Page) => page.locator('[data-phase]').getAttribute('data-phase')
  const runIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

  test('Back during countdown, set and rest asks first, and staying loses nothing', async () => {
    const { page } = await startedWith([{ slug: 'heel-slide', sets: 2, reps: 1, rest_seconds: 60 }])
    const dialog = page.getByRole('dialog', { name: 'Leave the session?' })
    const goBackAndStay = async (phase: string) => {
      await page.locator(`[data-phase=${phase}]`).waitFor()
      await page.goBack({ waitUntil: 'commit' }).catch(() => undefined)
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Stay here' }).click()
      await dialog.waitFor({ state: 'hidden' })
      // The address returns only when the question is answered.
      await page.waitForURL(/session-runs/)
    }
    await begin(page)
    await goBackAndStay('countdown')
    await goBackAndStay('work')
    await tap(page).click()
    await goBackAndStay('rest')
    await page.goBack({ waitUntil: 'commit' }).catch(() => undefined)
    await dialog.waitFor()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Continue later' }).click()
    await page.getByRole('button', { name: /Continue: Session A/ }).waitFor()
  })

  test('a set waits while the page asks whether to leave, and goes on with what was left', async () => {
    const { page } = await startedWith([{ slug: 'forearm-plank', hold_seconds: 30 }])
    await begin(page)
    await page.locator('[data-phase=work]').waitFor()
    const left = page.getByRole('timer')
    await page.getByRole('button', { name: 'Leave the session' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave the session?' })
    await dialog.waitFor()
    await page.getByText('Paused.', { exact: false }).waitFor()
    const shown = await left.textContent()
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    assert.ok(Number(await left.textContent()) <= Number(shown))
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Leave the session' }).click()
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await dialog.waitFor({ state: 'hidden' })
    // A set that was paused before stays paused.
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  })

  test('after a reload the exercise continues in the same set with the counted repetitions', async () => {
    const { page, clinic } = await startedWith([{ slug: 'heel-slide', sets: 2, reps: 3, rest_seconds: 3 }])
    const runId = runIdOf(page)
    await begin(page)
    for (let counted = 0; counted < 3; counted++) await tap(page).click()
    await page.locator('[data-phase=rest]').waitFor()
    await page.locator('[data-phase=work]').waitFor({ timeout: 15_000 })
    await tap(page).click()
    await page.getByRole('status').filter({ hasText: '1 of 3' }).waitFor({ state: 'attached' })
    await until(() => isKept(page, 4))
    await page.reload()
    await page.getByText('You continue where you stopped.').waitFor()
    await page.getByRole('button', { name: 'Start without camera' }).click()
    await page.getByText('You continue with set 2 of 2, with 1 repetition counted.').waitFor()
    await world.check(page)
    await begin(page)
    await tap(page).click()
    await tap(page).click()
    await page.getByRole('heading', { level: 1, name: 'Well done!' }).waitFor()
    await page.getByText('Everything has been sent to your clinic.').waitFor()
    const run = await world.api.get(`/v1/session-runs/${runId}/analytics`, clinic.specialist)
    const [{ repetitions_tapped, events }] = run.exercise_results
    const types = events.map(({ type }: { type: string }) => type)
    assert.deepEqual([run.repetitions, repetitions_tapped], [{ measured: null, tapped: 6 }, 6])
    assert.deepEqual(types, ['started', 'completed'])
    assert.equal(events[1].data.sets_completed, 2)
  })

  test('a second tab of the run is told so, shows the exercises, and can continue in place of the first', async () => {
    const { page } = await startedWith([{ slug: 'heel-slide', sets: 1, reps: 4 }])
    await begin(page)
    await tap(page).click()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByText('This session is open in another tab').waitFor()
    await second.getByText('Heel slide').waitFor()
    assert.equal(await second.getByRole('button', { name: /Start/ }).count(), 0)
    await world.check(second)
    await second.getByRole('button', { name: 'Continue here' }).click()
    await second.getByRole('button', { name: 'Start without camera' }).click()
    await second.getByText('with 1 repetition counted').waitFor()
    await page.getByText('This session is open in another tab').waitFor()
    await second.close()
    await page.getByRole('button', { name: 'Start without camera' }).waitFor()
  })

  test('the set pauses while the page asks to sign in again', async () => {
    const { page } = await startedWith([{ slug: 'heel-slide', sets: 1, reps: 4 }])
    await begin(page)
    await tap(page).click()
    await world.services.database.query(`delete from web_sessions where app = 'portal'`, [])
    // The next question about the consents comes within 15 seconds.
    await page.getByRole('button', { name: 'Sign in again' }).waitFor()
    await page.getByText('Paused. Take your time.').waitFor({ state: 'attached' })
    assert.equal(await phaseOf(page), 'work')
  })

  test('taps are announced, and after the pain sheet the focus is where it was', async () => {
    const { page } = await startedWith([{ slug: 'heel-slide', sets: 1, reps: 4 }])
    await begin(page)
    await tap(page).click()
    await page.getByRole('status').filter({ hasText: '1 of 4' }).waitFor({ state: 'attached' })
    const hurts = page.getByRole('button', { name: 'It hurts' })
    await hurts.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: '2', exact: true }).check()
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.locator('button:focus').getByText('It hurts', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('radio', { name: '5', exact: true }).check()
    await dialog.getByRole('button', { name: 'Rest a little' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.waitForFunction(() => document.activeElement !== document.body)
  })

  test('at 200 % on a phone the buttons of the player keep their words, in dark too', async () => {
    const { page } = await startedWith([{ slug: 'heel-slide', sets: 1, reps: 4 }], { scheme: 'dark' })
    await page.setViewportSize({ width: 180, height: 370 })
    await begin(page)
    await tap(page).waitFor()
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.mantine-Button-label')]
        .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
          return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2
        })
        .map(({ textContent }) => textContent),
    )
    assert.deepEqual(cut, [])
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Leave the session' }).click()
    await page.getByRole('dialog').waitFor()
    await world.check(page)
  })

  test('the screen is kept on again after the tab was hidden, and no longer than the session', async () => {
    const { page } = await startedWith([{ slug: 'heel-slide', sets: 1, reps: 1 }])
    await countWakeLocks(page)
    await page.reload()
    await page.getByRole('button', { name: 'Start without camera' }).waitFor()
    assert.deepEqual(await wakeLocksOf(page), { asked: 0, held: 0 })
    await page.getByRole('button', { name: 'Start without camera' }).click()
    await begin(page)
    await tap(page).waitFor()
    assert.deepEqual(await wakeLocksOf(page), { asked: 1, held: 1 })
    await setVisibility(page, 'hidden')
    assert.deepEqual(await wakeLocksOf(page), { asked: 1, held: 0 })
    await setVisibility(page, 'visible')
    assert.deepEqual(await wakeLocksOf(page), { asked: 2, held: 1 })
    await tap(page).click()
    await page.getByRole('heading', { level: 1, name: 'Well done!' }).waitFor()
    await page.waitForFunction(() => window.locks.held === 0)
    assert.equal((await wakeLocksOf(page)).asked, 2)
  })

  test('the clinic reads how many exercises were done, who counted, and what the patient said', async () => {
    const { page, clinic } = await startedWith([
      { slug: 'heel-slide', sets: 1, reps: 2 },
      { slug: 'ankle-pumps', sets: 1, reps: 2 },
    ])
    const runId = runIdOf(page)
    await begin(page)
    await tap(page).click()
    await tap(page).click()
    await page.getByRole('button', { name: 'Skip this exercise' }).click()
    await page.getByRole('radio', { name: '3', exact: true }).first().check()
    await page.getByRole('radio', { name: '4', exact: true }).last().check()
    await page.getByRole('textbox').fill('My knee felt warm.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const staff = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/session-runs` })
    const row = staff.getByRole('row').filter({ hasText: 'Session A' })
    await row.getByText('1 of 2 done, 1 skipped').waitFor()
    await row.getByText('2 by the patient').waitFor()
    await world.check(staff)
    await staff.goto(`${world.services.url}/console/${clinic.slug}/session-runs/${runId}`)
    const said = staff.getByRole('region', { name: 'Patient feedback' })
    await said.getByText('3 of 10').waitFor()
    await said.getByText('My knee felt warm.').waitFor()
    const doses = staff.getByRole('region', { name: 'Prescribed and done' })
    await doses.getByText('1 of 2 exercises completed').waitFor()
    const heel = doses.getByRole('row').filter({ hasText: 'Heel slide' })
    assert.match((await heel.textContent()) ?? '', /1 × 2.*Not measured.*2 repetitions.*Completed/)
    assert.equal(await staff.getByText('Nothing was reported or recorded.').count(), 0)
    await world.check(staff)
  })
})

/** Whether the device has saved this many repetitions of the current exercise. */
const isKept = (page: Page, repetitions: number) =>
  page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('tendon-progress')
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('runs').objectStore('runs').getAll()
          all.addEventListener('success', () => {
            opening.result.close()
            resolve(all.result.some(({ progress }) => progress.repetitions === wanted))
          })
        })
      }),
    repetitions,
  )

declare global {
  interface Window {
    locks: WakeLocks
  }
}

interface WakeLocks {
  asked: number
  held: number
}

/** Counts the wake locks of the next page; as in a browser, they are released when the page is hidden. */
async function countWakeLocks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const locks: WakeLocks = { asked: 0, held: 0 }
    Object.assign(globalThis, { locks })
    navigator.wakeLock.request = async () => {
      locks.asked += 1
      locks.held += 1
      const sentinel = Object.assign(new EventTarget(), {
        type: 'screen' as const,
        onrelease: null,
        released: false,
        async release() {
          if (!sentinel.released) locks.held -= 1
          sentinel.released = true
        },
      })
      document.addEventListener('visibilitychange', () => document.hidden && void sentinel.release())
      return sentinel
    }
  })
}

const wakeLocksOf = (page: Page) => page.evaluate(() => window.locks)

async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((given) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => given === 'hidden' })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => given })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
