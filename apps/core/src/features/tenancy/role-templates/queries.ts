import type { List, RoleTemplate, RoleTemplateChanges } from '@tendon/contracts'
import { existing, type PlatformTx, readPage } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'code',
  'name',
  'description',
  'is_system',
  'customized_at',
  'created_at',
  'updated_at',
  'version',
] as const

const templatesOf = (tx: PlatformTx) =>
  tx
    .selectFrom('roles')
    .select(COLUMNS)
    .select(sql<null>`null`.as('organization_id'))
    .select(
      sql<string[]>`array(select permission_code from role_permissions where role_id = roles.id
        order by permission_code collate "C")`.as('permissions'),
    )
    .where('organization_id', 'is', null)

export async function listRoleTemplates(tx: PlatformTx, list: List) {
  return readPage(templatesOf(tx), list, { search: ['name', 'code'] })
}

export async function findRoleTemplate(tx: PlatformTx, id: string): Promise<RoleTemplate | undefined> {
  return templatesOf(tx).where('id', '=', id).executeTakeFirst()
}

/** Two statements: grants read by the one that waits for the lock would be older than the lock. */
export async function findRoleTemplateForUpdate(tx: PlatformTx, id: string): Promise<RoleTemplate | undefined> {
  await tx
    .selectFrom('roles')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .forNoKeyUpdate()
    .execute()
  return findRoleTemplate(tx, id)
}

export async function updateRoleTemplate(tx: PlatformTx, id: string, changes: RoleTemplateChanges) {
  await tx.updateTable('roles').set(changes).where('id', '=', id).execute()
  return existing(await findRoleTemplate(tx, id))
}

/** What is added reaches every clone that no clinic has changed (trigger role_permissions_copy_to_clones). */
export async function updateTemplateGrants(
  tx: PlatformTx,
  id: string,
  { added, removed }: Record<'added' | 'removed', string[]>,
): Promise<RoleTemplate> {
  await sql`delete from role_permissions where role_id = ${id} and permission_code = any(${removed})`.execute(tx)
  await sql`insert into role_permissions (role_id, organization_id, permission_code)
    select ${id}, null, unnest(${added}::text[])`.execute(tx)
  await tx.updateTable('roles').set({ updated_at: sql<string>`now()` }).where('id', '=', id).execute()
  return existing(await findRoleTemplate(tx, id))
}
