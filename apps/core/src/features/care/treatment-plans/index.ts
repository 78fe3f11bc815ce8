export { treatmentPlanNotFound } from './errors.ts'
export { withHowTo } from './for-patient.ts'
export { loadPlan, type StoredPlan } from './plan.ts'
export { findPlanSession } from './plan-session.ts'
