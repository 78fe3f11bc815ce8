import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkNarrow, settle, tabTo } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('platform: organizations', { skip: SKIPPED }, () => {
  const world = useWorld()

  for (const view of [
    { language: 'en', scheme: 'light', width: 1440 },
    { language: 'ro', scheme: 'dark', width: 360 },
  ] as const)
    test(`an operator creates a clinic and invites its first admin (${view.language}, ${view.scheme}, ${view.width})`, async () => {
      const ro = view.language === 'ro'
      const page = await world.open({ app: 'platform', as: await world.people.operator(), ...view })
      await world.check(page)
      await checkNarrow(page)
      await page
        .getByRole('button', { name: ro ? 'Organizație nouă' : 'New organization' })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await world.check(page)
      const slug = `harbour-${randomUUID().slice(0, 8)}`
      await dialog.locator('[name=slug]').fill('Not A Slug')
      await dialog.getByRole('button', { name: ro ? 'Creați' : 'Create' }).click()
      await dialog.locator('[name=name]:focus').waitFor()
      await world.check(page)
      await dialog.locator('[name=name]').fill('Harbour Physio')
      await dialog.locator('[name=slug]').fill(slug)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Harbour Physio' }).waitFor()
      await page.getByRole('button', { name: ro ? 'Invitați un administrator' : 'Invite an admin' }).click()
      const email = world.people.newEmail('admin')
      await page.getByRole('dialog').locator('[name=email]').fill(email)
      await page.keyboard.press('Enter')
      await page.getByRole('cell', { name: email }).waitFor()
      await world.check(page)
      await checkNarrow(page)
      const [{ count } = { count: '0' }] = await world.services.database.query<{ count: string }>(
        'select count(*) from organization_memberships m join organizations o on o.id = m.organization_id where o.slug = $1',
        [slug],
      )
      assert.equal(count, '1')
    })

  test('an operator finds a clinic and changes its name by keyboard alone', async () => {
    const clinic = await world.people.clinic({ name: `Zenit ${randomUUID().slice(0, 6)}` })
    const page = await world.open({ app: 'platform', as: await world.people.operator() })
    await page.getByRole('table').waitFor()
    await settle(page)
    await page.keyboard.press('/')
    await page.keyboard.type(clinic.name)
    await page.waitForURL(/q=Zenit/)
    // The rows of before stay until the found one has come.
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    await page.getByRole('link', { name: clinic.name }).waitFor()
    await tabTo(page, 'td a')
    await page.keyboard.press('Enter')
    await page.locator('[name=name]').waitFor()
    await tabTo(page, '[name=name]')
    await page.keyboard.press('End')
    await page.keyboard.type(' Nord')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `${clinic.name} Nord` }).waitFor()
  })
})
