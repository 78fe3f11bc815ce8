import { publish } from '@tendon/access'
import { type ServiceTx, together } from '@tendon/db'
import {
  cancelBySystem,
  clearTexts,
  deleteLinksOf,
  deleteRows,
  freeTimes,
  giveMailsToPatient,
  listAppointmentsOf,
  listDeletable,
  unlinkMoves,
} from './erasure-queries.ts'
import { isStillToCome, planDeletion } from './erasure-rules.ts'
import { eventPayload } from './record.ts'

/**
 * What is still to come is cancelled and deleted; the rest stays as medical record without the booker and texts. Returns how
 * many rows were deleted or cleared.
 */
export async function eraseAppointments(tx: ServiceTx, profileId: string, now: Date): Promise<number> {
  const [appointments] = await together([listAppointmentsOf(tx, profileId), giveMailsToPatient(tx, profileId)])
  const ids = appointments.filter((one) => isStillToCome(one, now)).map(({ id }) => id)
  const deleted = await deleteAppointments(tx, ids)
  const [cleared] = await together([clearTexts(tx, profileId), deleteLinksOf(tx, profileId)])
  return deleted + cleared
}

/**
 * Cancels and deletes appointments: their time is free again, and subscribers learn it without a person. Returns how many
 * were deleted; the others stay, cancelled.
 */
export async function deleteAppointments(tx: ServiceTx, ids: readonly string[]): Promise<number> {
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
