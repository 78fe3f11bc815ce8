import type { Me, MyChanges } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface MyMembership {
  organization_id: string
  organization_name: string
  organization_slug: string
  language_code: string
  time_zone: string
  role_id: string
  role_code: string
  role_name: string
  created_at: string
}

export async function listMyMemberships(tx: TenantTx): Promise<MyMembership[]> {
  const { rows } = await sql<MyMembership>`select * from my_memberships()`.execute(tx)
  return rows
}

export async function listMyPatientRecords(tx: TenantTx): Promise<Me['patient_records']> {
  const { rows } = await sql<Me['patient_records'][number]>`
    select organization_id, patient_id, jsonb_build_object('id', organization_id, 'name', organization_name,
      'slug', organization_slug, 'language_code', language_code, 'time_zone', time_zone) as organization
    from my_patient_records()`.execute(tx)
  return rows
}

/** The organization in context, whether by membership or by a superadmin's address. */
export async function findCurrentOrganization(tx: TenantTx) {
  return tx.selectFrom('organizations').select(['id', 'name', 'slug', 'language_code', 'time_zone']).executeTakeFirst()
}

/** Before all other locks of the transaction. False when the account was erased meanwhile. */
export async function lockMyAccount(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select lock_my_account() as there`.execute(tx)
  return rows[0]?.there ?? false
}

export async function findHumanForUpdate(tx: TenantTx, id: string) {
  return tx
    .selectFrom('humans')
    .select(['name', 'preferred_language'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateHuman(tx: TenantTx, id: string, changes: MyChanges) {
  return tx
    .updateTable('humans')
    .set(changes)
    .where('id', '=', id)
    .returning(['name', 'preferred_language'])
    .executeTakeFirstOrThrow()
}

/** False when the caller does not belong to it. */
export async function updateCurrentOrganization(tx: TenantTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ switched: boolean }>`select switch_organization(${organizationId}) as switched`.execute(
    tx,
  )
  return rows[0]?.switched ?? false
}

/** The address to which the organization in context invited somebody. */
export async function findInvitedEmail(tx: TenantTx, principalId: string): Promise<string | null> {
  const invitation = await tx
    .selectFrom('organization_memberships')
    .select('invited_email')
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
  return invitation?.invited_email ?? null
}

/** False when the caller is no member there. */
export async function deleteMyMembership(tx: TenantTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`select leave_membership(${organizationId}) as left`.execute(tx)
  return rows[0]?.left ?? false
}
