import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { settle } from './browser.ts'
import type { TestClinic } from './people.ts'
import { type Schedule, scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

const HOUR_MS = 3_600_000

describe('console: calendar', { skip: SKIPPED }, () => {
  const world = useWorld()
  let made: Promise<{ clinic: TestClinic; schedule: Schedule }> | undefined
  const theClinic = () =>
    (made ??= (async () => {
      const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
      await world.people.publishNotice(clinic)
      return { clinic, schedule: await scheduleOf(world.services, clinic) }
    })())
  // One moment for all tests: midnight may come between them.
  const now = Date.now()
  /** 12:00 UTC, some days from now. */
  const noonIn = (days: number) => {
    const at = new Date(now + days * 24 * HOUR_MS)
    at.setUTCHours(12, 0, 0, 0)
    return at
  }
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)

  async function book(patient: { record: { id: string } }, at: Date, specialist = 0) {
    const { clinic, schedule } = await theClinic()
    return world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: schedule.specialists[specialist]?.id,
      patient_id: patient.record.id,
      starts_at: at.toISOString(),
    })
  }

  /** Holds back the answers to these requests until `release` is called. `asked` resolves with the first request. */
  async function holdBack(page: Page, url: RegExp) {
    const [first, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(url, async (route) => {
      first.resolve()
      await held.promise
      await route.continue()
    })
    return { asked: first.promise, release: held.resolve }
  }

  test('while another day loads, nothing of the day before is shown', async () => {
    const { clinic } = await theClinic()
    const [maria, dan] = [
      await world.people.patient(clinic, { first: 'Maria', last: 'Stan' }),
      await world.people.patient(clinic, { first: 'Dan', last: 'Luca' }),
    ]
    await book(maria, noonIn(3))
    await book(dan, noonIn(4))
    for (const span of ['day', 'week']) {
      const path = `${clinic.slug}/calendar?day=${dayOf(noonIn(3))}&span=${span}`
      const page = await world.open({ app: 'console', as: clinic.admin, path })
      await page.getByRole('link', { name: /Maria Stan/ }).waitFor()
      const { release } = await holdBack(page, /\/v1\/appointments\?/)
      await page.getByRole('button', { name: 'Later' }).click()
      await page.locator('main [aria-busy=true]').waitFor()
      assert.equal(await page.getByRole('link', { name: /Maria Stan/ }).count(), 0)
      release()
      if (span === 'day') await page.getByRole('link', { name: /Dan Luca/ }).waitFor()
      await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
      await page.context().close()
    }
  })

  test('the visits of a deleted specialist stay in the grid of the day', async () => {
    const { clinic, schedule } = await theClinic()
    const maria = await world.people.patient(clinic, { first: 'Elena', last: 'Stan' })
    await book(maria, noonIn(6), 1)
    const { id, name } = schedule.specialists[1] ?? { id: '', name: '' }
    await world.services.database.query('update specialists set deleted_at = now() where id = $1', [id])
    const path = `${clinic.slug}/calendar?day=${dayOf(noonIn(6))}&span=day`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    await page
      .getByRole('region', { name })
      .getByRole('link', { name: /Elena Stan/ })
      .waitFor()
    assert.equal(await page.getByRole('heading', { name: 'No visit' }).count(), 0)
    await world.check(page)
    await page.context().close()
  })

  test('after midnight the next day is today, and a visit that began can be completed', async () => {
    const { clinic } = await theClinic()
    const patient = await world.people.patient(clinic, { first: 'Ioana', last: 'Radu' })
    const visit = await book(patient, noonIn(8))
    const path = `${clinic.slug}/calendar?span=day&visit=${visit.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    const before = new Date(noonIn(8).getTime() - HOUR_MS)
    await page.clock.install({ time: before })
    await page.goto(`${world.services.url}/console/${path}`)
    const panel = page.getByRole('dialog').first()
    await panel.getByRole('button', { name: 'Arrived' }).waitFor()
    assert.equal(await panel.getByRole('button', { name: 'Complete' }).count(), 0)
    await page.clock.fastForward(2 * HOUR_MS)
    await panel.getByRole('button', { name: 'Complete' }).waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await page.clock.fastForward(12 * HOUR_MS)
    const day = page.getByLabel('Day', { exact: true })
    await page.waitForFunction(
      (expected) => document.querySelector<HTMLInputElement>('main input[type=date]')?.value === expected,
      dayOf(noonIn(9)),
    )
    assert.equal(await day.first().inputValue(), dayOf(noonIn(9)))
    await page.context().close()
  })

  test('J and K never show the visits of one patient under the name of another', async () => {
    const { clinic } = await theClinic()
    const [first, second] = [
      await world.people.patient(clinic, { first: 'Vasile', last: 'Zamfir' }),
      await world.people.patient(clinic, { first: 'Vlad', last: 'Zamfirescu' }),
    ]
    await book(second, noonIn(10))
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients?q=zamfir` })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('link', { name: 'Vasile Zamfir', exact: true }).click()
    await heading('Vasile Zamfir')
    // A key works when the page has also done what it does after it is drawn.
    await settle(page)
    await page.keyboard.press('j')
    await heading('Vlad Zamfirescu')
    await page.locator('main').getByRole('link', { name: 'Visits', exact: true }).click()
    await page.getByRole('row', { name: /Ana Ionescu/ }).waitFor()
    await page.waitForURL(`**/patients/${second.record.id}/appointments`)
    await settle(page)
    const { asked, release } = await holdBack(page, new RegExp(`/v1/appointments\\?.*${first.record.id}`))
    await page.keyboard.press('k')
    await page.waitForURL(`**/patients/${first.record.id}/appointments`)
    await heading('Vasile Zamfir')
    await asked
    assert.equal(await page.getByRole('row', { name: /Ana Ionescu/ }).count(), 0)
    release()
    await page.locator('[data-empty]').waitFor()
    await page.context().close()
  })

  test('a record with nothing but a cancelled visit to come offers the next step', async () => {
    const { clinic } = await theClinic()
    const patient = await world.people.patient(clinic, { first: 'Mihai', last: 'Olaru' })
    const { id, version } = await book(patient, noonIn(12))
    await world.api.put(`/v1/appointments/${id}/status`, clinic.admin, { status: 'cancelled', version })
    const path = `${clinic.slug}/patients/${patient.record.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await page.locator('[data-empty]').waitFor()
    await world.check(page)
    await page.context().close()
  })
})
