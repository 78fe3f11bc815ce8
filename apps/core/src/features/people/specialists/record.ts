import type { Specialist, SpecialistInclude } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Scheduling } from '../../../platform/scheduling.ts'
import { specialistNotFound } from './errors.ts'
import { findSpecialist, listSpecialtyIds } from './queries.ts'

// What the routes about one specialist share.

export const targetOf = ({ id, name }: Specialist) => ({ type: 'specialist', id, label: name })

/** The specialist with what was asked for besides. */
export async function readSpecialist(
  tx: TenantTx,
  scheduling: Scheduling,
  id: string,
  include: readonly SpecialistInclude[],
): Promise<Specialist> {
  const specialist = await findSpecialist(tx, id, include)
  if (!specialist) throw specialistNotFound()
  return {
    ...specialist,
    ...(include.includes('weekly_hours') ? { weekly_hours: await scheduling.listWeeklyHours(tx, id) } : {}),
    ...(include.includes('overrides') ? { overrides: await scheduling.listOverrides(tx, id) } : {}),
  }
}

/** As the audit log tells it: with the specialties, of which the row knows nothing. */
export async function withSpecialtyIds(tx: TenantTx, specialist: Specialist) {
  return { ...specialist, specialty_ids: await listSpecialtyIds(tx, specialist.id) }
}
