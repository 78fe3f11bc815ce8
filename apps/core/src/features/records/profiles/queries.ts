import { CLINIC, type TenantTx } from '@tendon/db'

export interface SpecialistName {
  id: string
  name: string
}

/** Not deleted. */
export function findSpecialistName(tx: TenantTx, id: string): Promise<SpecialistName | undefined> {
  return tx
    .selectFrom('specialists')
    .select(['id', 'name'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
