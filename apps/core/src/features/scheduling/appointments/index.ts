export { appointmentNotFound, patientBusy } from './errors.ts'
export { findAppointment } from './queries.ts'
