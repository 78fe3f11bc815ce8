import { type Database, NIL_UUID, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Withdrawal } from './withdrawn.ts'

/** Withdrawals of recent runs since then, of all organizations. Each run comes with all its withdrawals. */
export async function listWithdrawals(db: Pick<Database, 'tenant'>, since: Date): Promise<Withdrawal[]> {
  const context = { principalId: null, organizationId: NIL_UUID, permissions: '*' } as const
  return db.tenant(context, async (tx) => {
    const { rows } = await sql<Withdrawal>`select * from list_run_withdrawals(${since.toISOString()})`.execute(tx)
    return rows
  })
}

export async function findWithdrawals(tx: TenantTx, runId: string): Promise<Withdrawal[]> {
  const { rows } = await sql<Withdrawal>`select * from run_withdrawals(${runId})`.execute(tx)
  return rows
}
