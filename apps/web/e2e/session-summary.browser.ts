import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { checkNarrow } from './browser.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the summary of a session', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function patientWithThree() {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    const plan = await sessions.plan(clinic, record.id, [
      { slug: 'heel-slide', sets: 2, reps: 1 },
      { slug: 'ankle-pumps', reps: 1 },
      { slug: 'sit-to-stand', reps: 1 },
    ])
    return { clinic, email, session: plan.sessions[0] ?? { id: '', exercises: [] } }
  }

  /** What the summary states: its heading, and its facts by their labels. */
  async function stated(page: Page): Promise<Record<string, string | undefined>> {
    await page.locator('[data-phase=done]').waitFor()
    const texts = async (selector: string) =>
      page.locator(`main ${selector}, [data-phase=done] ${selector}`).allInnerTexts()
    const [labels, values] = [await texts('dt'), await texts('dd')]
    return {
      heading: (await texts('h1'))[0],
      ...Object.fromEntries(labels.map((label, place) => [label, values[place]])),
    }
  }

  const start = async (page: Page) => {
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.getByRole('button', { name: 'Start without camera' }).click()
  }
  const tap = (page: Page) => page.getByRole('button', { name: /Tap after each/ }).click()
  const doFirstSet = async (page: Page) => {
    await page.getByRole('button', { name: 'Begin' }).click()
    await tap(page)
  }
  const endSession = async (page: Page) => {
    await page.getByRole('button', { name: 'Leave the session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
  }
  const everythingSent = (page: Page) => page.getByText('Everything has been sent to your clinic.').waitFor()

  test('a session that is ended after the first set is not praised, and a reload says the same', async () => {
    const { clinic, email } = await patientWithThree()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    await start(page)
    await doFirstSet(page)
    await endSession(page)
    const before = await stated(page)
    assert.deepEqual(before, {
      heading: 'The session has ended',
      Exercises: '0 of 3',
      Repetitions: '1',
      'Minutes of exercise': '<\u00a01',
    })
    await everythingSent(page)
    await page.reload()
    assert.deepEqual(await stated(page), before)
    await world.check(page)
    await checkNarrow(page)
    await page.context().close()
  })

  test('a skipped exercise is not done: in the header, after a resume, and in the summary', async () => {
    const { clinic, email } = await patientWithThree()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, scheme: 'dark', width: 360 })
    await start(page)
    await doFirstSet(page)
    await tap(page)
    await page.getByRole('heading', { level: 1, name: 'Ankle pumps' }).waitFor()
    await page.getByRole('button', { name: 'Skip this exercise' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sit to stand' }).waitFor()
    await page.getByText('1 of 3 done, 1 skipped').waitFor()
    await page.getByRole('button', { name: 'It hurts' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: '6', exact: true }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Rest a little' }).click()
    const pains = 'select severity from pain_reports where organization_id = $1'
    await until(async () => (await world.services.database.query(pains, [clinic.id])).length > 0)
    await page.goto(`${world.services.url}/portal/${clinic.slug}`)
    await page.getByRole('button', { name: /Continue: Session A/ }).click()
    await page.getByText('1 of 3 done, 1 skipped').waitFor()
    const items = page.locator('[data-phase=overview] ol > li')
    await items.nth(0).getByText('Done', { exact: true }).waitFor({ state: 'attached' })
    await items.nth(1).getByText('Skipped', { exact: true }).waitFor({ state: 'attached' })
    assert.deepEqual(await items.evaluateAll((all) => all.map((item) => item.dataset.done)), ['true', 'true', 'false'])
    await world.check(page)
    await page.getByRole('button', { name: 'Start without camera' }).click()
    await endSession(page)
    await everythingSent(page)
    const before = await stated(page)
    assert.deepEqual(
      [before.heading, before.Exercises, before.Skipped, before.Repetitions],
      ['The session has ended', '1 of 3', '1', '2'],
    )
    await page.reload()
    assert.deepEqual(await stated(page), before)
    assert.equal(await page.getByRole('radio', { name: '6', exact: true }).last().isChecked(), true)
    await page.context().close()
  })

  test('reports that wait in the outbox are part of the summary after a reload', async () => {
    const { clinic, email } = await patientWithThree()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    await start(page)
    await doFirstSet(page)
    const reports = /\/v1\/session-runs\/[^/]+\/(exercise-event|end)$/
    await page.context().route(reports, (route) => route.fulfill({ status: 503, body: '' }))
    await tap(page)
    await page.getByRole('heading', { level: 1, name: 'Ankle pumps' }).waitFor()
    await endSession(page)
    const before = await stated(page)
    assert.deepEqual([before.heading, before.Exercises, before.Repetitions], ['The session has ended', '1 of 3', '2'])
    await page.getByText('Not everything is sent yet.').waitFor()
    await page.reload()
    assert.deepEqual(await stated(page), before)
    await page.getByText('Not everything is sent yet.').waitFor()
    await page.context().unroute(reports)
    await page.reload()
    assert.deepEqual(await stated(page), before)
    await everythingSent(page)
    assert.equal(await page.getByText('Not everything is sent yet.').count(), 0)
    await page.context().close()
  })

  test('the minutes are the time of exercise, and a whole session is praised (ro)', async () => {
    const { clinic, email, session } = await patientWithThree()
    const { run_id } = await world.api.rawPost('/v1/session-runs', email, { plan_session_id: session.id })
    await world.services.database.query(
      `update session_runs set started_at = now() - interval '10 minutes' where id = $1`,
      [run_id],
    )
    for (const { id } of session.exercises)
      await world.api.rawPost(`/v1/session-runs/${run_id}/exercise-event`, email, {
        client_event_id: randomUUID(),
        session_exercise_id: id,
        type: 'completed',
        data: { repetitions_completed: 10, duration_seconds: 100 },
      })
    await world.api.rawPost(`/v1/session-runs/${run_id}/end`, email, { termination: 'ended_naturally' })
    const path = `${clinic.slug}/session-runs/${run_id}`
    const page = await world.open({ app: 'portal', as: email, path, language: 'ro', width: 360 })
    assert.deepEqual(await stated(page), {
      heading: 'Foarte bine!',
      Exerciții: '3 din 3',
      Repetări: '30',
      'Minute de exercițiu': '5',
    })
    await world.check(page)
    await page.goto(`${world.services.url}/portal/${clinic.slug}/progress`)
    await page.getByRole('heading', { name: 'Exerciții terminate' }).waitFor()
    await page.setViewportSize({ width: 320, height: 800 })
    const charts = await page.locator('main section > [aria-hidden=true]').evaluateAll((all) =>
      all.map((chart) => {
        const boxes = [...chart.querySelectorAll('svg')].map((bar) => bar.getBoundingClientRect())
        const values = [...chart.children].flatMap((week) => {
          const text = document.createRange()
          text.selectNodeContents(week.children[0] ?? week)
          return text.getBoundingClientRect()
        })
        const meets = (value: DOMRect, index: number) =>
          index > 0 && value.width > 0 && value.left < (values[index - 1]?.right ?? 0)
        return {
          widths: new Set(boxes.map(({ width }) => Math.round(width))).size,
          touching: values.filter(meets).length,
        }
      }),
    )
    for (const chart of charts) assert.deepEqual(chart, { widths: 1, touching: 0 })
    assert.ok(charts.length > 0)
    await page.context().close()
  })
})
