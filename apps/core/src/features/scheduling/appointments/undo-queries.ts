import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

/** Whether a certificate of attendance or a review says that the visit took place. */
export async function hasProofOfVisit(tx: ServiceTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_proven: boolean }>`
    select exists (select 1 from appointment_documents d where d.organization_id = (select current_app_org_id())
        and d.appointment_id = ${id} and d.kind = 'attendance_certificate')
      or exists (select 1 from appointment_reviews r where r.organization_id = (select current_app_org_id())
        and r.appointment_id = ${id}) as is_proven`.execute(tx)
  return rows[0]?.is_proven === true
}
