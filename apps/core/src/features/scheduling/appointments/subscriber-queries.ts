import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

interface MarkedAppointment {
  id: string
  patient_id: string | null
  patient_profile_id: string | null
  specialist_id: string | null
  missing_consents: string[]
}

/** Updates `missing_consents` of future video appointments and returns those that changed. */
export async function markTelemedicine(tx: TenantTx, profileId: string): Promise<MarkedAppointment[]> {
  const { rows } = await sql<MarkedAppointment>`
    select id, patient_id, patient_profile_id, specialist_id, missing_consents from mark_telemedicine(${profileId})`.execute(
    tx,
  )
  return rows
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
    where s.organization_id = current_app_org_id() and s.id = any (${specialistIds}::uuid[]) and s.deleted_at is null
    union
    select contact_email, null, language_code from organizations
    where id = current_app_org_id() and contact_email is not null`.execute(tx)
  return rows
}
