import { mailTemplate } from '@tendon/mail'
import { type AppointmentMailData, appointmentRows, calendarParts } from '../bookings/index.ts'

/** Sent before an appointment. Contains the calendar file of its last change. */
export const appointmentReminder = mailTemplate<AppointmentMailData>({
  name: 'appointment_reminder',
  kind: 'care',
  en: (data, context) => ({
    subject: `Reminder: your appointment at ${context.organizationName ?? ''}`,
    body: [
      'Hello,',
      `This is a reminder of your appointment at ${context.organizationName ?? ''}.`,
      { rows: appointmentRows('en', data, context.formatTime) },
      'If you cannot come, please tell the clinic as soon as you can.',
      { label: 'Open the portal', url: context.portalUrl },
    ],
    ...calendarParts('en', data, context),
  }),
  ro: (data, context) => ({
    subject: `Reamintire: programarea dumneavoastră la ${context.organizationName ?? ''}`,
    body: [
      'Bună ziua,',
      `Vă reamintim de programarea dumneavoastră la ${context.organizationName ?? ''}.`,
      { rows: appointmentRows('ro', data, context.formatTime) },
      'Dacă nu puteți veni, vă rugăm să anunțați clinica din timp.',
      { label: 'Deschideți portalul', url: context.portalUrl },
    ],
    ...calendarParts('ro', data, context),
  }),
})
