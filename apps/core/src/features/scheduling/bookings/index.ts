export { findAppointmentMail, MAIL_CODES } from './appointment-mail.ts'
export { eraseMyBookings } from './erase-my-bookings.ts'
export { type AppointmentMailData, appointmentRows, calendarParts } from './mail-parts.ts'
