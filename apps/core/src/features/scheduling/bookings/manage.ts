import { publish } from '@tendon/access'
import type { AppointmentStatus, Booker } from '@tendon/contracts'
import { type ServiceTx, together } from '@tendon/db'
import { bookHold, cancelAppointment, findAppointment, moveAppointment } from '../appointments/index.ts'
import { bookingClosed, noticeUnpublished, tooManyBookings } from './errors.ts'
import {
  countBookings,
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

export interface NewBookingOf {
  holdId: string
  booker: Booker
  note: string | null
  maxPerDay: number
}

export async function createBooking(tx: ServiceTx, link: Link, { holdId, booker, note, maxPerDay }: NewBookingOf) {
  const [isPublished, , count] = await together([hasNotice(tx), lockBooker(tx, holdId), countBookings(tx, holdId)])
  if (!isPublished) throw noticeUnpublished()
  if (count >= maxPerDay) throw tooManyBookings()
  return bookHold(tx, { holdId, source: 'public', booker, note }, async (own, id) => {
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

/** Moves the booking of a link. False: the link has ended. */
export async function moveBooking(tx: ServiceTx, link: Link, holdId: string, now: Date): Promise<boolean> {
  const id = await findLinkedId(tx, link.hash)
  if (id === undefined) return false
  const move = { id, by: 'booker', holdId, now, refuse: closed } as const
  await moveAppointment(tx, move, async (own, toId) => {
    const after = await findAppointment(own, toId)
    if (!after) return
    const { patient_id, patient_profile_id } = after
    await together([
      publish(own, 'appointment.rescheduled', { from_id: id, to_id: toId, patient_id, patient_profile_id }),
      sendBookingMail(own, toId, link.url, id),
    ])
  })
  return true
}

/** Cancels the booking of a link. False: it has started or ended. */
export async function cancelBooking(tx: ServiceTx, link: Link): Promise<boolean> {
  const id = await findLinkedId(tx, link.hash)
  const cancelled = id === undefined ? undefined : await cancelAppointment(tx, id, 'booker', null)
  if (id === undefined || !cancelled) return false
  await together([
    publish(tx, 'appointment.cancelled', { appointment_id: id, ...cancelled }),
    sendBookingMail(tx, id, link.url),
  ])
  return true
}
