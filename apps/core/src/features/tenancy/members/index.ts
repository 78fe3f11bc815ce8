export { assignableRole } from './assignment.ts'
export { lastManager, roleExceedsCaller } from './errors.ts'
export { deleteMembership, insertMembership, LOCKING_ROLE, updateMembership } from './queries.ts'
