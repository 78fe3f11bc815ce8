import type { List, PlatformMembership } from '@tendon/contracts'
import { type PlatformTx, readPage } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = {
  columns: { name: 'humans.name', email: 'humans.email', granted_at: 'platform_memberships.granted_at' },
  search: ['humans.name', 'humans.email'],
  id: 'platform_memberships.principal_id',
  newest: 'platform_memberships.granted_at',
}

const membershipsOf = (tx: PlatformTx) =>
  tx
    .selectFrom('platform_memberships')
    .innerJoin('humans', 'humans.id', 'platform_memberships.principal_id')
    .select([
      'platform_memberships.principal_id',
      'humans.name',
      'platform_memberships.granted_at',
      'platform_memberships.granted_by_principal_id',
    ])
    .select(sql<'superadmin'>`platform_memberships.role`.as('role'))
    .select(sql<string | null>`humans.email::text`.as('email'))
    .select(
      sql<PlatformMembership['granted_by']>`(select jsonb_build_object('principal_id', g.id, 'name', g.name)
        from humans g where g.id = platform_memberships.granted_by_principal_id)`.as('granted_by'),
    )

export async function listPlatformMemberships(tx: PlatformTx, list: List) {
  return readPage(membershipsOf(tx), list, COLUMNS)
}

export async function listAllPlatformMemberships(tx: PlatformTx): Promise<PlatformMembership[]> {
  return membershipsOf(tx).orderBy('platform_memberships.granted_at').execute()
}

export async function findPlatformMembership(tx: PlatformTx, principalId: string) {
  return membershipsOf(tx).where('platform_memberships.principal_id', '=', principalId).executeTakeFirst()
}

/** The human with this id or verified e-mail address. */
export async function findHumanId(tx: PlatformTx, by: { principal_id?: string; email?: string }) {
  const { rows } = await sql<{ id: string }>`
    select id from humans where id = ${by.principal_id ?? null}::uuid
      or (email = ${by.email ?? null}::citext and email_verified)`.execute(tx)
  return rows[0]?.id
}

/** The human with this verified e-mail address, or a new one that waits for the first sign-in with it. */
export async function findOrInviteHuman(tx: PlatformTx, email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select find_or_create_human(${email}) as id`.execute(tx)
  return (rows[0] as { id: string }).id
}

/** The superadmin with this e-mail, whether they have signed in or not. */
export async function findSuperadminByEmail(tx: PlatformTx, email: string) {
  return membershipsOf(tx)
    .where(sql<boolean>`humans.email = ${email}::citext and (humans.email_verified or humans.linked_at is null)`)
    .executeTakeFirst()
}

/** False when the human is a superadmin already. */
export async function insertPlatformMembership(
  tx: PlatformTx,
  principalId: string,
  grantedBy: string | null,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('platform_memberships')
    .values({ principal_id: principalId, granted_by_principal_id: grantedBy })
    .onConflict((conflict) => conflict.column('principal_id').doNothing())
    .returning('principal_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deletePlatformMembership(tx: PlatformTx, principalId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('platform_memberships')
    .where('principal_id', '=', principalId)
    .returning('principal_id')
    .executeTakeFirst()
  return deleted !== undefined
}
