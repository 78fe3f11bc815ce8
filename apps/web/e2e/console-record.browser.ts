import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clinicDay } from './clinic-day.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the console: the patient’s record', { skip: SKIPPED }, () => {
  const world = useWorld()
  let day: Awaited<ReturnType<typeof clinicDay>> | undefined
  const theDay = async () => (day ??= await clinicDay(world))

  test('J and K open the next and previous patient of the list, on the same tab', async () => {
    const { clinic } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/patients` })
    await page.getByRole('link', { name: 'Maria Stan' }).click()
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    await heading('Maria Stan')
    await page.locator('main').getByRole('link', { name: 'Profile', exact: true }).click()
    await page.getByRole('heading', { name: 'Personal data' }).waitFor()
    await page.keyboard.press('j')
    await heading('Ștefan Țurcanu')
    assert.match(page.url(), /\/profile$/)
    await page.keyboard.press('k')
    await heading('Maria Stan')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Keyboard').first().waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('a view is saved for one person, chosen again after a reload, and deleted', async () => {
    const { clinic } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/patients` })
    const views = page.getByLabel('View', { exact: true })
    await views.selectOption({ label: 'Use the portal' })
    await page.getByRole('columnheader', { name: 'Born' }).getByRole('button').click()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await world.check(page)
    await page.getByRole('dialog').locator('[name=view_name]').fill('In the portal, by age')
    await page.keyboard.press('Enter')
    await page.getByText('is among your views').waitFor()
    await page.goto(`${world.services.url}/console/${clinic.slug}/patients`)
    await views.selectOption({ label: 'In the portal, by age' })
    await page.waitForURL(/view=portal/)
    assert.equal(new URL(page.url()).searchParams.get('sort'), 'birth_date')
    await world.check(page)
    const other = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients` })
    await other.getByRole('table').waitFor()
    assert.equal(await other.getByRole('option', { name: 'In the portal, by age' }).count(), 0)
    await page.getByRole('button', { name: 'Delete the view “In the portal, by age”' }).click()
    await page.getByText('was deleted').waitFor()
    assert.equal(await page.getByRole('option', { name: 'In the portal, by age' }).count(), 0)
    await other.context().close()
    await page.context().close()
  })

  test('when two people edit the profile, the second sees both versions and chooses', async () => {
    const { clinic, maria } = await theDay()
    const path = `${clinic.slug}/patients/${maria.record.id}/profile`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    const phone = page.locator('[name=phone]').first()
    await phone.fill('+40 711 000 001')
    const { first_name, last_name, email } = maria.record
    const change = (values: object) =>
      world.api.put(`/v1/patients/${maria.record.id}`, clinic.admin, { first_name, last_name, email, ...values })
    await change({ phone: '+40 722 000 002' })
    await page.getByRole('button', { name: 'Save' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('+40 722 000 002').waitFor()
    await dialog.getByText(/saved it on/).waitFor()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved.').first().waitFor()
    assert.equal((await world.api.get(`/v1/patients/${maria.record.id}`, clinic.admin)).phone, '+40 711 000 001')
    // A refusal of the API is shown at its field, in the user's language, and typed text is kept.
    await page.locator('[name=email]').first().fill('not an address')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.locator('[name=email][aria-invalid=true]').waitFor()
    assert.equal(await page.locator('[name=email]').first().inputValue(), 'not an address')
    await page.context().close()
  })

  test('a visit is booked at a free time, moved and cancelled', async () => {
    const { clinic, maria } = await theDay()
    const path = `${clinic.slug}/patients/${maria.record.id}/appointments`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    const dialog = page.getByRole('dialog')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Day').fill(tomorrow)
    const times = dialog.getByRole('group', { name: 'Free times' }).getByRole('button')
    await times.first().click()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    await page.getByText('The visit is booked.').waitFor()
    const row = page.getByRole('row').nth(1)
    await row.getByText('Confirmed').waitFor()
    await row.getByText('Physiotherapy session').waitFor()
    await row.getByRole('button', { name: 'Move' }).click()
    await dialog.getByLabel('Day').fill(tomorrow)
    await times.nth(3).click()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('The visit was moved.').waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Cancel the visit' }).first().click()
    await dialog.getByRole('button', { name: 'Cancel the visit' }).click()
    await page.getByText('Cancelled').first().waitFor()
    await page.context().close()
  })

  test('a form is filled in, signed and amended; its document is downloaded', async () => {
    const { clinic, maria, template } = await theDay()
    const path = `${clinic.slug}/patients/${maria.record.id}/forms`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await page.getByRole('button', { name: 'Assign a form' }).first().click()
    await page.getByRole('dialog').getByRole('combobox').selectOption(template.id)
    await page.keyboard.press('Tab')
    await page.getByRole('dialog').getByRole('button', { name: 'Assign a form' }).click()
    const flexion = page.locator('[name=field_flexion]')
    await flexion.fill('110')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await world.check(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('button', { name: 'Amend' }).click()
    await page.getByText('This form amends an earlier one.').waitFor()

    await page.locator('main').getByRole('link', { name: 'Documents', exact: true }).click()
    await page.getByRole('button', { name: 'Create a document' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a document' }).click()
    await page.getByText('The document is ready.').waitFor({ timeout: 60_000 })
    const download = page.waitForEvent('download')
    await page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click()
    assert.match((await download).suggestedFilename(), /^form-\d{4}-\d{2}-\d{2}\.pdf$/)
    await world.check(page)
    await page.context().close()
  })

  test('an existing patient is offered instead of a duplicate record', async () => {
    const { clinic, maria } = await theDay()
    const page = await world.open({
      app: 'console',
      as: clinic.specialist,
      path: `${clinic.slug}/patients`,
      language: 'ro',
    })
    await page.getByRole('table').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.locator('[name=first_name]').fill('Maria')
    await dialog.locator('[name=last_name]').fill('Stan')
    await dialog.locator('[name=email]').fill(maria.email)
    await page.keyboard.press('Enter')
    await dialog.getByText('Clinica ta are deja un pacient').waitFor()
    await world.check(page)
    assert.equal(await dialog.locator('[name=last_name]').inputValue(), 'Stan')
    await dialog.getByRole('link', { name: 'Deschide fișa aceea' }).click()
    await page.waitForURL(new RegExp(`/patients/${maria.record.id}`))
    await page.context().close()
  })
})
