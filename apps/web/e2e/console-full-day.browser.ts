import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holdAt, scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

describe('console: a day that is full for a service', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** A clinic whose only specialist gives this service once a day. */
  async function setUp() {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic, { last: 'Stan' })
    const schedule = await scheduleOf(world.services, clinic, {
      service: { max_per_day: 1 },
      names: ['Ana Ionescu'],
    })
    const [specialist] = schedule.specialists
    assert.ok(specialist)
    const at = (hour: number) => holdAt(clinic, schedule, hour).starts_at
    const book = (values: object) =>
      world.api.post('/v1/appointments', clinic.admin, {
        service_id: schedule.service.id,
        specialist_id: specialist.id,
        ...values,
      })
    const active = async () => {
      const visits: { status: string }[] = await world.api.get('/v1/appointments', clinic.admin)
      return visits.filter(({ status }) => status === 'confirmed').length
    }
    const patientPath = `${clinic.slug}/patients/${record.id}/appointments`
    return { clinic, record, schedule, specialist, at, book, active, patientPath }
  }

  test('staff book beyond the limit after the dialog has said that the day is full', async () => {
    const { clinic, book, at, active, patientPath } = await setUp()
    const page = await world.open({ app: 'console', as: clinic.admin, path: patientPath })
    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Book a visit' })
    await dialog.getByLabel('Day').fill(soon)
    await dialog.getByRole('group', { name: 'Free times' }).getByRole('button').first().click()
    // Somebody else takes the last place of the day, at another time.
    await book({ starts_at: at(12) })
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    const alert = dialog.getByRole('alert')
    await alert.getByText('The specialist’s day is full for this service: 1 visit a day at most.').waitFor()
    await world.check(page)
    assert.equal(await active(), 1)
    await alert.getByRole('button', { name: 'Book anyway' }).click()
    await page.getByText('The visit is booked.').waitFor()
    assert.equal(await active(), 2)
    await page.context().close()
  })

  test('staff move a visit to a full day, and another time takes the message away (ro)', async () => {
    const { clinic, record, book, at, active, patientPath } = await setUp()
    const elsewhere = new Date(Date.parse(at(12)) + 7 * 86_400_000).toISOString()
    const visit = await book({ starts_at: elsewhere, patient_id: record.id })
    const path = `${patientPath}?visit=${visit.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path, language: 'ro' })
    await page.getByRole('dialog').getByRole('button', { name: 'Mutați' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mutați vizita' })
    await dialog.getByLabel('Ziua').fill(soon)
    const times = dialog.getByRole('group', { name: 'Ore libere' }).getByRole('button')
    await times.first().click()
    await book({ starts_at: at(12) })
    const move = dialog.getByRole('button', { name: 'Mutați', exact: true })
    await move.click()
    const text = 'Specialistul nu mai are locuri în această zi pentru acest serviciu: cel mult o vizită pe zi.'
    await dialog.getByText(text).waitFor()
    await times.nth(1).click()
    await dialog.getByText(text).waitFor({ state: 'detached' })
    await move.click()
    await dialog.getByRole('button', { name: 'Mutați oricum' }).click()
    await page.getByText('Vizita a fost mutată.').waitFor()
    assert.equal(await active(), 2)
    await page.context().close()
  })

  test('staff book a free time of the calendar beyond the limit, for the patient who is chosen last', async () => {
    const { clinic, schedule, book, at, record } = await setUp()
    await world.people.patient(clinic, { first: 'Ștefan', last: 'Țurcanu' })
    const path = `${clinic.slug}/calendar?day=${soon}&span=day&free=${schedule.service.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    await page.getByRole('button', { name: /14:00/ }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Țurcanu/ }).check()
    await book({ starts_at: at(8) })
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('radio', { name: /Stan/ }).check()
    await dialog.getByRole('button', { name: 'Book anyway' }).click()
    await page.getByText('The visit is booked.').waitFor()
    const visits = await world.api.get(`/v1/appointments?patient_id=${record.id}`, clinic.admin)
    assert.equal(visits.length, 1)
    await page.context().close()
  })

  test('staff offer a time of a full day to a patient who waits', async () => {
    const { clinic, record, specialist, book, at, patientPath } = await setUp()
    const entry = await book({ status: 'waitlist', patient_id: record.id })
    await book({ starts_at: at(12) })
    await world.services.database.query(
      `update appointments set slot_freed_at = now(), freed_slot = jsonb_build_object(
         'starts_at', $2::text, 'ends_at', $3::text, 'specialist_id', $4::text) where id = $1`,
      [entry.id, at(9), at(10), specialist.id],
    )
    const path = `${patientPath}?visit=${entry.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Offer', exact: true }).click()
    await panel.getByText('The day is full').waitFor()
    await panel.getByRole('button', { name: 'Offer anyway' }).click()
    await panel.getByText('Offered to the patient').waitFor()
    await page.context().close()
  })
})
