import type { List, Member, MemberChoice, Picker } from '@tendon/contracts'
import { asService, CLINIC, readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { MAX_INVITATIONS_AGAIN_A_DAY } from './rules.ts'

const COLUMNS = [
  'principal_id',
  'user_id',
  'type',
  'name',
  'email',
  'email_verified',
  'status',
  'role',
  'created_at',
  'updated_at',
] as const

/** Service accounts have routes of their own: here they show only when asked for. */
export async function listMembers(tx: TenantTx, list: List) {
  const filters = { ...list.filters, type: list.filters.type ?? ['human'] }
  const members = tx.selectFrom('members').select(COLUMNS)
  return readPage(members, { ...list, filters }, { search: ['name', 'email'], id: 'principal_id' })
}

export async function listMemberChoices(tx: TenantTx, picker: Picker): Promise<MemberChoice[]> {
  const humans = tx
    .selectFrom('members')
    .select(['principal_id as id', 'name', 'email', sql<string>`role ->> 'name'`.as('role_name')])
    .where('type', '=', 'human')
  return await readChoices(humans, picker, { search: ['name', 'email'], id: 'principal_id' })
}

export async function findMember(tx: TenantTx, principalId: string): Promise<Member | undefined> {
  return tx.selectFrom('members').select(COLUMNS).where('principal_id', '=', principalId).executeTakeFirst()
}

/** Two statements: what the one that waits for the lock reads would be older than the lock. */
export async function findMemberForUpdate(tx: TenantTx, principalId: string): Promise<Member | undefined> {
  await tx
    .selectFrom('organization_memberships')
    .select('role_id')
    .where('principal_id', '=', principalId)
    .forNoKeyUpdate()
    .execute()
  return findMember(tx, principalId)
}

/** The id of the human to whom mail at the address goes. Locks the address until the transaction ends. */
export async function upsertHuman(tx: TenantTx, email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select find_or_create_human(${email}) as id`.execute(tx)
  return (rows[0] as { id: string }).id
}

export async function insertMembership(
  tx: TenantTx,
  membership: { principal_id: string; role_id: string; invited_email?: string; invited_name?: string | null },
): Promise<void> {
  await tx.insertInto('organization_memberships').values(membership).execute()
}

export async function updateMembership(tx: TenantTx, principalId: string, roleId: string): Promise<void> {
  await tx
    .updateTable('organization_memberships')
    .set({ role_id: roleId })
    .where('principal_id', '=', principalId)
    .execute()
}

export async function deleteMembership(tx: TenantTx, principalId: string): Promise<void> {
  await tx.deleteFrom('organization_memberships').where('principal_id', '=', principalId).execute()
}

/** What an invitation depends on. The row is locked already. */
export async function findInvitation(tx: TenantTx, principalId: string) {
  return tx
    .selectFrom('organization_memberships')
    .select(['invited_email', 'invited_at'])
    .where('principal_id', '=', principalId)
    .executeTakeFirstOrThrow()
}

export async function markInvited(tx: TenantTx, principalId: string, now: Date): Promise<void> {
  await tx
    .updateTable('organization_memberships')
    .set({ invited_at: now.toISOString() })
    .where('principal_id', '=', principalId)
    .execute()
}

/** What the route that invites again declares besides `LOCKING_ROLE`. */
export const REPLACING_MAIL = {
  codes: ['mails.view_org', 'mails.manage'],
  why: 'Stops an earlier invitation that was not sent yet, so that one mail arrives: people who manage members may not see mails.',
}

/** Stops earlier invitations to the address that wait to be sent. */
export async function stopWaitingInvitations(tx: TenantTx, email: string): Promise<void> {
  await asService(tx, REPLACING_MAIL.codes, (own) =>
    own
      .updateTable('mail_outbox')
      .set({ status: 'suppressed' })
      .where('organization_id', '=', CLINIC)
      .where('template', '=', 'member_invited')
      .where('status', '=', 'queued')
      .where(sql`lower(to_address)`, '=', email.toLowerCase())
      .execute(),
  )
}

/** When the member was invited again, the latest first; not the first invitation, which was written with the membership. */
export async function listInvitationsAgain(tx: TenantTx, since: string, email: string): Promise<string[]> {
  const { rows } = await asService(tx, REPLACING_MAIL.codes, (own) =>
    sql<{ created_at: string }>`
      select m.created_at from mail_outbox m
      where m.organization_id = (select current_app_org_id()) and m.template = 'member_invited'
        and lower(m.to_address) = lower(${email}) and m.created_at > ${since}::timestamptz + interval '1 millisecond' and m.created_at > now() - interval '1 day'
      order by m.created_at desc limit ${MAX_INVITATIONS_AGAIN_A_DAY}`.execute(own),
  )
  return rows.map(({ created_at }) => created_at)
}

/** Before other locks: an address that waits for its first sign-in, as `upsertHuman` locks it. */
export async function lockInvitation(tx: TenantTx, principalId: string): Promise<void> {
  await sql`select lock_invitation(${principalId})`.execute(tx)
}

/** Like `deleteMembership`; also deletes waiting mail of the invitation, and the address of somebody who never signed in. */
export async function deleteMembershipOrInvitation(tx: TenantTx, principalId: string): Promise<void> {
  const deleted = await tx
    .deleteFrom('organization_memberships')
    .where('principal_id', '=', principalId)
    .returning('invited_email')
    .executeTakeFirst()
  await sql`select delete_invitation_data(${principalId}, ${deleted?.invited_email ?? null})`.execute(tx)
}

export async function findOrganizationName(tx: TenantTx): Promise<string> {
  const { name } = await tx.selectFrom('organizations').select('name').executeTakeFirstOrThrow()
  return name
}

/** What a route that assigns a role declares. */
export const LOCKING_ROLE = {
  codes: ['organizations.manage_roles'],
  why: 'Locks the role, which needs the right to update it.',
}

/** The role of this organization, locked: until the transaction ends it gains no codes (see role_permissions_lock_role). */
export async function findRoleForShare(tx: TenantTx, roleId: string) {
  return asService(tx, LOCKING_ROLE.codes, (own) =>
    own
      .selectFrom('roles')
      .select(['id', 'code', 'name'])
      .where('organization_id', '=', CLINIC)
      .where('id', '=', roleId)
      .forShare()
      .executeTakeFirst(),
  )
}

/** What the role grants and the caller does not hold. */
export async function listCodesBeyondCaller(tx: TenantTx, roleId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('role_permissions')
    .select('permission_code')
    .where('role_id', '=', roleId)
    .where(sql<boolean>`not current_app_holds(permission_code)`)
    .orderBy('permission_code')
    .execute()
  return rows.map(({ permission_code }) => permission_code)
}
