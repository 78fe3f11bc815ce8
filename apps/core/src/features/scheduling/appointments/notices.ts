import type { ToldVisit } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import { insertNotices, planNotice } from './notice-queries.ts'
import { isKnown, isWalkIn, noticeTimes } from './notice-rules.ts'

// Jobs of features/scheduling/bookings, which has the mails.

export const NOTICE_JOB = 'bookings.send_notice'
export const SERIES_NOTICE_JOB = 'bookings.send_series_notice'

const shown = ({
  status,
  starts_at,
  ends_at,
  time_zone,
  service_id,
  specialist_id,
  location_id,
  mode,
}: ToldVisit): ToldVisit => ({ status, starts_at, ends_at, time_zone, service_id, specialist_id, location_id, mode })

interface Told {
  id: string
  /** Null for a new visit. */
  before: ToldVisit | null
  after: Pick<ToldVisit, 'starts_at'>
}

/** Staff changed a visit: its patient gets a mail a minute later, if something is different by then from what they know. */
export async function noticeLater(tx: ServiceTx, { id, before, after }: Told, now: Date): Promise<void> {
  const told = before && shown(before)
  await planNotice(tx, id, { told, startsAt: after.starts_at, job: NOTICE_JOB, ...noticeTimes(now) })
}

/** The same for a change that may be no news to the patient. */
export async function noticeChange(
  tx: ServiceTx,
  before: ToldVisit & { id: string; confirmed_at: string | null },
  after: ToldVisit,
  now: Date,
): Promise<void> {
  if (!isKnown(before, after) && !isWalkIn(before)) await noticeLater(tx, { id: before.id, before, after }, now)
}

/** One mail names all new visits of a series. */
export async function noticeSeries(
  tx: ServiceTx,
  seriesId: string,
  visits: readonly { id: string; starts_at: string | null }[],
  now: Date,
): Promise<void> {
  const { later, soon } = noticeTimes(now)
  await insertNotices(
    tx,
    visits.map(({ id }) => id),
  )
  const isSoon = visits.some(({ starts_at }) => starts_at !== null && Date.parse(starts_at) < soon.getTime())
  await addJob(tx, SERIES_NOTICE_JOB, { series_id: seriesId }, { key: seriesId, ...(isSoon ? {} : { runAt: later }) })
}
