import type { List } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface AccessRow {
  id: string
  organization_id: string | null
  organization_name: string | null
  occurred_at: string
  actor_principal_id: string | null
  actor_type: string
  on_behalf_of: string | null
  action: string
  crud: string
  key_id: string
  personal: Buffer
  wrapped_key: Buffer | null
}

type Place = Pick<AccessRow, 'id' | 'organization_id' | 'occurred_at'>

/** One page of what is about the caller's own profiles; `onlyAt` narrows it to one clinic. */
export async function listAccess(tx: TenantTx, list: List, onlyAt: string | null) {
  const mine = tx
    .selectFrom(sql<Place>`my_access_log(${onlyAt})`.as('audit_log'))
    .select('id')
    .$castTo<{ id: string }>()
  const { rows: page, total } = await readPage(mine, list, { newest: 'occurred_at' })
  const ids = page.map(({ id }) => id)
  const { rows } = await sql<AccessRow>`select * from my_access_log_entries(${ids})`.execute(tx)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { rows: ids.map((id) => byId.get(id)).filter((row) => row !== undefined), total }
}
