export { withHowTo } from './for-patient.ts'
export { findPlanSession, type PlannedSession, type PlannedSessionExercise } from './plan-session.ts'
export type { PoseConfigInForce } from './session-queries.ts'
