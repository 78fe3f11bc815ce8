import type { Usage } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Use = Usage['uses'][number]

/** Lists what uses a row, for `GET …/{id}/usage`. Clients call it before they delete the row. */
export async function findUsage(
  tx: TenantTx | PlatformTx,
  kind: 'custom_field' | 'form_template' | 'pdf_template' | 'exercise' | 'tag' | 'program',
  id: string,
): Promise<Usage> {
  const { rows } = await sql<Use>`
    select kind, consequence, uses as count, items from find_usage(${kind}, ${id})`.execute(tx)
  return {
    is_used: rows.length > 0,
    is_deletable: rows.every(({ consequence }) => consequence !== 'blocks'),
    uses: rows,
  }
}
