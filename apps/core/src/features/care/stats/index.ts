export { listAdherence } from './cohort-queries.ts'
export { readCounted } from './period.ts'
