import type { Consent, ConsentState, PurposeTranslations } from '@tendon/contracts'
import { CLINIC, ofScope, type TenantTx } from '@tendon/db'
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

export interface Purpose {
  code: string
  scope: ConsentState['scope']
  legal_basis: ConsentState['legal_basis']
  withdrawable: boolean
  name: string
  description: string
  translations: PurposeTranslations
}

export interface VersionInForce extends Pick<Purpose, 'code' | 'scope'> {
  /** null: no text is published, so there is nothing to agree to. */
  version: number | null
}

export interface NewConsent {
  purpose_code: string
  purpose_version: number
  source: Consent['source']
  source_form_id?: string | null
}

/** Serializes requests about the same profile, so that the history alternates and no unique index is violated. */
export async function lockProfiles(tx: TenantTx, profileIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('consents ' || id, 0))
    from (select distinct id from unnest(${profileIds}::uuid[]) id order by id) profiles`.execute(tx)
}

export async function listPurposes(tx: TenantTx): Promise<Purpose[]> {
  return tx
    .selectFrom('consent_purposes')
    .select(['code', 'scope', 'legal_basis', 'withdrawable', 'name', 'description', 'translations'])
    .orderBy('code')
    .execute()
}

/** The current version of each purpose at the clinic (null: on the platform), independent of the clinic in context. */
export async function listVersionsInForce(tx: TenantTx, organizationId: string | null): Promise<VersionInForce[]> {
  const { rows } = await sql<VersionInForce>`
    select p.code, p.scope, v.version
    from consent_purposes p left join lateral purpose_version_in_force(p.code, ${organizationId}) v on true`.execute(tx)
  return rows
}

/** Consents of the calling patient, at every clinic and on the platform; newest first. */
export async function listMyConsents(tx: TenantTx): Promise<Consent[]> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where(sql<boolean>`patient_profile_id = any(current_app_profile_ids())`)
    .orderBy('granted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Consents of one profile at the clinic in context; newest first. */
export async function listConsentsOf(tx: TenantTx, profileId: string): Promise<Consent[]> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .orderBy('granted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function listActiveConsents(
  tx: TenantTx,
  profileId: string,
  organizationId: string | null,
): Promise<Consent[]> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('patient_profile_id', '=', profileId)
    .where(ofScope(organizationId))
    .where('withdrawn_at', 'is', null)
    .execute()
}

export async function findMyActiveConsent(tx: TenantTx, id: string): Promise<Consent | undefined> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('id', '=', id)
    .where(sql<boolean>`patient_profile_id = any(current_app_profile_ids())`)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
}

/** A consent of the calling patient, active or ended. */
export async function findMyConsent(tx: TenantTx, id: string): Promise<Consent | undefined> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('id', '=', id)
    .where(sql<boolean>`patient_profile_id = any(current_app_profile_ids())`)
    .executeTakeFirst()
}

/** A consent of one profile at the clinic in context. */
export async function findActiveConsentOf(tx: TenantTx, profileId: string, id: string): Promise<Consent | undefined> {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
}

/** The consent of one profile at the clinic in context, by its purpose. */
export async function findActiveConsentTo(tx: TenantTx, profileId: string, purpose: string) {
  return tx
    .selectFrom('consents')
    .select(COLUMNS)
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where('purpose_code', '=', purpose)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
}

export async function insertConsents(
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
    .execute()
}

/** Ends rows whose text has been superseded. The database records who did it. */
export async function updateSuperseded(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`update consents set withdrawn_at = clock_timestamp(), ended_as = 'superseded' where id = any(${ids})`.execute(
    tx,
  )
}

export async function updateWithdrawn(tx: TenantTx, id: string, reason: string | null): Promise<Consent> {
  return tx
    .updateTable('consents')
    .set({ withdrawn_at: sql`clock_timestamp()`, withdrawal_reason: reason, ended_as: 'withdrawn' })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
