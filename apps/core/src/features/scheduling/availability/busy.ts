import { asService, type TenantTx, together } from '@tendon/db'
import { type ConnectedCalendar, deleteBusyTimes, insertBusyTimes, lockConnectedCalendar } from './busy-queries.ts'
import { type BusyTime, takesTime } from './rules.ts'

/** Replaces what this calendar reported before; writes nothing when it is no longer connected. */
export async function replaceBusyTimes(
  tx: TenantTx,
  calendar: ConnectedCalendar,
  times: readonly BusyTime[],
): Promise<void> {
  await asService(tx, '*', async (own) => {
    if (!(await lockConnectedCalendar(own, calendar.id))) return
    await together([deleteBusyTimes(own, calendar.id), insertBusyTimes(own, calendar, times.filter(takesTime))])
  })
}
