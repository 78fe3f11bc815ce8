import { CLINIC, type RowOf, type ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

/** What the patient was last told, once. Waits for a change of the visit that is being written. */
export function takeNotice(tx: ServiceTx, id: string): Promise<RowOf<'appointment_notices', 'told'> | undefined> {
  return tx
    .deleteFrom('appointment_notices')
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', id)
    .returning('told')
    .executeTakeFirst()
}

/** The visits of a series that the patient does not know of yet, once; locked in the order of their ids, as writers lock them. */
export async function takeSeriesNotices(tx: ServiceTx, seriesId: string): Promise<string[]> {
  const { rows } = await sql<{ appointment_id: string }>`
    with taken as (
      select n.appointment_id from appointment_notices n
      join appointments a on a.organization_id = n.organization_id and a.id = n.appointment_id
      where n.organization_id = (select current_app_org_id()) and a.series_id = ${seriesId} and n.told is null
      order by n.appointment_id for update of n)
    delete from appointment_notices where organization_id = (select current_app_org_id())
      and appointment_id in (select appointment_id from taken)
    returning appointment_id`.execute(tx)
  return rows.map(({ appointment_id }) => appointment_id)
}
