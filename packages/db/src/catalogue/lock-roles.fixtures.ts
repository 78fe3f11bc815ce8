/**
 * Roles belong to the whole cluster: a transaction that changes them and never commits must not meet a migration of
 * another database. The grant takes the same lock as the first grant of database/roles.sql, and takes it first, as a
 * migration does: two transactions that lock in different orders would deadlock.
 */
export const LOCK_ROLES = 'grant tendon_definer to tendon_owner; lock table pg_authid in share row exclusive mode'
