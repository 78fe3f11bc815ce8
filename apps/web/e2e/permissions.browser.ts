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
  })

  test('a tab of a record is refused in words too, in Romanian', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const path = `${clinic.slug}/patients/${record.id}/access`
    const page = await world.open({ app: 'console', as: clinic.specialist, path, language: 'ro' })
    await page.getByRole('heading', { level: 1, name: 'Nu aveți permisiune pentru această pagină' }).waitFor()
    await page.goto(`${world.services.url}/console/${clinic.slug}/patients/${record.id}/consents`)
    await page.getByRole('link', { name: 'Acorduri' }).waitFor()
    await world.check(page)
  })
})
