import { describe, test } from 'node:test'
import { clinicDay } from './clinic-day.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: reminders of a visit', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('staff read when each is due, whether it was sent, and why not (en, ro)', async () => {
    const { clinic, maria, service, therapist } = await clinicDay(world)
    const at = new Date(Date.now() + 5 * 86_400_000)
    at.setUTCHours(7, 0, 0, 0)
    const visit = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: service.id,
      specialist_id: therapist.id,
      patient_id: maria.record.id,
      starts_at: at.toISOString(),
    })
    // In the past, where no job is waiting for them.
    for (const [offset, status, reason] of [
      [20_000, 'sent', null],
      [19_000, 'skipped', 'no_address'],
    ])
      await world.services.database.query(
        `insert into appointment_reminders (organization_id, appointment_id, offset_minutes, starts_at, send_at, status, reason)
         select organization_id, id, $2::integer, starts_at, starts_at - make_interval(mins => $2::integer), $3, $4
         from appointments where id = $1`,
        [visit.id, offset, status, reason],
      )
    const path = `${clinic.slug}/patients/${maria.record.id}/appointments?visit=${visit.id}`
    for (const [language, ...texts] of [
      ['en', 'Reminders', 'Sent', 'Not sent: no e-mail address is known'],
      ['ro', 'Reamintiri', 'Trimisă', 'Netrimisă: nu se cunoaște nicio adresă de e-mail'],
    ] as const) {
      const page = await world.open({ app: 'console', as: clinic.admin, path, language })
      const panel = page.getByRole('dialog').first()
      for (const text of texts) await panel.getByText(text, { exact: true }).waitFor()
      await world.check(page)
      await page.context().close()
    }
  })
})
