import { asService, type TenantTx, together } from '@tendon/db'
import { processingRestricted } from '@tendon/http'
import { patientNotFound } from '../../people/patients/index.ts'
import { findBookingPatient, lockPatient, missingConsents, updatePatient } from '../appointments/index.ts'
import { myBookingNotFound } from './errors.ts'
import { findUnlinkedForUpdate, listMyRecordIds, updateDismissed } from './my-queries.ts'
import { isUnanswered } from './rules.ts'

/** For "Is this your booking?", asked of patients of the clinic. */
export const AS_CLAIMANT = {
  codes: [],
  why: 'Patients see no bookings that are not linked to them; the service reaches those with their verified address.',
} as const

/** Links the booking to this record of the caller, else to their oldest. */
export async function linkMyBooking(tx: TenantTx, id: string, wanted: string | undefined): Promise<void> {
  const records = await listMyRecordIds(tx)
  const patientId = wanted === undefined ? records[0] : records.find((one) => one === wanted.toLowerCase())
  await asService(tx, AS_CLAIMANT.codes, async (own) => {
    // The patient first, as deletions and erasures do; then what may have changed meanwhile.
    const [, record, booking] = await together([
      patientId === undefined ? undefined : lockPatient(own, patientId),
      patientId === undefined ? undefined : findBookingPatient(own, patientId),
      findUnlinkedForUpdate(own, id),
    ])
    if (records.length === 0 || !booking || !isUnanswered(booking)) throw myBookingNotFound()
    if (!record) throw patientNotFound()
    if (record.restricted_at !== null) throw processingRestricted()
    await updatePatient(own, id, record, missingConsents(booking.mode, record.has_telemedicine))
  })
}

/** The caller is not asked again. */
export async function dismissMyBooking(tx: TenantTx, id: string): Promise<void> {
  const records = await listMyRecordIds(tx)
  await asService(tx, AS_CLAIMANT.codes, async (own) => {
    const booking = await findUnlinkedForUpdate(own, id)
    if (records.length === 0 || !booking || !isUnanswered(booking)) throw myBookingNotFound()
    await updateDismissed(own, id)
  })
}
