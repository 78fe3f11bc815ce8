import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface SpecialistName {
  id: string
  name: string
}

/** Not deleted. */
export function findSpecialistName(tx: TenantTx, id: string): Promise<SpecialistName | undefined> {
  return tx
    .selectFrom('specialists')
    .select(['id', 'name'])
    .where(sql<boolean>`organization_id = current_app_org_id()`)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
