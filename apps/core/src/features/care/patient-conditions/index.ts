export { mustSeePatients, openPatient } from './record.ts'
