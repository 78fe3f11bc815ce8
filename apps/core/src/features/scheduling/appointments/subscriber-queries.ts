import type { AppointmentStatus } from '@tendon/contracts'
import { CLINIC, type RowOf, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const OPEN: AppointmentStatus[] = ['waitlist', 'pending', 'confirmed']

/** Nobody else writes the patient's appointments that have not begun, until the transaction ends. */
export async function lockOpenAppointments(tx: TenantTx, profileId: string): Promise<void> {
  await tx
    .selectFrom('appointments')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where('status', 'in', OPEN)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Updates the patient's future video appointments, and returns those that changed. */
export function updateMissingConsents(tx: TenantTx, profileId: string, missing: string[]) {
  return tx
    .updateTable('appointments')
    .set({ missing_consents: missing })
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where('mode', '=', 'video')
    .where('status', 'in', OPEN)
    .where(sql<boolean>`(starts_at is null or starts_at > now())`)
    .where(sql<boolean>`missing_consents <> ${missing}::text[]`)
    .returning(['id', 'patient_id', 'patient_profile_id', 'specialist_id', 'missing_consents'])
    .execute()
}

interface Recipient extends RowOf<'humans', 'preferred_language'>, RowOf<'organizations', 'language_code'> {
  to_address: string
}

/** The e-mail addresses of the appointments' specialists and of the clinic. */
export async function listConsentMailRecipients(tx: TenantTx, specialistIds: string[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select h.email::text as to_address, h.preferred_language, o.language_code
    from specialists s join organizations o on o.id = s.organization_id
    join humans h on h.id = s.human_id and h.email_verified
    where s.organization_id = (select current_app_org_id()) and s.id = any (${specialistIds}::uuid[]) and s.deleted_at is null
    union
    select contact_email, null, language_code from organizations
    where id = (select current_app_org_id()) and contact_email is not null`.execute(tx)
  return rows
}
