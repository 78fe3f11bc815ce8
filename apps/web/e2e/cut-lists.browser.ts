import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

/** A list that does not show everything says so, and offers a way to the rest. */
describe('choices among many', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('the account of a new specialist can be the 55th member of the clinic', async () => {
    const clinic = await world.people.clinic()
    const operator = await world.people.operator()
    await world.api.put(`/v1/organizations/${clinic.id}/plan`, operator, { plan: 'dedicated' })
    const roles = await world.api.get(`/v1/organizations/${clinic.id}/roles`, clinic.admin)
    const role_id = roles.find(({ code }: { code: string }) => code === 'specialist').id
    for (let n = 10; n < 65; n++)
      await world.api.post(`/v1/organizations/${clinic.id}/members`, clinic.admin, {
        email: `zoe-${n}@${clinic.slug}.example`,
        name: `Zoe ${n}`,
        role_id,
      })
    const path = `${clinic.slug}/settings/hours`
    const page = await world.open({ app: 'console', as: clinic.admin, path, width: 360 })
    await page.getByRole('button', { name: 'Add a specialist' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Only 50 accounts are listed.', { exact: false }).waitFor()
    await world.check(page)
    await checkNarrow(page)
    await dialog.getByLabel('Search accounts by name or e-mail').fill('Zoe 64')
    const account = dialog.getByLabel('Account', { exact: true })
    await account.locator('option', { hasText: 'Zoe 10' }).waitFor({ state: 'detached' })
    await account.selectOption({ label: 'Zoe 64' })
    await dialog.locator('[name=name]').fill('Zoe Pop')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('region', { name: 'Zoe Pop' }).waitFor()
    const rows = await world.services.database.query(
      `select p.email from specialists s join humans p on p.id = s.human_id
       where s.organization_id = $1 and s.name = 'Zoe Pop'`,
      [clinic.id],
    )
    assert.deepEqual(rows, [{ email: `zoe-64@${clinic.slug}.example` }])
    await page.context().close()
  })

  test('the search for a patient says when more match than it shows', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    await scheduleOf(world.services, clinic)
    for (let n = 1; n <= 7; n++) await world.people.patient(clinic, { first: `Ion ${'I'.repeat(n)}`, last: 'Popa' })
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/calendar` })
    await page
      .getByRole('button', { name: /Book a visit/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('More patients match.', { exact: false }).waitFor()
    await dialog.getByLabel('Patient', { exact: true }).first().fill('IIIIIII')
    await dialog.getByText('More patients match.', { exact: false }).waitFor({ state: 'detached' })
    await dialog.getByRole('radio', { name: /Ion IIIIIII/ }).waitFor()
    await page.context().close()
  })
  test('all copies of their data that a patient asked for are listed, also the 25th', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await world.services.database.query(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, status, requested_by_principal_id)
       select p.organization_id, 'export', p.id, p.patient_profile_id, 'error', h.id
       from patients p, humans h, generate_series(1, 25) where p.id = $1 and h.email = $2`,
      [record.id, email],
    )
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/data`, width: 360 })
    const failed = page.getByText('This copy could not be created', { exact: false })
    await failed.first().waitFor()
    assert.equal(await failed.count(), 25)
    await page.context().close()
  })
})
