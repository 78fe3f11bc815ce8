import type { ClinicFormats, MyChanges } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** The columns that the functions about a person's clinics return for a clinic. */
export interface MyOrganization {
  organization_id: string
  organization_name: string
  organization_slug: string
  language_code: string
  time_zone: string
  date_format: ClinicFormats['date'] | null
  clock_format: ClinicFormats['clock'] | null
  week_start: ClinicFormats['week'] | null
}

export interface MyMembership extends MyOrganization {
  role_id: string
  role_code: string
  role_name: string
  specialist_id: string | null
  created_at: string
}

export async function listMyMemberships(tx: TenantTx): Promise<MyMembership[]> {
  const { rows } = await sql<MyMembership>`select * from my_memberships()`.execute(tx)
  return rows
}

export interface MyRecord extends MyOrganization {
  patient_id: string
}

export async function listMyPatientRecords(tx: TenantTx): Promise<MyRecord[]> {
  const { rows } = await sql<MyRecord>`select * from my_patient_records()`.execute(tx)
  return rows
}

/** The organization in context, whether by membership or by a superadmin's address. */
export async function findCurrentOrganization(tx: TenantTx) {
  return tx
    .selectFrom('organizations')
    .leftJoin('organization_settings as s', 's.organization_id', 'organizations.id')
    .select(['organizations.id as organization_id', 'name as organization_name', 'slug as organization_slug'])
    .select(['language_code', 'time_zone', 's.date_format', 's.clock_format', 's.week_start'])
    .executeTakeFirst()
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
