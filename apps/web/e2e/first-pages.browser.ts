import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate, settle, tabTo } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the first pages', { skip: SKIPPED }, () => {
  const world = useWorld()

  for (const view of [
    { language: 'en', scheme: 'light', width: 1440 },
    { language: 'ro', scheme: 'dark', width: 360 },
  ] as const) {
    const ro = view.language === 'ro'

    test(`a member adds a patient, finds them and opens the record (${view.language}, ${view.scheme}, ${view.width})`, async () => {
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients`, ...view })
      await world.check(page)
      await page
        .getByRole('button', { name: ro ? 'Pacient nou' : 'New patient' })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await world.check(page)
      await dialog.locator('[name=first_name]').fill('Ioana')
      await dialog.locator('[name=last_name]').fill('Bradeanu')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Ioana Bradeanu' }).waitFor()
      await world.check(page)
      await checkPrivate(page, ['Bradeanu', 'Ioana'])
      for (const tab of ro ? ['Ședințe', 'Planuri'] : ['Sessions', 'Plans']) {
        await page.locator('main').getByRole('link', { name: tab, exact: true }).click()
        await settle(page)
        await world.check(page)
        await checkNarrow(page)
      }
      await page.goto(`${world.services.url}/console/${clinic.slug}/patients`)
      await page.getByRole('table').waitFor()
      await settle(page)
      await page.keyboard.press('/')
      const found = page.waitForResponse((response) => response.url().includes('q=brad'))
      await page.keyboard.type('brad')
      await found
      await page.getByRole('link', { name: /Bradeanu/ }).waitFor()
      await checkPrivate(page, ['brad'])
      await tabTo(page, 'td a')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Ioana Bradeanu' }).waitFor()
    })

    test(`a patient passes the consent gate, and sees Today and their devices (${view.language}, ${view.scheme}, ${view.width})`, async () => {
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      const { email } = await world.people.patient(clinic, { consents: false })
      const page = await world.open({ app: 'portal', as: email, path: clinic.slug, ...view })
      const gate = page.getByRole('dialog')
      await gate.waitFor()
      await world.check(page)
      for (const box of await gate.getByRole('checkbox').all()) await box.check()
      await gate.getByRole('button', { name: ro ? 'Sunt de acord și continui' : 'Agree and continue' }).click()
      await page.getByText(ro ? 'Nimic de făcut azi' : 'Nothing to do today').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await page.getByRole('link', { name: ro ? 'Eu' : 'Me', exact: true }).click()
      await page.getByText(ro ? 'Acest dispozitiv' : 'This device').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await page.getByRole('button', { name: ro ? 'Ieșiți din cont peste tot' : 'Sign out everywhere' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: ro ? 'Ieșiți din cont peste tot' : 'Sign out everywhere' })
        .click()
      await page.getByRole('link', { name: ro ? 'Intrați în cont' : 'Sign in' }).waitFor()
    })
  }
})
