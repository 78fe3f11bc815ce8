import type { Appointment, CancelledSeries } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import type { Auditor } from '../../../platform/recorder.ts'
import { seriesNotFound } from './errors.ts'
import { noticeChange } from './notices.ts'
import { freeTime } from './queries.ts'
import { lockAppointment, record } from './record.ts'
import { leftReason } from './rules.ts'
import { hasSeries, listIdsFrom, lockSeries } from './series-queries.ts'
import { updateAppointmentStatus } from './status-queries.ts'

interface Cancellation {
  seriesId: string
  from: string
  reason: string | null
}

/** Cancels the visits of a series from a time on, all of them or none. Those that have begun or are over are left. */
export async function cancelSeries(
  by: Auditor,
  tx: ServiceTx,
  { seriesId, from, reason }: Cancellation,
  now: Date,
): Promise<CancelledSeries> {
  if (!(await hasSeries(tx, seriesId))) throw seriesNotFound()
  await lockSeries(tx, seriesId)
  const cancelled: Appointment[] = []
  const left: CancelledSeries['left'] = []
  for (const id of await listIdsFrom(tx, seriesId, from)) {
    const before = await lockAppointment(tx, id)
    const { starts_at, status } = before
    if (status === 'cancelled' || status === 'entered_in_error') continue
    const why = leftReason(before, now)
    if (why) {
      left.push({ id, starts_at, status, reason: why })
      continue
    }
    const after = await updateAppointmentStatus(tx, id, 'cancelled', reason)
    await freeTime(tx, id)
    await noticeChange(tx, before, after, now)
    await record.cancelled(by, tx, before, after)
    cancelled.push(after)
  }
  return { cancelled, left }
}
