import type { TenantTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import type { Auditor } from '../../../platform/recorder.ts'
import { endOf, lockPatientsOf } from '../appointments/index.ts'
import { clinicClock } from './clinic-clock.ts'
import { NEXT_JOB } from './job-names.ts'
import { type OfferOutcome, offerTime, type Surroundings } from './offering.ts'
import { findClinic, insertSkippedOffer, markExpiredOffers, type OfferedTime } from './queries.ts'
import { record } from './record.ts'
import { chooseNext, nextMailTime } from './rules.ts'
import {
  isOffered,
  listBusyProfiles,
  listRecipients,
  listWaiting,
  lockOfferedTime,
  type WaitingRow,
} from './waiting-queries.ts'

/** Asks the job to offer a freed time to the next entry; once per time. */
export async function addNextJob(tx: TenantTx, { specialist_id, starts_at }: OfferedTime, runAt?: Date): Promise<void> {
  const key = `${specialist_id} ${starts_at}`
  await addJob(tx, NEXT_JOB, { specialist_id, starts_at }, { key, ...(runAt && { runAt }) })
}

/**
 * Offers a freed time to the entry that has waited longest, if the clinic wants that. At night it waits for the morning: until
 * then anybody may book the time.
 */
export async function offerNext(
  by: Auditor,
  tx: TenantTx,
  time: OfferedTime,
  surroundings: Surroundings,
): Promise<void> {
  const { time_zone, isAutomatic } = await findClinic(tx)
  const { now } = surroundings
  if (!isAutomatic || Date.parse(time.starts_at) <= now.getTime()) return
  const mailAt = nextMailTime(now, clinicClock(time_zone, now))
  if (mailAt.getTime() > now.getTime()) return addNextJob(tx, time, mailAt)
  await lockOfferedTime(tx, time)
  const ids = (await listWaiting(tx, time)).map(({ id }) => id)
  await lockPatientsOf(tx, ids)
  await markExpiredOffers(tx)
  if (await isOffered(tx, time)) return
  // Read again: who had a patient locked may have booked or cancelled the entry.
  const stillWaiting = (await listWaiting(tx, time)).filter(({ id }) => ids.includes(id))
  let waiting = await withFacts(tx, time, stillWaiting)
  for (;;) {
    const { next, skipped } = chooseNext(waiting)
    for (const { entry, reason } of skipped) await insertSkippedOffer(tx, rowOf(entry, time, surroundings), reason)
    if (!next) return
    const result = await offerTime(tx, next, time, surroundings)
    if (result.outcome === 'offered') return record.made(by, tx, result.offer)
    if (!MAY_SUIT_ANOTHER.includes(result.outcome)) return
    const passed = new Set([next.id, ...skipped.map(({ entry }) => entry.id)])
    waiting = waiting.filter(({ id }) => !passed.has(id))
  }
}

/** An entry for another service may still fit: its notice, length or calendar differs. */
const MAY_SUIT_ANOTHER: readonly OfferOutcome['outcome'][] = [
  'inside_notice',
  'unknown_service',
  'not_free',
  'day_full',
  'skipped',
]

const endFor = ({ starts_at }: OfferedTime, { duration_minutes }: WaitingRow) =>
  endOf(new Date(starts_at), duration_minutes).toISOString()

const rowOf = (entry: WaitingRow, time: OfferedTime, { offeredBy }: Surroundings) => ({
  ...time,
  appointment_id: entry.id,
  patient_profile_id: entry.patient_profile_id,
  location_id: entry.location_id,
  calendar_id: null,
  ends_at: endFor(time, entry),
  offered_by: offeredBy,
})

/** The entries with what decides about an offer. */
async function withFacts(tx: TenantTx, time: OfferedTime, rows: WaitingRow[]) {
  const ids = rows.map(({ id }) => id)
  const recipients = new Map((await listRecipients(tx, ids)).map((one) => [one.appointment_id, one]))
  const entries = []
  for (const row of rows) {
    const recipient = recipients.get(row.id)
    const profiles = row.patient_profile_id === null || row.overlap_allowed ? [] : [row.patient_profile_id]
    const busy = await listBusyProfiles(tx, profiles, time.starts_at, endFor(time, row))
    entries.push({
      ...row,
      to_address: recipient?.to_address ?? null,
      is_restricted: recipient?.is_restricted ?? false,
      is_erased: recipient?.is_erased ?? false,
      is_busy: busy.length > 0,
    })
  }
  return entries
}
