import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { settle } from './browser.ts'
import { clinicDay } from './clinic-day.ts'
import { holdAt } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: visits', { skip: SKIPPED }, () => {
  const world = useWorld()
  let day: Awaited<ReturnType<typeof clinicDay>> | undefined
  const theDay = async () => (day ??= await clinicDay(world))
  const panelOf = (page: Page) => page.getByRole('dialog').first()
  let hour = 6

  /** A visit at an hour of its own, the day after tomorrow. */
  async function book(values: object = {}) {
    const { clinic, maria, service, therapist } = await theDay()
    const at = new Date(Date.now() + 2 * 86_400_000)
    at.setUTCHours(hour++, 0, 0, 0)
    return world.api.post('/v1/appointments', clinic.admin, {
      service_id: service.id,
      specialist_id: therapist.id,
      patient_id: maria.record.id,
      starts_at: at.toISOString(),
      ...values,
    })
  }

  async function open(visit: { id: string }, view: { language?: 'en' | 'ro'; width?: number } = {}) {
    const { clinic, maria } = await theDay()
    const path = `${clinic.slug}/patients/${maria.record.id}/appointments?visit=${visit.id}`
    return world.open({ app: 'console', as: clinic.admin, path, ...view })
  }

  test('meeting link, notes and custom fields are changed; a refused link is explained at its field', async () => {
    const { clinic } = await theDay()
    await world.api.post('/v1/custom-fields', clinic.admin, {
      entity_type: 'appointment',
      key: 'room',
      label: 'Room',
      field_type: 'select',
      options: ['Blue', 'Green'],
    })
    const visit = await book({ mode: 'video' })
    const page = await open(visit)
    const panel = panelOf(page)
    await panel.getByText('The patient has not agreed to video visits yet.').waitFor()
    await panel.getByLabel('Link to the video meeting').fill('http://meet.example/1')
    await panel.getByLabel('Notes of the clinic').fill('Bring the scan.')
    await panel.getByLabel('Room').selectOption('Green')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.locator('[name=meeting_url][aria-invalid=true]:focus').waitFor()
    await world.check(page)
    await panel.getByLabel('Link to the video meeting').fill('https://meet.example/1')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const stored = await world.api.get(`/v1/appointments/${visit.id}`, clinic.admin)
    assert.deepEqual(
      [stored.meeting_url, stored.notes, stored.custom_fields.room],
      ['https://meet.example/1', 'Bring the scan.', 'Green'],
    )
    await page.context().close()
  })

  test('the panel names the place of a visit in the clinic (ro)', async () => {
    const { clinic } = await theDay()
    const place = await world.api.post(`/v1/organizations/${clinic.id}/locations`, clinic.admin, {
      name: 'Filiala Nord',
    })
    const page = await open(await book({ location_id: place.id }), { language: 'ro' })
    await panelOf(page).locator('dt', { hasText: 'Unde' }).waitFor()
    await panelOf(page).getByText('Filiala Nord').waitFor()
    await page.context().close()
  })

  test('when somebody else saved the visit, both versions are shown, and mine can be kept', async () => {
    const { clinic } = await theDay()
    const visit = await book()
    const page = await open(visit)
    await panelOf(page).getByLabel('Notes of the clinic').fill('Mine.')
    await world.api.patch(`/v1/appointments/${visit.id}`, clinic.specialist, {
      notes: 'Theirs.',
      version: visit.version,
    })
    await panelOf(page).getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('dialog', { name: 'Somebody else has saved changes' })
    await conflict.getByRole('cell', { name: 'Theirs.' }).waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await world.api.get(`/v1/appointments/${visit.id}`, clinic.admin)).notes, 'Mine.')
    await page.context().close()
  })

  test('a conflict shows as mine what I changed, and keeping mine keeps the other fields of the colleague', async () => {
    const { clinic } = await theDay()
    const visit = await book({ mode: 'video', meeting_url: 'https://meet.example/first' })
    const page = await open(visit)
    const panel = panelOf(page)
    await panel.getByLabel('Notes of the clinic').fill('Mine.')
    const theirs = { notes: 'Theirs.', meeting_url: 'https://meet.example/theirs', version: visit.version }
    await world.api.patch(`/v1/appointments/${visit.id}`, clinic.admin, theirs)
    await panel.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('dialog', { name: /saved/ }).last()
    await conflict.getByRole('cell', { name: 'Mine.' }).waitFor()
    assert.equal(await conflict.getByText('https://meet.example/first').count(), 0)
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved.').waitFor()
    const stored = await world.api.get(`/v1/appointments/${visit.id}`, clinic.admin)
    assert.deepEqual([stored.notes, stored.meeting_url], ['Mine.', 'https://meet.example/theirs'])
    await page.context().close()
  })

  test('a file is added, downloaded and deleted; a letter is created (ro, phone)', async () => {
    const visit = await book()
    const page = await open(visit, { language: 'ro', width: 360 })
    const panel = panelOf(page)
    await panel
      .locator('input[type=file]')
      .setInputFiles({ name: 'trimitere.txt', mimeType: 'text/plain', buffer: Buffer.from('Genunchi') })
    await panel.getByText('trimitere.txt').waitFor()
    const download = page.waitForEvent('download')
    await panel.getByRole('button', { name: 'Descărcați: trimitere.txt' }).click()
    assert.equal((await download).suggestedFilename(), 'trimitere.txt')
    await panel.getByRole('button', { name: 'Creați: Scrisoare', exact: false }).click()
    await page.getByText('Documentul este gata.').waitFor({ timeout: 60_000 })
    await panel.getByRole('button', { name: /^Descărcați: Scrisoare/ }).waitFor()
    await world.check(page)
    await panel.getByRole('button', { name: 'Ștergeți: trimitere.txt' }).click()
    await page.getByRole('dialog', { name: 'Ștergeți acest fișier?' }).getByRole('button', { name: 'Ștergeți' }).click()
    await panel.getByText('Niciun fișier.', { exact: false }).waitFor()
    await page.context().close()
  })

  test('after its start a visit is marked as arrived and completed; marking it as missed asks first', async () => {
    const { clinic } = await theDay()
    const [came, missed] = [await book(), await book()]
    await world.services.database.query(
      `update appointments set starts_at = now() - interval '30 minutes', ends_at = now() - interval '1 minute', status = 'confirmed' where id = $1`,
      [came.id],
    )
    await world.services.database.query(
      `update appointments set starts_at = now() - interval '3 days', ends_at = now() - interval '71 hours', status = 'confirmed' where id = $1`,
      [missed.id],
    )
    const page = await open(came)
    await panelOf(page).getByRole('button', { name: 'Arrived' }).click()
    await panelOf(page).getByRole('button', { name: 'Complete' }).click()
    await panelOf(page).getByText('Completed').waitFor()
    await panelOf(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { maria } = await theDay()
    await page.goto(
      `${world.services.url}/console/${clinic.slug}/patients/${maria.record.id}/appointments?visit=${missed.id}`,
    )
    await panelOf(page).getByRole('button', { name: 'Did not come' }).click()
    const asking = page.getByRole('dialog', { name: 'Did the patient miss the visit?' })
    await asking.getByRole('button', { name: 'Did not come' }).click()
    await asking.waitFor({ state: 'detached' })
    assert.equal((await world.api.get(`/v1/appointments/${missed.id}`, clinic.admin)).status, 'no_show')
    await page.context().close()
  })

  test('a booking of the public page is opened in the calendar and linked to a patient', async () => {
    const { clinic, service, therapist } = await theDay()
    const hold = await world.api.post(
      '/v1/public/holds',
      clinic.admin,
      holdAt(clinic, { service, specialists: [therapist] }, 15),
    )
    await world.api.post('/v1/public/bookings', clinic.admin, {
      hold_id: hold.id,
      booker: { name: 'Stefan Turcanu', email: 'stefan@mail.example' },
    })
    const date = hold.starts_at.slice(0, 10)
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/calendar?day=${date}` })
    await page.getByRole('link', { name: /Stefan Turcanu/ }).click()
    await panelOf(page).getByText('stefan@mail.example').waitFor()
    await world.check(page)
    await panelOf(page).getByRole('button', { name: 'Link to a patient' }).click()
    const linking = page.getByRole('dialog', { name: 'Link to a patient' })
    await linking.getByRole('radio', { name: /Țurcanu/ }).check()
    await page.keyboard.press('Escape')
    await linking.waitFor({ state: 'detached' })
    await panelOf(page).getByRole('button', { name: 'Link to a patient' }).click()
    await linking.getByRole('radio', { name: /Țurcanu/, checked: false }).check()
    await linking.getByRole('button', { name: 'Link to a patient' }).click()
    await panelOf(page).getByRole('link', { name: 'Ștefan Țurcanu' }).waitFor()
    await page.context().close()
  })

  test('a series is booked from the calendar by keyboard key, and its number is shown', async () => {
    const { clinic } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/calendar` })
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
    await settle(page)
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Book a visit' })
    await dialog.getByRole('searchbox').fill('turcanu')
    await dialog.getByRole('radio', { name: /Țurcanu/ }).check()
    const later = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Day').fill(later)
    await dialog.getByRole('group', { name: 'Free times' }).getByRole('button').first().click()
    await dialog.getByLabel('Repeat').selectOption('2')
    await dialog.getByLabel('How many visits').selectOption('3')
    await world.check(page)
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    await page.getByText('3 visits are booked.').waitFor()
    await page.context().close()
  })

  test('an admin marks a visit as entered in error', async () => {
    const { clinic } = await theDay()
    const visit = await book()
    const page = await open(visit)
    await panelOf(page).getByRole('button', { name: 'Entered in error' }).click()
    const asking = page.getByRole('dialog', { name: 'Mark this visit as entered in error?' })
    await asking.getByRole('button', { name: 'Entered in error' }).click()
    await page.getByText('The visit is marked as entered in error.').waitFor()
    assert.equal((await world.api.get(`/v1/appointments/${visit.id}`, clinic.admin)).status, 'entered_in_error')
    await page.context().close()
  })
})
