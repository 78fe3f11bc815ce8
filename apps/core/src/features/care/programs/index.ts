export { mustSeePlans } from './access.ts'
export { findProgram } from './queries.ts'
export { acceptSessions } from './tree.ts'
export {
  deleteSessions,
  findPlannedExercises,
  findSession,
  listMySessions,
  listSessions,
  lockExercises,
  saveSessions,
} from './tree-queries.ts'
export {
  asWanted,
  copyOf,
  exerciseIdsOf,
  inOrder,
  named,
  pathOf,
  type StoredSession,
  type WantedSession,
} from './tree-rules.ts'
