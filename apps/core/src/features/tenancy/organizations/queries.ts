import type { List, NewOrganization, Organization, OrganizationChanges } from '@tendon/contracts'
import { type DB, type PlatformTx, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'name',
  'slug',
  'language_code',
  'time_zone',
  'legal_name',
  'contact_email',
  'phone',
  'website',
  'address',
  'plan',
  'created_at',
  'updated_at',
  'version',
] as const

const LIST = { search: ['name', 'slug'] }

export async function findOrganization(tx: TenantTx): Promise<Organization | undefined> {
  return tx.selectFrom('organizations').select(COLUMNS).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the update replaces. */
export async function findOrganizationForUpdate(tx: TenantTx): Promise<Organization | undefined> {
  return tx.selectFrom('organizations').select(COLUMNS).forNoKeyUpdate().executeTakeFirst()
}

export async function updateOrganization(tx: TenantTx, changes: OrganizationChanges): Promise<Organization> {
  return await tx.updateTable('organizations').set(changes).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function listMyOrganizations(tx: TenantTx, list: List) {
  const mine = tx.selectFrom(sql<DB['organizations']>`my_organizations()`.as('organizations')).select(COLUMNS)
  return readPage(mine, list, LIST)
}

export async function listAllOrganizations(tx: PlatformTx, list: List) {
  return readPage(tx.selectFrom('organizations').select(COLUMNS), list, LIST)
}

/** Creates the organization with its clones of the role templates: all or nothing. */
export async function insertOrganization(tx: PlatformTx, values: NewOrganization): Promise<Organization> {
  const created = await tx.insertInto('organizations').values(values).returning(COLUMNS).executeTakeFirstOrThrow()
  await sql`select clone_role_templates(${created.id})`.execute(tx)
  return created
}

export async function findPublicOrganization(tx: PublicTx, by: { slug?: string; domain?: string | undefined }) {
  const { rows } = await sql<{ id: string; name: string; slug: string; language_code: string }>`
    select * from resolve_organization(${by.slug ?? null}, ${by.domain ?? null})`.execute(tx)
  return rows[0]
}
