export { findAppointmentMail } from './appointment-mail.ts'
export { type AppointmentMailData, appointmentRows, calendarAttachment } from './mail-parts.ts'
