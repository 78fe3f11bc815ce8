import type { Booker } from '@tendon/contracts'
import { newId, type ServiceTx, together } from '@tendon/db'
import { convertClaim, endHold, findHeldForUpdate, holdConverted, holdExpired, holdNotFound } from '../holds/index.ts'
import { insertBooked } from './booking-queries.ts'
import { lockDayOfHold } from './day-limit.ts'
import { patientBusy, unknownPatient } from './errors.ts'
import { findBookingPatient, lockPatient } from './patient-queries.ts'
import { missingConsents, statusWhenBooked } from './rules.ts'

interface HoldBooking {
  holdId: string
  source: 'staff' | 'patient' | 'public'
  patientId?: string | undefined
  booker?: Booker
  note: string | null
  /** Refuses what nobody may book, before anything else does. */
  check?: (tx: ServiceTx) => Promise<void>
}

/** Turns a hold into an appointment. `read` is sent together with the writes. */
export async function bookHold<Row>(
  tx: ServiceTx,
  { holdId, source, patientId, booker, note, check }: HoldBooking,
  read: (tx: ServiceTx, id: string) => Promise<Row>,
): Promise<Row> {
  const [, , held, patient] = await together([
    check?.(tx),
    patientId === undefined ? undefined : lockPatient(tx, patientId),
    findHeldForUpdate(tx, holdId),
    patientId === undefined ? null : findBookingPatient(tx, patientId),
  ])
  if (!held || held.moves_calendar_uid !== null) throw holdNotFound()
  if (held.status === 'converted') throw holdConverted()
  if (patient === undefined) throw unknownPatient()
  const id = newId()
  const status = statusWhenBooked(source, held.requires_confirmation)
  const missing = missingConsents(held.mode, patient?.has_telemedicine ?? false)
  const inserted = together([
    lockDayOfHold(tx, held),
    insertBooked(tx, { id, held, source, status, patient, missingConsents: missing, booker: booker ?? null, note }),
  ])
  const rest = together([convertClaim(tx, holdId, id), endHold(tx, holdId, 'converted'), read(tx, id)])
  rest.catch(() => {}) // Fails also when the insert did.
  const [, isInserted] = await inserted
  if (!isInserted) throw patientBusy()
  const [isClaimed, , row] = await rest
  if (!isClaimed) throw holdExpired()
  return row
}
