import { holds } from '@tendon/access'
import type { Appointment } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { listOnDaysOff } from '../availability/index.ts'

// Days off are rows of calendars and closures, which have a permission of their own.
const VIEW_CALENDARS = 'calendars.view_org'

/** Without the permission nothing is known about days off: an empty list would say that there are none. */
export function mustSeeCalendars({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW_CALENDARS)) throw forbidden({ required: VIEW_CALENDARS })
}

export async function idsOnDaysOff(
  request: FastifyRequest,
  tx: TenantTx,
  now: Date,
  states: readonly string[],
): Promise<string[]> {
  mustSeeCalendars(request)
  const found = await listOnDaysOff(tx, now)
  return found.filter(({ is_kept }) => states.includes(is_kept ? 'kept' : 'unsettled')).map(({ id }) => id)
}

/** Left out without the permission. */
export async function withDayOff(
  { caller }: FastifyRequest,
  tx: TenantTx,
  now: Date,
  id: string,
): Promise<Pick<Appointment, 'day_off'>> {
  if (!holds(caller, VIEW_CALENDARS)) return {}
  const [found] = await listOnDaysOff(tx, now, id)
  return { day_off: found ? { reason: found.reason, is_kept: found.is_kept } : null }
}
