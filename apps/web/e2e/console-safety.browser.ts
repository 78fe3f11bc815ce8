import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow } from './browser.ts'
import type { TestClinic } from './people.ts'
import { SKIPPED, useWorld } from './world.ts'

const CLEAR = /No contraindications|Nimic nu contraindică/
const CONDITIONS = /\/v1\/patients\/[^/]+\/conditions\?/

describe('the plan builder says what was checked', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** A draft with an exercise that has no known contraindication. */
  async function draft(slug?: string) {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const { exercises }: { exercises: { id: string; slug: string; prerequisites: object[] }[] } = await world.api.raw(
      '/v1/exercises?limit=100',
      clinic.specialist,
    )
    const exercise = exercises.find((one) => (slug ? one.slug === slug : one.prerequisites.length === 0))
    const plan = await world.api.post('/v1/treatment-plans', clinic.specialist, {
      patient_id: record.id,
      title: 'Knee',
      sessions: [{ title: 'Monday', exercises: [{ exercise_id: exercise?.id }] }],
    })
    return { clinic, patientId: record.id, path: `${clinic.slug}/patients/${record.id}/plans/${plan.id}` }
  }
  const status = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text)
  const checked = (page: Page) => page.getByText(/^(Checking whether|Se verifică)/).waitFor({ state: 'detached' })

  for (const view of [
    { language: 'en', scheme: 'light', width: 1440 },
    { language: 'ro', scheme: 'dark', width: 360 },
  ] as const)
    test(`without a recorded condition nothing was checked; one can be recorded at once (${view.language})`, async () => {
      const ro = view.language === 'ro'
      const { clinic, path } = await draft()
      const page = await world.open({ app: 'console', as: clinic.specialist, path, ...view })
      await status(
        page,
        ro ? 'Neverificat: nu este notată nicio afecțiune' : 'Not checked: no condition recorded',
      ).waitFor()
      await checked(page)
      assert.equal(await page.getByText(CLEAR).count(), 0)
      await world.check(page)
      await checkNarrow(page)
      await page.locator('[name=title]').fill('Knee and hip')
      await page.getByRole('button', { name: ro ? 'Notați o afecțiune' : 'Record a condition' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').first().fill('ost')
      await dialog.getByRole('radio').first().check()
      await dialog.getByRole('button', { name: ro ? 'Salvați' : 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(/^(Not checked|Neverificat)/).waitFor({ state: 'detached' })
      await checked(page)
      assert.equal(await page.locator('[name=title]').inputValue(), 'Knee and hip')
      await page.context().close()
    })

  async function knows(clinic: TestClinic, patientId: string, name?: string) {
    const { conditions } = await world.api.raw('/v1/exercise-conditions?limit=500', clinic.specialist)
    const { id } = conditions.findLast((condition: { name: string }) => name === undefined || condition.name === name)
    await world.api.rawPost(`/v1/patients/${patientId}/conditions`, clinic.specialist, { condition_id: id })
  }

  test('an exercise with a precaution has a note; it is not called free of contraindications', async () => {
    const { clinic, patientId, path } = await draft('pelvic-tilt')
    await knows(clinic, patientId, 'Lumbar disc herniation')
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await status(page, '1 exercise has a note').waitFor()
    assert.equal(await page.getByText(CLEAR).count(), 0)
    await world.check(page)
    await page.context().close()
  })

  test('with a recorded condition and no finding the page says so; while conditions load or fail it does not', async () => {
    const { clinic, patientId, path } = await draft()
    await knows(clinic, patientId)
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    const { promise: held, resolve: fail } = Promise.withResolvers<void>()
    await page.route(CONDITIONS, async (route) => {
      await held
      await route.fulfill({ status: 503, body: '' })
    })
    await page.goto(`${world.services.url}/console/${path}`)
    await status(page, /^Checking whether/).waitFor()
    fail()
    await status(page, 'The conditions could not be loaded').waitFor()
    await checked(page)
    assert.equal(await page.getByText(CLEAR).count(), 0)
    await world.check(page)
    await page.unroute(CONDITIONS)
    await page.getByRole('status').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The conditions could not be loaded').waitFor({ state: 'detached' })
    await checked(page)
    await status(page, CLEAR).or(page.getByRole('alert').first()).waitFor()
    assert.equal(await page.getByText(/Not checked/).count(), 0)
    await page.context().close()
  })

  test('for somebody who may not see conditions the page says that it is not known whether any is recorded', async () => {
    const { clinic, path } = await draft()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    await page.route(CONDITIONS, (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'forbidden', message: 'No.', required: 'patients.view_org' } }),
      }),
    )
    await page.goto(`${world.services.url}/console/${path}`)
    await status(page, 'You are not allowed to see the conditions').waitFor()
    await checked(page)
    assert.equal(await page.getByText(CLEAR).count(), 0)
    await world.check(page)
    await page.context().close()
  })
})
