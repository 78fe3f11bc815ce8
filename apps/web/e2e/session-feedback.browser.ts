import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { checkNarrow } from './browser.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

const REPORTS = /\/v1\/session-runs\/[^/]+\/(exercise-event|pain|end)$/
const EVERY_REPORT = /\/v1\/session-runs\/[^/]+\/(exercise-event|pain|end|feedback)$/

interface Recorded {
  status: string
  effort: number | null
  events: string[]
  pains: number[]
}

describe('the answers at the end of a session', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function patient() {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [{ slug: 'heel-slide', reps: 2 }])
    return { clinic, email }
  }

  async function start(page: Page): Promise<string> {
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.getByRole('button', { name: 'Start without camera' }).click()
    await page.getByRole('button', { name: 'Begin' }).click()
    await tap(page)
    const runId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await until(async () => (await recorded(runId))?.events.includes('started'))
    return runId
  }
  const tap = (page: Page) => page.getByRole('button', { name: /Tap after each/ }).click()

  /** Reports pain, and does the rest of the session. */
  async function finishWithPain(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'It hurts' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: '6', exact: true }).check()
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
    await tap(page)
    await page.getByRole('heading', { level: 1, name: 'Well done!' }).waitFor()
  }

  async function answer(page: Page): Promise<void> {
    const effort = page.getByRole('group', { name: 'How hard was it?' })
    await effort.getByRole('radio', { name: '4' }).check()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
  }
  const unavailable = (page: Page, what: RegExp) =>
    page.context().route(what, (route) => route.fulfill({ status: 503, body: '' }))
  const recorded = async (runId: string) => {
    const [row] = await world.services.database.query<Recorded>(
      `select r.status, f.perceived_exertion as effort,
        array(select type from session_run_events e where e.session_run_id = r.id order by type) as events,
        array(select severity from pain_reports p where p.session_run_id = r.id) as pains
       from session_runs r left join session_feedback f on f.session_run_id = r.id where r.id = $1`,
      [runId],
    )
    return row
  }
  const waits = (page: Page) => page.getByText('Your answers wait on this device and are not sent yet.').waitFor()
  const everythingSent = (page: Page) => page.getByText('Everything has been sent to your clinic.').waitFor()

  test('the answers wait behind the reports of the session, so that none of them is refused', async () => {
    const { clinic, email } = await patient()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    const runId = await start(page)
    await unavailable(page, REPORTS)
    await finishWithPain(page)
    await answer(page)
    await waits(page)
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).count(), 0)
    await world.check(page)
    await checkNarrow(page)
    assert.deepEqual(await recorded(runId), { status: 'in_progress', effort: null, events: ['started'], pains: [] })
    await page.context().unroute(REPORTS)
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    assert.deepEqual(await recorded(runId), {
      status: 'ended_naturally',
      effort: 4,
      events: ['completed', 'paused_for_pain', 'started'],
      pains: [6],
    })
    await page.context().close()
  })

  test('the answers survive a reload and are sent once, without a second form', async () => {
    const { clinic, email } = await patient()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, scheme: 'dark', width: 360 })
    const runId = await start(page)
    await unavailable(page, EVERY_REPORT)
    await finishWithPain(page)
    await answer(page)
    await waits(page)
    await page.reload()
    await waits(page)
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).count(), 0)
    let sent = 0
    page.on('request', (request) => void (sent += Number(request.url().endsWith('/feedback'))))
    await page.context().unroute(EVERY_REPORT)
    // The page sends without any action of the patient.
    await everythingSent(page)
    await page.reload()
    await everythingSent(page)
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).count(), 0)
    assert.equal(sent, 1)
    assert.equal((await recorded(runId))?.effort, 4)
    await page.getByRole('button', { name: 'Back to Today' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.context().close()
  })

  test('the answers are not lost without a question, and the page says what is missing before they can be sent', async () => {
    const { clinic, email } = await patient()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    const runId = await start(page)
    await tap(page)
    const comment = page.getByLabel('Anything your clinic should know? (optional)')
    await comment.fill('The knee clicks.')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const leave: (() => Promise<unknown>)[] = [
      () => page.goBack({ waitUntil: 'commit' }).catch(() => undefined),
      () => page.getByRole('button', { name: 'Go back without answering' }).click(),
    ]
    for (const step of leave) {
      await step()
      await question.getByText('Your answers have not been sent to your clinic.').waitFor()
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await question.waitFor({ state: 'detached' })
      // After Back the address returns only when the question is answered.
      await page.waitForURL(/session-runs/)
    }
    assert.equal(await comment.inputValue(), 'The knee clicks.')
    const missing = page.getByText('Choose how hard it was and how much it hurt, then send.')
    await missing.waitFor()
    const strong = page.getByRole('group', { name: 'How much did it hurt?' })
    await strong.getByRole('radio', { name: '0', exact: true }).check({ force: true })
    await answer(page)
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    assert.equal((await recorded(runId))?.effort, 4)
    await page.context().close()
  })

  test('the answers are sent from Today too, which says that something waits', async () => {
    const { clinic, email } = await patient()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    const runId = await start(page)
    await unavailable(page, EVERY_REPORT)
    await finishWithPain(page)
    await answer(page)
    await waits(page)
    await page.getByRole('button', { name: 'Back to Today' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const waiting = page.getByText(/wait on this device/)
    await waiting.waitFor()
    await world.check(page)
    await page.context().unroute(EVERY_REPORT)
    await waiting.waitFor({ state: 'detached' })
    await page.getByText('Done today').waitFor()
    assert.deepEqual((await recorded(runId))?.pains, [6])
    await page.context().close()
  })

  test('reports that the server refuses are named, until the patient has read it', async () => {
    const { clinic, email } = await patient()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    const runId = await start(page)
    const refused = /\/v1\/session-runs\/[^/]+\/(exercise-event|pain|feedback)$/
    await page.context().route(refused, (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'processing_restricted', message: 'Restricted.' } }),
      }),
    )
    await finishWithPain(page)
    await answer(page)
    const alert = page.getByRole('alert').filter({ hasText: 'did not reach your clinic' })
    await alert.getByText('Pain: 6 of 10').waitFor()
    await alert.getByText('2 reports on exercises').waitFor()
    await alert.getByText('Your answers about the session').waitFor()
    assert.equal(await page.getByText('Everything has been sent to your clinic.').count(), 0)
    await world.check(page)
    await checkNarrow(page)
    await page.goto(`${world.services.url}/portal/${clinic.slug}`)
    await alert.getByText('Pain: 6 of 10').waitFor()
    await world.check(page)
    await alert.getByRole('button', { name: 'I have read this' }).click()
    await alert.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await alert.count(), 0)
    assert.deepEqual((await recorded(runId))?.pains, [])
    await page.context().close()
  })
})
