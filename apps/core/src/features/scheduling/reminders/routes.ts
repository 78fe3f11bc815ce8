import { AppointmentReminder, ById, Choices } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { appointmentNotFound, findAppointment } from '../appointments/index.ts'
import { listReminders } from './queries.ts'

export const reminderRoutes: Routes = (app) => {
  app.get(
    '/v1/appointments/:id/reminders',
    {
      config: {
        access: permission('appointments.view_org'),
        patientData: true,
        summary: 'List the reminders of an appointment',
        description:
          'Each is planned, queued with its mail, sent, or skipped with a reason. Sent means that a mail server has accepted the mail.',
        refusals: [appointmentNotFound],
      },
      schema: { params: ById, response: { 200: Choices(AppointmentReminder) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { id } = request.params
        if (!(await findAppointment(tx, id))) throw appointmentNotFound()
        return { data: await listReminders(tx, id) }
      }),
  )
}
