// For the command `npm run superadmin`, which does the same without a caller.
export { platformMembershipConstraints } from './errors.ts'
export {
  deletePlatformMembership,
  findOrInviteHuman,
  findSuperadminByEmail,
  insertPlatformMembership,
  listAllPlatformMemberships,
} from './queries.ts'
