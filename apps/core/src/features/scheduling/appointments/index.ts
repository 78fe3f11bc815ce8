export { appointmentNotFound } from './errors.ts'
export { findAppointment } from './queries.ts'
