import type { RowOf, ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

type Addresses = RowOf<'patients', 'email'> & RowOf<'patient_profiles', 'invited_email'>

/** The addresses that the clinic typed. */
export async function listTypedAddresses(tx: ServiceTx, patientId: string): Promise<(string | null)[]> {
  const { rows } = await sql<Addresses>`
    select p.email::text, f.invited_email::text
    from patients p join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
    where p.organization_id = (select current_app_org_id()) and p.id = ${patientId}`.execute(tx)
  return rows.flatMap(({ email, invited_email }) => [email, invited_email])
}

/**
 * Deletes mails about the patient or their appointments, and mails to these addresses that are not about somebody else. Mails
 * to staff stay.
 */
export async function deleteMailsOf(
  tx: ServiceTx,
  { patient_id, patient_profile_id }: { patient_id: string; patient_profile_id: string },
  addresses: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mail_outbox where organization_id = (select current_app_org_id()) and template !~ '^(member|break_glass)_'
      and case when data ->> 'uid' in (select calendar_uid::text from appointments
            where organization_id = (select current_app_org_id()) and patient_profile_id = ${patient_profile_id}) then true
        when patient_profile_id is not null then patient_profile_id = ${patient_profile_id}
        when data ? 'patient_id' then data ->> 'patient_id' = ${patient_id}
        else to_address::citext = any (${addresses}::citext[]) end`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
