import type { Specialist, SpecialistInclude } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { recorder } from '../../../platform/recorder.ts'
import type { Scheduling } from '../../../platform/scheduling.ts'
import { specialistNotFound } from './errors.ts'
import { findSpecialist, listSpecialtyIds } from './queries.ts'

// What the routes about one specialist share.

/** `specialty_ids` is part of what the log compares; the caller adds it (`withSpecialtyIds`). */
export const record = recorder({
  target: ({ id, name }: Pick<Specialist, 'id' | 'name'>) => ({ type: 'specialist', id, label: name }),
  payload: ({ id }) => ({ specialist_id: id }),
  acts: {
    created: { action: 'specialists.create', crud: 'C', event: 'specialist.created' },
    updated: { action: 'specialists.update', crud: 'U', event: 'specialist.updated' },
    deleted: { action: 'specialists.delete', crud: 'D', event: 'specialist.deleted' },
    restored: { action: 'specialists.restore', crud: 'U', event: 'specialist.restored' },
  },
})

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

/** The specialist for the audit log: the row and its specialties, which are in another table. */
export async function withSpecialtyIds(tx: TenantTx, specialist: Specialist) {
  return { ...specialist, specialty_ids: await listSpecialtyIds(tx, specialist.id) }
}
