import type { DocumentKind } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { appointmentNotFound, findAppointment } from '../../scheduling/appointments/index.ts'
import { dateIn, timeIn, WORDS } from '../pdf-templates/index.ts'
import { appointmentNotAttended, appointmentWithoutTime } from './errors.ts'
import { personValues } from './person.ts'
import { findLocation, findServiceName } from './queries.ts'
import type { Chosen, Source } from './source.ts'

export async function readAppointmentSource(
  tx: TenantTx,
  id: string,
  kind: Extract<DocumentKind, 'appointment_letter' | 'attendance_certificate'>,
  { language, template }: Chosen,
): Promise<Source> {
  const appointment = await findAppointment(tx, id, ['specialist'])
  if (!appointment) throw appointmentNotFound()
  const { status, starts_at, ends_at, time_zone, location_id, mode, patient_profile_id, booker } = appointment
  if (starts_at === null || ends_at === null || status === 'entered_in_error') throw appointmentWithoutTime()
  if (kind === 'attendance_certificate' && status !== 'checked_in' && status !== 'completed')
    throw appointmentNotAttended({ status })
  const person =
    patient_profile_id === null
      ? { 'patient.name': booker?.name ?? '', 'patient.birth_date': '' }
      : await personValues(tx, patient_profile_id, language)
  const location = location_id === null ? undefined : await findLocation(tx, location_id)
  const specialist = appointment.specialist?.name ?? ''
  return {
    kind,
    of: { appointment_id: id },
    patient_profile_id,
    specialist_id: appointment.specialist_id,
    title: template.name,
    facts: {
      values: {
        ...person,
        'appointment.date': dateIn(language, time_zone, starts_at),
        'appointment.time': timeIn(language, time_zone, starts_at),
        'appointment.end_time': timeIn(language, time_zone, ends_at),
        'appointment.service': await findServiceName(tx, appointment.service_id, language),
        'appointment.specialist': specialist,
        'appointment.location': location
          ? [location.name, location.address?.line1, location.address?.city].filter(Boolean).join(', ')
          : '',
        'appointment.mode': WORDS[language].modes[mode],
      },
      answers: [],
      sessions: [],
      signatures: {
        signer: { name: specialist, caption: '', image: null },
        specialist: { name: specialist, caption: '', image: null },
        patient: { name: person['patient.name'], caption: '', image: null },
      },
      images: new Map(),
    },
    appendix: [],
  }
}
