import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'
import { type Account, ownAddress } from './rules.ts'

/** The address by which mails and bookings are this patient's; null: none is certain. */
export async function findOwnAddress(tx: ServiceTx, patientId: string): Promise<string | null> {
  const { rows } = await sql<Account>`
    select h.email::text,
      exists (select 1 from patients o
        join patient_profiles g on g.organization_id = o.organization_id and g.id = o.patient_profile_id
        where o.organization_id = p.organization_id and g.human_id = f.human_id and o.id <> p.id
          and o.erased_at is null) as has_other_record
    from patients p join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
    left join humans h on h.id = f.human_id and h.email_verified
    where p.organization_id = (select current_app_org_id()) and p.id = ${patientId}`.execute(tx)
  return rows[0] ? ownAddress(rows[0]) : null
}
