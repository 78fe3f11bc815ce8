import { publish } from '@tendon/access'
import { type ServiceTx, together } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import {
  cancelBySystem,
  clearTexts,
  deleteMailsAbout,
  deleteMailsTo,
  deleteRows,
  deleteTheir,
  freeTimes,
  giveMailsToPatient,
  listAppointmentsOf,
  listCalendarUids,
  listDeletable,
  ofBooker,
  ofBookings,
  ofPatient,
  unlinkMoves,
  type Whose,
} from './erasure-queries.ts'
import { type Erasable, isStillToCome, planDeletion } from './erasure-rules.ts'
import { eventPayload } from './record.ts'

export const ERASE_MAILS_JOB = 'appointments.erase_mails'
/** Longer than a batch of events takes. */
const ERASE_MAILS_AFTER_MS = 5 * 60_000

/**
 * What is still to come is cancelled and deleted; the rest stays as medical record without the booker and texts. Returns how
 * many rows were deleted or cleared.
 */
export async function eraseAppointments(tx: ServiceTx, profileId: string, now: Date): Promise<number> {
  const whose = ofPatient(profileId)
  const [appointments] = await together([listAppointmentsOf(tx, whose), giveMailsToPatient(tx, profileId)])
  const deleted = await deleteWhatIsToCome(tx, appointments, now)
  const [cleared] = await together([clearTexts(tx, whose), deleteTheir(tx, 'links', whose)])
  return deleted + cleared
}

/**
 * The same for bookings with this address that are linked to nobody. They belong to no medical record: their documents, files
 * and mails are deleted too.
 */
export async function eraseBookingsOf(tx: ServiceTx, email: string, now: Date): Promise<number> {
  const erased = await eraseUnlinked(tx, ofBooker(email), now)
  await deleteMailsTo(tx, email)
  return erased
}

/** The same for these bookings, also when they were moved meanwhile, as far as they are linked to nobody. */
export async function eraseBookings(tx: ServiceTx, ids: readonly string[], now: Date): Promise<number> {
  return eraseUnlinked(tx, ofBookings(await listCalendarUids(tx, ids)), now)
}

async function eraseUnlinked(tx: ServiceTx, whose: Whose, now: Date): Promise<number> {
  const bookings = await lockBookings(tx, whose)
  const calendarUids = [...new Set(bookings.map(({ calendar_uid }) => calendar_uid))]
  const deleted = await deleteWhatIsToCome(tx, bookings, now)
  const [, , , , cleared] = await together([
    deleteTheir(tx, 'links', whose),
    deleteTheir(tx, 'documents', whose),
    deleteTheir(tx, 'files', whose),
    deleteMailsAbout(tx, calendarUids),
    clearTexts(tx, whose), // Last: afterwards no booking has the address.
  ])
  // Once more later: a worker that handles an event of them at this moment read the address before.
  const runAt = new Date(now.getTime() + ERASE_MAILS_AFTER_MS)
  if (calendarUids.length > 0) await addJob(tx, ERASE_MAILS_JOB, { calendar_uids: calendarUids }, { runAt })
  return deleted + cleared
}

/** Lists them until none is new: a move that the lock waited for wrote another row. */
async function lockBookings(tx: ServiceTx, whose: Whose) {
  let known = ''
  for (;;) {
    const bookings = await listAppointmentsOf(tx, whose)
    const ids = bookings.map(({ id }) => id).join()
    if (ids === known) return bookings
    known = ids
  }
}

const deleteWhatIsToCome = (tx: ServiceTx, appointments: readonly Erasable[], now: Date): Promise<number> =>
  deleteAppointments(
    tx,
    appointments.filter((one) => isStillToCome(one, now)).map(({ id }) => id),
  )

/**
 * Cancels and deletes appointments: their time is free again, and subscribers learn it without a person. Returns how many
 * were deleted; the others stay, cancelled.
 */
async function deleteAppointments(tx: ServiceTx, ids: readonly string[]): Promise<number> {
  const { waiting, cancelled, deleted } = planDeletion(await listDeletable(tx, ids))
  const [waitingCount, , , , , deletedCount] = await together([
    deleteRows(tx, waiting), // First: no freed time is marked for an entry of the same person.
    cancelBySystem(tx, cancelled),
    freeTimes(tx, cancelled),
    together(
      cancelled.map((id) =>
        publish(tx, 'appointment.cancelled', eventPayload({ id, patient_id: null, patient_profile_id: null })),
      ),
    ),
    unlinkMoves(tx, deleted),
    deleteRows(tx, deleted),
  ])
  return waitingCount + deletedCount
}
