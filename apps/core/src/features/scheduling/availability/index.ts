export type { AvailabilityFacts } from './facts.ts'
export { findPublicFacts, findStaffFacts } from './queries.ts'
export { questionOf } from './slots.ts'
