import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate, tabTo } from './browser.ts'
import { clinicDay } from './clinic-day.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the console: today', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('a new clinic sees its first steps, each with one action', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    const done = (count: number) => page.getByText(`${count} of 7 are done`).waitFor()
    await done(1) // the specialist was invited by the operator
    await world.check(page)
    await checkNarrow(page)
    await page.getByRole('link', { name: 'Write and publish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Privacy notice' }).waitFor()
    await page.getByRole('button', { name: 'Preview' }).waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Save and publish' }).click()
    const missing = page.locator('input[aria-invalid=true]')
    while ((await missing.count()) > 0) await missing.first().fill('Clinica Test SRL')
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published as version 1.').waitFor()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await done(2)
    await page.getByRole('button', { name: 'Add a specialist' }).click()
    await page.getByRole('dialog').locator('[name=name]').fill('Andrei Popescu')
    await world.check(page)
    await page.keyboard.press('Enter')
    await done(3)
    await page.getByRole('link', { name: 'Set hours' }).click()
    await page.waitForURL(/\/settings\/hours$/)
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'Add a service' }).click()
    await page.waitForURL(/\/settings\/services$/)
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'Add a patient' }).click()
    await page.getByRole('dialog').locator('[name=first_name]').fill('Ioana')
    await page.getByRole('dialog').locator('[name=last_name]').fill('Bradeanu')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ioana Bradeanu' }).waitFor()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await done(4)
    await page.context().close()
  })

  test('worst pain, inactive patients, forms to sign and visits link to the pages where staff act on them', async () => {
    const { clinic } = await clinicDay(world)
    for (const view of [
      { language: 'en', scheme: 'light', width: 1440 },
      { language: 'ro', scheme: 'dark', width: 360 },
      { language: 'en', scheme: 'dark', width: 768 },
    ] as const) {
      const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug, ...view })
      const ro = view.language === 'ro'
      const panel = (name: string) => page.getByRole('region', { name })
      await panel(ro ? 'Cea mai mare durere' : 'Worst pain')
        .getByRole('link', { name: /Maria Stan/ })
        .waitFor()
      await panel(ro ? 'Nu fac exerciții' : 'Not exercising')
        .getByRole('link', { name: /Ștefan Țurcanu/ })
        .waitFor()
      await panel(ro ? 'Formulare de semnat' : 'Forms to sign')
        .getByRole('link', { name: /Assessment/ })
        .waitFor()
      await panel(ro ? 'Următoarele vizite' : 'Next visits')
        .getByText(/Europe\/Bucharest/)
        .waitFor()
      await world.check(page)
      await checkNarrow(page)
      await checkPrivate(page, ['Stan', 'Turcanu', 'Țurcanu'])
      if (view.width === 1440) {
        await tabTo(page, 'section ul a')
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/session-runs\/[0-9a-f-]{36}$/)
      }
      await page.context().close()
    }
  })

  test('a warning sign is listed above all pain, and only sessions with one of them are counted', async () => {
    const { clinic, maria, plan } = await clinicDay(world) // with a session of pain 7
    const { sessions } = await world.api.get(`/v1/treatment-plans/${plan.id}`, clinic.specialist)
    const reports = [{ severity: 6 }, { severity: 5 }, { severity: 4 }, { severity: 3 }, { severity: 2 }]
    for (const report of [...reports, undefined, { severity: 1, warning_signs: ['chest_pain'] }]) {
      const { run_id } = await world.api.rawPost('/v1/session-runs', maria.email, { plan_session_id: sessions[0].id })
      const at = `/v1/session-runs/${run_id}`
      if (report) await world.api.rawPost(`${at}/pain`, maria.email, { action: 'rest', ...report })
      await world.api.rawPost(`${at}/end`, maria.email, { termination: 'ended_explicit' })
    }
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug, width: 360 })
    const panel = page.getByRole('region', { name: 'Worst pain' })
    await panel.getByText('7', { exact: true }).waitFor()
    const rows = await panel.getByRole('listitem').allInnerTexts()
    assert.deepEqual(
      rows.map((row) => [row.includes('Warning sign'), /\d+ of 10/.exec(row)?.[0]]),
      [
        [true, '1 of 10'],
        [false, '7 of 10'],
        [false, '6 of 10'],
        [false, '5 of 10'],
        [false, '4 of 10'],
      ],
    )
    await world.check(page)
    await checkNarrow(page)
    // As if the clinic had more sessions than the page reads.
    await page.route(/session-runs\?/, (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=4') }),
    )
    await page.reload()
    await panel.getByText('4+', { exact: true }).waitFor()
    assert.match(await panel.getByRole('listitem').first().innerText(), /Warning sign/)
    await panel.getByRole('link', { name: /Show all/ }).waitFor()
    await page.context().close()
  })
})
