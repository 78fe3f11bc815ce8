import type { ServiceTx } from '@tendon/db'
import { type Auditor } from '../../../platform/recorder.ts'
import { noticeChange } from './notices.ts'
import { freeTime } from './queries.ts'
import { lockAppointment, record } from './record.ts'
import { canBecome } from './rules.ts'
import { updateAppointmentStatus } from './status-queries.ts'
import { listFutureVisits, listWaitlistEntryIds } from './visits-of-patient-queries.ts'

/** Cancels what a patient has before them, as staff would: their waitlist entries and future visits. */
export async function cancelVisitsOf(by: Auditor, tx: ServiceTx, patientId: string): Promise<void> {
  // Entries first, so that no freed time is marked for the same patient.
  for (const id of await listWaitlistEntryIds(tx, patientId)) await cancelVisit(by, tx, id)
  // A visit that somebody moves now becomes another one, which the next reading finds.
  for (;;) {
    const visits = await listFutureVisits(tx, patientId)
    if (visits.length === 0) return
    for (const { id } of visits) await cancelVisit(by, tx, id)
  }
}

async function cancelVisit(by: Auditor, tx: ServiceTx, id: string): Promise<void> {
  const before = await lockAppointment(tx, id)
  const now = new Date()
  if (!canBecome(before, 'cancelled', now)) return
  const after = await updateAppointmentStatus(tx, id, 'cancelled', null)
  await freeTime(tx, id)
  await noticeChange(tx, before, after, now)
  await record.cancelled(by, tx, before, after)
}
