export { withHowTo } from './for-patient.ts'
export { findPlanSession } from './plan-session.ts'
