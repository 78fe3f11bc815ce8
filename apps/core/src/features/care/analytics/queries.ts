import type { PlatformExerciseCounts } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export async function listPlatformCounts(tx: PlatformTx): Promise<PlatformExerciseCounts> {
  const { rows } = await sql<PlatformExerciseCounts[number]>`select * from platform_exercise_counts()`.execute(tx)
  return rows
}

export const refreshOutcomes = (tx: TenantTx) => sql`select refresh_exercise_outcomes()`.execute(tx)
