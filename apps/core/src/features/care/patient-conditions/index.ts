export { findConditionTree, listContraindicated, READING_CONTRAINDICATED } from './contraindication-queries.ts'
export { contraindicatedBy } from './contraindication-rules.ts'
export { mustSeePatients, openPatient } from './record.ts'
