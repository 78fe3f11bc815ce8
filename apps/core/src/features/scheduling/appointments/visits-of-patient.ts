import type { ServiceTx } from '@tendon/db'
import { type Auditor } from '../../../platform/recorder.ts'
import { freeTime, updateAppointmentStatus } from './queries.ts'
import { lockAppointment, record } from './record.ts'
import { listFutureVisits, listWaitlistEntryIds } from './visits-of-patient-queries.ts'

/** Cancels what a patient has before them, as staff would: their future visits and waitlist entries. */
export async function cancelVisitsOf(by: Auditor, tx: ServiceTx, patientId: string): Promise<void> {
  // Entries first, so that no freed time is marked for the same patient.
  const visits = await listFutureVisits(tx, patientId)
  const ids = [...(await listWaitlistEntryIds(tx, patientId)), ...visits.map(({ id }) => id)]
  for (const id of ids) {
    const before = await lockAppointment(tx, id)
    const after = await updateAppointmentStatus(tx, id, 'cancelled', null)
    await freeTime(tx, id)
    await record.cancelled(by, tx, before, after)
  }
}
