import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: accounts of specialists', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('a specialist is linked to a member, not to one who is linked already, and unlinked again', async () => {
    const clinic = await world.people.clinic({ plan: 'pro' })
    const { specialists } = await scheduleOf(world.services, clinic, { names: ['Ana Ionescu', 'Andrei Popescu'] })
    const members = await world.api.get(`/v1/organizations/${clinic.id}/members/picker`, clinic.admin)
    const idOf = (email: string) => members.find((one: { email: string }) => one.email === email)?.id
    const humanOf = async (place: number) =>
      (await world.api.get(`/v1/specialists/${specialists[place]?.id}`, clinic.admin)).human_id

    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/settings/hours` })
    await page.getByRole('button', { name: 'Link an account: Ana Ionescu' }).click()
    const dialog = page.getByRole('dialog', { name: 'Account of Ana Ionescu' })
    await dialog.getByLabel('Account').selectOption(idOf(clinic.specialist))
    await world.check(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The account is linked.').waitFor()
    assert.equal(await humanOf(0), idOf(clinic.specialist))
    const ana = page.getByRole('region', { name: 'Ana Ionescu' })
    await ana.getByText('Account: ', { exact: false }).waitFor()

    await page.getByRole('button', { name: 'Link an account: Andrei Popescu' }).click()
    const other = page.getByRole('dialog', { name: 'Account of Andrei Popescu' })
    const taken = other.locator('option', { hasText: '(already linked to Ana Ionescu)' })
    await taken.waitFor({ state: 'attached' })
    assert.equal(await taken.isDisabled(), true)
    // Somebody else links the admin meanwhile: the server refuses, the page says why.
    await other.getByLabel('Account').selectOption(idOf(clinic.admin))
    const third = { name: 'Radu Marin', slug: `radu-${clinic.slug}`, human_id: idOf(clinic.admin) }
    await world.api.post('/v1/specialists', clinic.admin, third)
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByText('Another specialist is already linked to this account. Choose another account.').waitFor()
    await world.check(page)
    await other.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Change the account: Ana Ionescu' }).click()
    await dialog.getByRole('button', { name: 'Unlink the account' }).click()
    await page.getByText('The account is no longer linked.').waitFor()
    assert.equal(await humanOf(0), null)
    await page.context().close()
  })
})
