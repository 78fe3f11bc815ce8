export { assignableRole } from './assignment.ts'
export { roleExceedsCaller } from './errors.ts'
export { deleteMembership, insertMembership, updateMembership } from './queries.ts'
