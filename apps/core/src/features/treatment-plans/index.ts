export { findExerciseTexts } from './my-queries.ts'
export { findPlanSession, type PlannedSession, type PlannedSessionExercise } from './plan-session.ts'
export { translated } from './rules.ts'
export type { PoseConfigInForce } from './session-queries.ts'
