import { Appointment, ById, LinkPatient, One } from '@tendon/contracts'
import { permission, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { patientNotFound, SETTING_LEAD } from '../../people/patients/index.ts'
import { alreadyLinked, appointmentNotFound, patientBusy } from './errors.ts'
import { setLeadOf } from './lead.ts'
import { findBookingPatient, lockPatient } from './patient-queries.ts'
import { findAppointment, updatePatient } from './queries.ts'
import { found, lockAppointment, record } from './record.ts'
import { missingConsents } from './rules.ts'

export const linkRoutes: Routes = (app) => {
  app.post(
    '/v1/appointments/:id/link-patient',
    {
      config: {
        access: permission('appointments.manage'),
        patientData: true,
        service: SETTING_LEAD,
        summary: 'Link a booking to a patient',
        refusals: [appointmentNotFound, alreadyLinked, patientNotFound, patientBusy, processingRestricted],
      },
      schema: { params: ById, body: LinkPatient, response: { 200: One(Appointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        await lockPatient(tx, request.body.patient_id) // before rows, as deletions and erasures do
        const before = await lockAppointment(tx, request.params.id)
        if (before.patient_id !== null && before.patient_id !== request.body.patient_id) throw alreadyLinked()
        const patient = await findBookingPatient(tx, request.body.patient_id)
        if (!patient) throw patientNotFound()
        if (patient.restricted_at !== null) throw processingRestricted()
        await updatePatient(tx, before.id, patient, missingConsents(before.mode, patient.has_telemedicine))
        const after = found(await findAppointment(tx, before.id))
        await record.linked(request, tx, before, after)
        await setLeadOf(request, tx, after)
        return { data: after }
      }),
  )
}
