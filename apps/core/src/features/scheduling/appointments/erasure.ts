import { publish } from '@tendon/access'
import { type ServiceTx, together } from '@tendon/db'
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
  const calendarUids = await listCalendarUids(tx, ids)
  const erased = await eraseUnlinked(tx, ofBookings(calendarUids), now)
  await deleteMailsAbout(tx, calendarUids)
  return erased
}

async function eraseUnlinked(tx: ServiceTx, whose: Whose, now: Date): Promise<number> {
  await listAppointmentsOf(tx, whose) // Once before: a move that it waited for wrote another row.
  const deleted = await deleteWhatIsToCome(tx, await listAppointmentsOf(tx, whose), now)
  const [, , , cleared] = await together([
    deleteTheir(tx, 'links', whose),
    deleteTheir(tx, 'documents', whose),
    deleteTheir(tx, 'files', whose),
    clearTexts(tx, whose), // Last: afterwards no booking has the address.
  ])
  return deleted + cleared
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
