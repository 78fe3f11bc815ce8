import {
  type List,
  type NewRole,
  type Picker,
  PLATFORM_PERMISSIONS,
  type Role,
  type RoleChanges,
} from '@tendon/contracts'
import { existing, type PlatformTx, readChoices, readPage, type TenantTx } from '@tendon/db'
import { type NotNull, sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'code',
  'name',
  'description',
  'is_system',
  'customized_at',
  'created_at',
  'updated_at',
  'version',
] as const

const rolesOf = (tx: TenantTx) =>
  tx
    .selectFrom('roles')
    .select(COLUMNS)
    .select(
      sql<string[]>`array(select permission_code from role_permissions where role_id = roles.id
        order by permission_code collate "C")`.as('permissions'),
    )
    .select(sql<number>`role_member_count(roles.id)`.as('member_count'))
    .where('organization_id', 'is not', null)
    .$narrowType<{ organization_id: NotNull }>()

export async function listRoles(tx: TenantTx, list: List) {
  return readPage(rolesOf(tx), list, { search: ['name', 'code'] })
}

export async function listRoleChoices(tx: TenantTx, picker: Picker) {
  const choices = tx.selectFrom('roles').select(['id', 'code', 'name', 'is_system'])
  return readChoices(choices, picker, { search: ['name', 'code'] })
}

export async function findRole(tx: TenantTx, id: string): Promise<Role | undefined> {
  return await rolesOf(tx).where('id', '=', id).executeTakeFirst()
}

/** Two statements: grants read by the one that waits for the lock would be older than the lock. */
export async function findRoleForUpdate(tx: TenantTx, id: string): Promise<Role | undefined> {
  await tx.selectFrom('roles').select('id').where('id', '=', id).forUpdate().execute()
  return findRole(tx, id)
}

/** The clinic chose its grants, so it is customized from the start. */
export async function insertRole(tx: TenantTx, { permissions = [], ...values }: NewRole & { code: string }) {
  const { id } = await tx
    .insertInto('roles')
    .values({ ...values, customized_at: sql<string>`now()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertGrants(tx, id, permissions)
  return existing(await findRole(tx, id))
}

export async function updateRole(tx: TenantTx, id: string, changes: RoleChanges): Promise<Role> {
  await tx.updateTable('roles').set(changes).where('id', '=', id).execute()
  return existing(await findRole(tx, id))
}

export async function updateGrants(
  tx: TenantTx,
  id: string,
  { added, removed }: Record<'added' | 'removed', string[]>,
) {
  await sql`delete from role_permissions where role_id = ${id} and permission_code = any(${removed})`.execute(tx)
  await insertGrants(tx, id, added)
  await tx
    .updateTable('roles')
    .set({ customized_at: sql<string>`coalesce(customized_at, now())` })
    .where('id', '=', id)
    .execute()
  return existing(await findRole(tx, id))
}

async function insertGrants(tx: TenantTx, id: string, codes: string[]) {
  await sql`insert into role_permissions (role_id, permission_code) select ${id}, unnest(${codes}::text[])`.execute(tx)
}

export async function deleteRole(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('roles').where('id', '=', id).execute()
}

/** The codes that no role can grant: unknown ones and those of the platform. */
export async function listUnknownCodes(tx: TenantTx | PlatformTx, codes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select given.code from unnest(${codes}::text[]) with ordinality as given (code, position)
    where given.code = any(${PLATFORM_PERMISSIONS}) or not exists (select 1 from permissions p where p.code = given.code)
    order by given.position`.execute(tx)
  return rows.map(({ code }) => code)
}

/** The permissions that a clinic's roles can grant, by code. With a role: whether it has each. */
export async function listPermissions(tx: TenantTx, list: List, roleId?: string) {
  const sort = list.sort.length > 0 ? list.sort : [{ field: 'code', descending: false }]
  const catalogue = tx
    .selectFrom('permissions')
    .where('code', 'not in', PLATFORM_PERMISSIONS)
    .select(['code', 'resource', 'action', 'description'])
    .select(sql<boolean>`current_app_holds(permissions.code)`.as('held'))
    .$if(roleId !== undefined, (query) =>
      query.select(
        sql<boolean>`exists (select 1 from role_permissions g
          where g.role_id = ${roleId ?? null} and g.permission_code = permissions.code)`.as('granted'),
      ),
    )
  return readPage(catalogue, { ...list, sort }, { search: ['code', 'description'], id: 'code' })
}
