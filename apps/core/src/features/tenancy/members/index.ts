export { assignableRole } from './assignment.ts'
export { lastManager, roleExceedsCaller } from './errors.ts'
export { deleteMembership, insertMembership, updateMembership } from './queries.ts'
