import type { StatsQuery } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import { findPeriod } from './queries.ts'
import type { Counted } from './row-queries.ts'
import { problemsOfPeriod } from './rules.ts'

/** Which runs a query asks for; 422 when its days are not a period. */
export async function readCounted(tx: TenantTx, query: StatsQuery, now: Date): Promise<Counted> {
  const period = await findPeriod(tx, query, now)
  if (!period) throw new Error('numbers are read in an organization')
  const fields = problemsOfPeriod(period)
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
  return { program_id: query.program_id ?? null, period }
}
