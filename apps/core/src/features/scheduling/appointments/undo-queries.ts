import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

/** Whether the service of a visit, or its specialist or place, was deleted since. */
export async function isOfDeleted(tx: ServiceTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_deleted: boolean }>`
    select exists (select 1 from services s where s.organization_id = a.organization_id and s.id = a.service_id
        and s.deleted_at is not null)
      or exists (select 1 from specialists s where s.organization_id = a.organization_id and s.id = a.specialist_id
        and s.deleted_at is not null)
      or exists (select 1 from locations l where l.organization_id = a.organization_id and l.id = a.location_id
        and l.deleted_at is not null) as is_deleted
    from appointments a where a.organization_id = (select current_app_org_id()) and a.id = ${id}`.execute(tx)
  return rows[0]?.is_deleted === true
}

/** Whether a certificate of attendance or a review says that the visit took place. */
export async function hasProofOfVisit(tx: ServiceTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_proven: boolean }>`
    select exists (select 1 from appointment_documents d where d.organization_id = (select current_app_org_id())
        and d.appointment_id = ${id} and d.kind = 'attendance_certificate')
      or exists (select 1 from appointment_reviews r where r.organization_id = (select current_app_org_id())
        and r.appointment_id = ${id}) as is_proven`.execute(tx)
  return rows[0]?.is_proven === true
}
