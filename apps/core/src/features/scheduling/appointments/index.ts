export { appointmentNotFound, patientBusy } from './errors.ts'
export { findAppointment } from './queries.ts'
export { isChangeable } from './rules.ts'
