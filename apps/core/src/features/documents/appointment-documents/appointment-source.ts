import type { Appointment } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { appointmentNotFound, findAppointment } from '../../scheduling/appointments/index.ts'
import { timeIn, WORDS, weekdayIn } from '../pdf-templates/index.ts'
import {
  appointmentCancelled,
  appointmentNotAttended,
  appointmentNotStarted,
  appointmentWithoutTime,
} from './errors.ts'
import { personValues } from './person.ts'
import { findLocation, findServiceName, findSpecialist } from './queries.ts'
import { type AppointmentKind, obstacleTo, specialistCaption } from './rules.ts'
import type { Chosen, Source } from './source.ts'

export async function readAppointmentSource(
  tx: TenantTx,
  id: string,
  kind: AppointmentKind,
  { language, template }: Chosen,
  now: Date,
): Promise<Source> {
  const appointment = await findAppointment(tx, id)
  if (!appointment) throw appointmentNotFound()
  mustBePrintable(kind, appointment, now)
  const { starts_at, ends_at, time_zone, location_id, mode, patient_profile_id, booker } = appointment
  if (starts_at === null || ends_at === null) throw appointmentWithoutTime()
  const person =
    patient_profile_id === null
      ? { 'patient.name': booker?.name ?? '', 'patient.birth_date': '' }
      : await personValues(tx, patient_profile_id, language)
  const location = location_id === null ? undefined : await findLocation(tx, location_id)
  const specialist = await findSpecialist(tx, appointment.specialist_id)
  const name = specialist?.name ?? ''
  const caption = specialistCaption(specialist, WORDS[language])
  return {
    kind,
    of: { appointment_id: id },
    patient_profile_id,
    specialist_id: appointment.specialist_id,
    title: template.name,
    facts: {
      values: {
        ...person,
        'appointment.date': weekdayIn(language, time_zone, starts_at),
        'appointment.time': timeIn(language, time_zone, starts_at),
        'appointment.end_time': timeIn(language, time_zone, ends_at),
        'appointment.service': await findServiceName(tx, appointment.service_id, language),
        'appointment.specialist': name,
        'appointment.specialist_title': specialist?.title ?? '',
        'appointment.specialist_registration_number': specialist?.registration_number ?? '',
        'appointment.location': location
          ? [location.name, location.address?.line1, location.address?.city].filter(Boolean).join(', ')
          : '',
        'appointment.mode': WORDS[language].modes[mode],
      },
      answers: [],
      sessions: [],
      signatures: {
        signer: { name, caption, image: null },
        specialist: { name, caption, image: null },
        patient: { name: person['patient.name'], caption: '', image: null },
      },
      images: new Map(),
    },
    appendix: [],
  }
}

function mustBePrintable(kind: AppointmentKind, appointment: Appointment, now: Date): void {
  const obstacle = obstacleTo(kind, appointment, now)
  if (obstacle === 'no_time') throw appointmentWithoutTime()
  if (obstacle === 'cancelled') throw appointmentCancelled()
  if (obstacle === 'not_attended') throw appointmentNotAttended({ status: appointment.status })
  if (obstacle === 'not_started') throw appointmentNotStarted()
}
