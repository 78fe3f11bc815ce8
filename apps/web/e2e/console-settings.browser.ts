import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: settings', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('a new clinic adds a specialist, working hours and a service, and then books a visit', async () => {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const at = `${world.services.url}/console/${clinic.slug}`
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients/${record.id}` })

    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    await page.getByRole('dialog').getByRole('link', { name: 'Go to services' }).click()
    await page.locator('[data-empty]').waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Add a service' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Duration (minutes)').fill('50')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('[name=name][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Name').fill('Assessment')
    await dialog.getByLabel('Price').pressSequentially('150.05')
    await world.check(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The service was saved.').waitFor()
    await page.getByRole('row', { name: /Assessment.*150\.05/ }).waitFor()

    await page.getByRole('link', { name: 'Working hours' }).click()
    await page.getByRole('button', { name: 'Add a specialist' }).click()
    await dialog.locator('[name=name]').fill('Ana Ionescu')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Set working hours' }).click()
    for (const weekday of ['Saturday', 'Sunday'])
      await dialog.getByRole('button', { name: `Add hours: ${weekday}` }).click()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const card = page.getByRole('region', { name: 'Ana Ionescu' })
    await card.getByText('09:00–17:00').last().waitFor()

    // A day off: no free time on it.
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await card.getByRole('button', { name: 'Add days off' }).click()
    await dialog.locator('[name=date]').fill(day)
    await dialog.locator('[name=reason]').fill('Course')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Course').waitFor()
    await world.check(page)
    await checkNarrow(page)

    await page.goto(`${at}/patients/${record.id}/appointments`)
    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    await dialog.getByLabel('Day').fill(day)
    await dialog.getByText('There is no free time on this day.', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: /^Next day with free times/ }).click()
    await dialog.getByRole('group', { name: 'Free times' }).getByRole('button').first().click()
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    await page.getByText('The visit is booked.').waitFor()
    await page.context().close()
  })

  test('reminders are chosen; when somebody else saved meanwhile, both versions are shown (ro, phone)', async () => {
    const clinic = await world.people.clinic()
    const at = `/v1/organizations/${clinic.id}/settings`
    const page = await world.open({
      app: 'console',
      as: clinic.admin,
      path: `${clinic.slug}/settings`,
      language: 'ro',
      scheme: 'dark',
      width: 360,
    })
    await page.getByLabel('cu 2 zile înainte').check()
    await page.getByLabel('cu 2 ore înainte').uncheck()
    const { version } = await world.api.get(at, clinic.admin)
    await world.api.patch(at, clinic.admin, { feed_shows_details: true, version })
    await page.getByRole('button', { name: 'Salvați' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('rowheader', { name: 'Reamintiri pentru vizite' }).waitFor()
    await world.check(page)
    const { right } = await dialog
      .getByRole('button', { name: 'Păstrați' })
      .evaluate((one) => one.getBoundingClientRect())
    assert.ok(right <= 360, 'the buttons of the dialog are inside the screen')
    await dialog.getByRole('button', { name: 'Păstrați' }).click()
    await page.getByText('Salvat.').waitFor()
    const stored = await world.api.get(at, clinic.admin)
    assert.deepEqual(stored.reminder_offsets_minutes.toSorted(), [1440, 2880])
    // A colour on which white text cannot be read is refused at its field.
    await page.locator('[name=brand_color]').fill('#ffff00')
    await page.getByRole('button', { name: 'Salvați' }).first().click()
    await page.getByText('Alegeți o culoare mai închisă', { exact: false }).waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('the telephone number of the clinic is typed here and shown to patients', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/settings` })
    const section = page.getByRole('region', { name: 'How patients reach the clinic' })
    await section.getByLabel('Telephone number').fill('+40 21 555 0199')
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { data } = await world.api.raw(`/v1/public/organizations/${clinic.slug}/branding`, clinic.admin)
    assert.equal(data.phone, '+40 21 555 0199')
    await page.context().close()
  })

  test('a specialist has the exercises in the menu, and no settings', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    await page.getByRole('link', { name: 'Patients' }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0)
    await page.getByRole('link', { name: 'Exercises' }).first().click()
    await page.getByRole('button', { name: 'New exercise' }).first().waitFor()
    await page.context().close()
  })
})
