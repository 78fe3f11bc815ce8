import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'patient_profile_id',
  'purpose_code',
  'purpose_version',
  'source',
  'source_form_id',
  'granted_at',
  'granted_by_principal_id',
  'granted_via_ip',
  'withdrawn_at',
  'withdrawn_by_principal_id',
  'withdrawal_reason',
  'created_at',
] as const

export interface PurposeInForce {
  code: string
  scope: 'platform' | 'org'
  withdrawable: boolean
  /** null: no text is published, so there is nothing to agree to. */
  version: number | null
}

export interface NewConsent {
  purpose_code: string
  purpose_version: number
  source: string
  source_form_id?: string | null
}

/** Requests about the same profile take turns from here on, so that history alternates and no index is ever hit. */
export async function lockProfiles(tx: TenantTx, profileIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('consents ' || id, 0))
    from (select distinct id from unnest(${profileIds}::uuid[]) id order by id) profiles`.execute(tx)
}

/** The purposes with the version in force at the clinic (null: on the platform), whatever clinic is in context. */
export async function listPurposesInForce(tx: TenantTx, organizationId: string | null): Promise<PurposeInForce[]> {
  const { rows } = await sql<PurposeInForce>`
    select p.code, p.scope, p.withdrawable, v.version
    from consent_purposes p left join lateral current_purpose_version(p.code, ${organizationId}) v on true`.execute(tx)
  return rows
}

/** Whether the clinic has a privacy notice of its own. */
export async function hasPublishedNotice(tx: TenantTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ published: boolean }>`
    select v.organization_id is not null as published
    from current_purpose_version('org_privacy_notice', ${organizationId}) v`.execute(tx)
  return rows[0]?.published ?? false
}

export function listActiveConsents(
  tx: TenantTx,
  profileId: string,
  organizationId: string | null,
  purposeCodes: readonly string[],
): Promise<Consent[]> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('patient_profile_id', '=', profileId)
    .where(sql<boolean>`organization_id is not distinct from ${organizationId}::uuid`)
    .where(sql<boolean>`purpose_code = any(${purposeCodes})`)
    .where('withdrawn_at', 'is', null)
    .execute() as Promise<Consent[]>
}

/** Ends rows whose text is no longer the one in force, in favour of new ones. */
export async function supersedeConsents(tx: TenantTx, ids: readonly string[], principalId: string): Promise<void> {
  await sql`update consents set withdrawn_at = clock_timestamp(), withdrawn_by_principal_id = ${principalId}, ended_as = 'superseded'
    where id = any(${ids}) and withdrawn_at is null`.execute(tx)
}

export function insertConsents(
  tx: TenantTx,
  of: { profileId: string; organizationId: string | null; grantedBy: string; ip: string | null },
  grants: readonly NewConsent[],
): Promise<Consent[]> {
  return tx
    .insertInto('consents')
    .values(
      grants.map((grant) => ({
        organization_id: of.organizationId,
        patient_profile_id: of.profileId,
        purpose_code: grant.purpose_code,
        purpose_version: grant.purpose_version,
        source: grant.source,
        source_form_id: grant.source_form_id ?? null,
        granted_by_principal_id: of.grantedBy,
        granted_via_ip: of.ip,
      })),
    )
    .returning(COLUMNS)
    .execute() as Promise<Consent[]>
}
