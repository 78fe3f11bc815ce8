import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate } from './browser.ts'
import { holdAt, scheduleOf } from './scheduling.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('portal: visits and the clinic’s sign-in page', { skip: SKIPPED }, () => {
  const world = useWorld()

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`a patient books, moves and cancels a visit (${nameOf(view)})`, async () => {
      const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
      await world.people.publishNotice(clinic)
      await scheduleOf(world.services, clinic)
      const { email } = await world.people.patient(clinic, { last: 'Bradeanu' })
      const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, ...view })
      await page.getByText(ro ? 'Încă nicio programare' : 'No appointments yet').waitFor()
      await world.check(page)
      await picture(page, 'visits-empty', view)
      await page.getByRole('link', { name: ro ? 'Faceți o programare' : 'Book an appointment' }).click()
      await page.getByRole('link', { name: ro ? 'Evaluare inițială' : 'Initial assessment' }).click()
      const days = page.getByRole('group', { name: ro ? 'Alegeți o zi' : 'Choose a day' })
      await days.getByRole('button').nth(3).click()
      await page.getByRole('button', { name: '10:00' }).click()
      await page.locator('[name=patient_note]').fill(ro ? 'Mă doare genunchiul.' : 'The knee hurts.')
      await world.check(page)
      await checkNarrow(page)
      await page.getByRole('button', { name: ro ? 'Faceți programarea' : 'Book this appointment' }).click()
      await page.getByRole('article').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await checkPrivate(page, ['Bradeanu', 'genunchi', 'knee'])
      await picture(page, 'visits', view)
      await page.getByRole('link', { name: ro ? 'Mutați' : 'Move', exact: true }).click()
      await days.getByRole('button').nth(4).click()
      await page.getByRole('button', { name: '11:00' }).click()
      await page.getByRole('button', { name: ro ? 'Mutați la această oră' : 'Move to this time' }).click()
      await page.getByRole('article').locator('time', { hasText: '11:00' }).waitFor()
      await page.getByRole('button', { name: ro ? 'Anulați programarea' : 'Cancel the appointment' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('x')
      await world.check(page)
      await dialog.getByRole('button', { name: ro ? 'Anulați programarea' : 'Cancel the appointment' }).click()
      await page.getByText(ro ? 'Nu urmează nicio programare.' : 'You have no upcoming appointment.').waitFor()
      await world.check(page)
      await page.context().close()
    })

    test(`the sign-in page names the clinic and changes its language (${nameOf(view)})`, async () => {
      const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
      const page = await world.open({ app: 'portal', path: clinic.slug, ...view })
      await page.getByRole('heading', { level: 1, name: 'Clinica Mlădița' }).waitFor()
      await world.check(page)
      await checkNarrow(page)
      await picture(page, 'sign-in', view)
      await page.getByRole('button', { name: ro ? 'English' : 'Română' }).click()
      await page.getByRole('link', { name: ro ? 'Sign in' : 'Intrați în cont' }).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.lang), ro ? 'en' : 'ro')
      await page.context().close()
    })
  }

  test('a person without a record at the clinic, and the URL of an unknown clinic, get a page that says what to do', async () => {
    const clinic = await world.people.clinic()
    const stranger = world.people.newEmail('stranger')
    const page = await world.open({ app: 'portal', as: stranger, path: clinic.slug })
    await page.getByRole('heading', { name: 'No record here yet' }).waitFor()
    await world.check(page)
    const nobody = await world.open({ app: 'portal', path: 'no-such-clinic' })
    await nobody.getByRole('heading', { name: 'Clinic not found' }).waitFor()
    await world.check(nobody)
  })

  test('a booking made before signing in can be linked, and then appears in the visits', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const schedule = await scheduleOf(world.services, clinic)
    const { email } = await world.people.patient(clinic)
    const send = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(world.services.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()).data
    }
    const hold = await send('/v1/public/holds', holdAt(clinic, schedule))
    await send('/v1/public/bookings', { hold_id: hold.id, booker: { name: 'Maria', email } })
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, width: 360 })
    await page.getByRole('heading', { name: 'Is this your booking?' }).waitFor()
    await world.check(page)
    await checkNarrow(page)
    await page.getByRole('button', { name: 'Yes, it is mine' }).click()
    await page.getByRole('article').waitFor()
    await page.getByRole('heading', { name: 'Is this your booking?' }).waitFor({ state: 'detached' })
    await world.check(page)
  })

  test('a video visit asks for its consent first', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    await scheduleOf(world.services, clinic, { service: { modes: ['video'] } })
    const { email } = await world.people.patient(clinic)
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits/new`, width: 360 })
    await page.getByRole('link', { name: 'Initial assessment' }).click()
    await page.getByRole('group', { name: 'Choose a day' }).getByRole('button').nth(3).click()
    await page.getByRole('button', { name: '10:00' }).click()
    await page.getByRole('button', { name: 'Book this appointment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').check()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Agree and continue' }).click()
    await page.getByRole('article').waitFor()
    await page.getByText('You can join from 15 minutes before the start.').waitFor()
    await world.check(page)
  })

  test('when it is too late to change a visit, the page says so and shows no button', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const schedule = await scheduleOf(world.services, clinic)
    const { email, record } = await world.people.patient(clinic)
    const hour = 3_600_000
    const soon = new Date((Math.floor(Date.now() / hour) + 3) * hour)
    await world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: schedule.specialists[0]?.id,
      patient_id: record.id,
      mode: 'in_person',
      starts_at: soon.toISOString(),
    })
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits` })
    await page.getByText(/too late to change this appointment online/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Cancel the appointment' }).count(), 0)
    await world.check(page)
  })
})
