import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holdAt, scheduleOf } from './scheduling.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: deleting a patient', { skip: SKIPPED }, () => {
  const world = useWorld()

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`the dialog names the future visits, and cancels them when asked (${nameOf(view)})`, async () => {
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      const { record } = await world.people.patient(clinic)
      const schedule = await scheduleOf(world.services, clinic)
      const visits = []
      for (const hour of [9, 12])
        visits.push(
          await world.api.post('/v1/appointments', clinic.admin, {
            service_id: schedule.service.id,
            specialist_id: schedule.specialists[0]?.id,
            patient_id: record.id,
            starts_at: holdAt(clinic, schedule, hour).starts_at,
          }),
        )
      const path = `${clinic.slug}/patients/${record.id}`
      const page = await world.open({ app: 'console', as: clinic.admin, path, ...view })
      await page.getByRole('button', { name: ro ? 'Ștergeți' : 'Delete', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await world.check(page)
      await dialog.getByRole('button', { name: ro ? 'Ștergeți fișa' : 'Delete the record' }).click()
      await dialog
        .getByText(ro ? 'Acest pacient are 2 vizite viitoare:' : 'This patient has 2 future visits:')
        .waitFor()
      assert.equal(await dialog.getByRole('listitem').count(), 2)
      await world.check(page)
      await picture(page, 'delete-patient-visits', view)
      await dialog
        .getByRole('button', { name: ro ? 'Anulați vizitele și ștergeți' : 'Cancel the visits and delete' })
        .click()
      await page.getByText(ro ? 'Fișa a fost ștearsă.' : 'The record is deleted.').waitFor()
      await page.waitForURL((url) => url.pathname.endsWith('/patients'))
      for (const { id } of visits)
        assert.equal((await world.api.get(`/v1/appointments/${id}`, clinic.admin)).status, 'cancelled')
    })
  }

  test('a patient without future visits is deleted after one question', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients/${record.id}` })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the record' }).click()
    await page.getByText('The record is deleted.').waitFor()
  })
})
