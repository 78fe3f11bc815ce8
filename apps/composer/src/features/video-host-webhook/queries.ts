import type { PublicTx } from '@tendon/db'
import { sql } from 'kysely'

export interface HostedRender {
  render_id: string
  render_organization_id: string
}

export async function findHostedRender(
  tx: PublicTx,
  provider: string,
  reference: string,
): Promise<HostedRender | undefined> {
  const { rows } = await sql<HostedRender>`select * from find_hosted_render(${provider}, ${reference})`.execute(tx)
  return rows[0]
}
