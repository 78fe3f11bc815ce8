import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SKIPPED, useWorld } from './world.ts'

describe('permissions', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('a page that a person may not open names the permission that is missing, and sends no request for it', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/privacy-notice` })
    await page.getByRole('heading', { level: 1, name: 'You have no permission for this page' }).waitFor()
    await page.getByText('write and publish the privacy notice').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).waitFor()
    await world.check(page)
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await page.waitForURL((url) => url.pathname.startsWith(`/console/${clinic.slug}`))
  })

  test('the front desk is asked to have the notice published, by somebody who may', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/patients` })
    await page.getByRole('button', { name: 'New patient' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('First name').fill('Ana')
    await dialog.getByLabel('Last name').fill('Stan')
    await dialog.getByRole('button', { name: 'New patient' }).click()
    await dialog.getByText('Ask an administrator of the clinic to publish it.').waitFor()
    assert.equal(await dialog.getByRole('link', { name: 'Publish the privacy notice' }).count(), 0)
  })

  test('a tab that a person may not open is refused in its place, and the record around it stays (en, ro)', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic, { first: 'Maria', last: 'Stan' })
    const path = `${clinic.slug}/patients/${record.id}/access`
    for (const { language, title, tab } of [
      { language: 'en', title: 'You have no permission for this tab', tab: 'Consents' },
      { language: 'ro', title: 'Nu aveți permisiune pentru această secțiune', tab: 'Acorduri' },
    ] as const) {
      const page = await world.open({ app: 'console', as: clinic.specialist, path, language })
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.reload()
      await page.getByRole('heading', { level: 2, name: title }).waitFor()
      await page.getByRole('heading', { level: 1, name: 'Maria Stan' }).waitFor()
      await world.check(page)
      assert.ok(!asked.includes('/v1/audit-logs'), asked.join(' '))
      await page.getByRole('link', { name: tab, exact: true }).click()
      await page.getByRole('heading', { level: 2, name: title }).waitFor({ state: 'detached' })
      await page.context().close()
    }
  })
})
