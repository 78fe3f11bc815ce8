export { findAppointmentMail, MAIL_CODES } from './appointment-mail.ts'
export { type AppointmentMailData, appointmentRows, calendarParts } from './mail-parts.ts'
