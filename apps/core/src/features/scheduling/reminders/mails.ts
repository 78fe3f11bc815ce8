import { mailTemplate } from '@tendon/mail'
import { type AppointmentMailData, appointmentRows, calendarAttachment } from '../bookings/index.ts'

/** Sent before an appointment. Contains the calendar file of its last change. */
export const appointmentReminder = mailTemplate<AppointmentMailData>({
  name: 'appointment_reminder',
  kind: 'care',
  en: (data, { organizationName, formatTime, portalUrl }) => ({
    subject: `Reminder: your appointment at ${organizationName ?? ''}`,
    body: [
      'Hello,',
      `This is a reminder of your appointment at ${organizationName ?? ''}.`,
      { rows: appointmentRows('en', data, formatTime) },
      'If you cannot come, please tell the clinic as soon as you can.',
      { label: 'Open the portal', url: portalUrl },
    ],
    attachments: [calendarAttachment('en', data, organizationName)],
  }),
  ro: (data, { organizationName, formatTime, portalUrl }) => ({
    subject: `Reamintire: programarea dumneavoastră la ${organizationName ?? ''}`,
    body: [
      'Bună ziua,',
      `Vă reamintim de programarea dumneavoastră la ${organizationName ?? ''}.`,
      { rows: appointmentRows('ro', data, formatTime) },
      'Dacă nu puteți veni, vă rugăm să anunțați clinica din timp.',
      { label: 'Deschideți portalul', url: portalUrl },
    ],
    attachments: [calendarAttachment('ro', data, organizationName)],
  }),
})
