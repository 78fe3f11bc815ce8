import { publish } from '@tendon/access'
import type { AppointmentStatus, Booker } from '@tendon/contracts'
import { type ServiceTx, together } from '@tendon/db'
import { bookHold, cancelAppointment, isChangeable, lockForMove, moveAppointment } from '../appointments/index.ts'
import { bookingClosed, bookingNotFound, bookingTooLate, noticeUnpublished, tooManyBookings } from './errors.ts'
import {
  countBookings,
  type FoundBooking,
  findBooking,
  findLinkedId,
  hasNotice,
  insertLink,
  lockBooker,
  sendBookingMail,
} from './queries.ts'

// Booking without an account neither reads nor creates patient records. The mail is written here and not by a subscriber,
// because only the request knows the link.

/** The link of a booking: what is stored of it, and what the mail contains. */
export interface Link {
  hash: Buffer
  url: string
}

interface NewBookingOf {
  holdId: string
  booker: Booker
  note: string | null
  maxPerDay: number
}

export function createBooking(tx: ServiceTx, link: Link, { holdId, booker, note, maxPerDay }: NewBookingOf) {
  async function check(own: ServiceTx) {
    const [isPublished, , count] = await together([hasNotice(own), lockBooker(own, holdId), countBookings(own, holdId)])
    if (!isPublished) throw noticeUnpublished()
    if (count >= maxPerDay) throw tooManyBookings()
  }
  return bookHold(tx, { holdId, source: 'public', booker, note, check }, async (own, id) => {
    const [, , booking] = await together([
      insertLink(own, link.hash, id),
      publish(own, 'appointment.created', { appointment_id: id, patient_id: null, patient_profile_id: null }),
      findBooking(own, link.hash),
      sendBookingMail(own, id, link.url),
    ])
    return booking
  })
}

const closed = (status: AppointmentStatus | undefined) => bookingClosed({ status: status ?? 'gone' })

/** The booking that the link shows once nobody else moves it. Its patient and specialists stay locked, as in every move. */
async function lockBooking(tx: ServiceTx, link: Link, holdId: string | null): Promise<FoundBooking> {
  for (;;) {
    const id = await findLinkedId(tx, link.hash)
    if (id === undefined) throw bookingNotFound()
    const [, booking] = await together([lockForMove(tx, id, holdId), findBooking(tx, link.hash)])
    if (!booking) throw bookingNotFound()
    if (booking.appointment_id === id) return booking
  }
}

function mustBeOpen({ status }: FoundBooking, until: string, now: Date): void {
  if (!isChangeable(status)) throw closed(status)
  if (now.getTime() > Date.parse(until)) throw bookingTooLate()
}

/** Moves the appointment that the link shows. Undefined: the link has ended. */
export async function moveBooking(tx: ServiceTx, link: Link, holdId: string, now: Date) {
  const booking = await lockBooking(tx, link, holdId)
  mustBeOpen(booking, booking.reschedule_until, now)
  const { appointment_id: id } = booking
  const move = { id, by: 'booker', holdId, now, refuse: closed } as const
  const { row } = await moveAppointment(tx, move, async (own, toId, { patient_id, patient_profile_id }) => {
    const [, moved] = await together([
      publish(own, 'appointment.rescheduled', { from_id: id, to_id: toId, patient_id, patient_profile_id }),
      findBooking(own, link.hash),
      sendBookingMail(own, toId, link.url, id),
    ])
    return moved
  })
  return row
}

/** Cancels the booking of a link. False: it has started or ended. */
export async function cancelBooking(tx: ServiceTx, link: Link, now: Date): Promise<boolean> {
  const booking = await lockBooking(tx, link, null)
  mustBeOpen(booking, booking.cancel_until, now)
  const { appointment_id: id } = booking
  const cancelled = await cancelAppointment(tx, id, 'booker', null)
  if (!cancelled) return false
  await together([
    publish(tx, 'appointment.cancelled', { appointment_id: id, ...cancelled }),
    sendBookingMail(tx, id, link.url),
  ])
  return true
}
