export { patientNotFound } from './errors.ts'
export { createNationalIds, type NationalIds } from './national-id.ts'
export { findPatient, findPatientForUpdate } from './queries.ts'
