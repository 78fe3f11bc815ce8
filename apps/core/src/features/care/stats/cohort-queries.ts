import type { CohortAdherence } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { median, OUTCOMES, rounded, withRate } from './queries.ts'
import type { Counted } from './row-queries.ts'

/** Data of the last refresh of the materialized view. */
export async function listAdherence(
  tx: TenantTx,
  { program_id, period }: Counted,
): Promise<CohortAdherence['exercises']> {
  const { rows } = await sql<CohortAdherence['exercises'][number]>`
    select exercise_id, exercise_name, ${OUTCOMES}, count(*) filter (where measured) as measured,
      ${rounded(median('adherence'), 4)} as repetition_adherence, ${rounded(median('range_mean_degrees'))} as median_range_degrees
    from (select *, case when repetitions is not null and prescribed_repetitions is not null
        then least(1, repetitions::double precision / prescribed_repetitions) end as adherence
      from cohort_outcomes(${program_id}::uuid, ${period.from}::date, ${period.to}::date)) rows
    group by exercise_id, exercise_name order by assigned desc, exercise_name, exercise_id`.execute(tx)
  return rows.map(withRate)
}
