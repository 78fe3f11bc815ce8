export { findAppointmentMail } from './appointment-mail.ts'
export { type AppointmentMailData, appointmentRows, calendarParts } from './mail-parts.ts'
