import { createHash, randomBytes } from 'node:crypto'
import { Booking, BookingMove, BookingToken, CreatedBooking, NewBooking, NoContent, One } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { isChangeable } from '../appointments/index.ts'
import { holdConverted, holdExpired, holdNotFound } from '../holds/index.ts'
import { bookingClosed, bookingNotFound, bookingTooLate, noticeUnpublished, tooManyBookings } from './errors.ts'
import { bookHold, cancelBooking, findBooking, moveBooking } from './queries.ts'

const TOKEN_BYTES = 24

const hashOf = (token: string) => createHash('sha256').update(token).digest()
const config = { access: publicAccess(), limit: 'public_booking' } as const

// Booking without an account neither reads nor creates patient records, so no response reveals who is a patient.
export const bookingRoutes: Routes = (app, { config: settings, now }) => {
  const urlOf = (token: string) => `${settings.publicUrl}/portal/bookings/${token}`

  async function open(request: FastifyRequest, token: string): Promise<Booking> {
    const booking = await request.public((tx) => findBooking(tx, hashOf(token)))
    if (!booking) throw bookingNotFound()
    return booking
  }

  app.post(
    '/v1/public/bookings',
    {
      config: {
        ...config,
        operationId: 'createBooking',
        summary: 'Book a held time',
        description:
          'Returns a link that shows, moves or cancels the booking, and sends it by mail. One e-mail address gets at most five such mails a day.',
        refusals: [holdNotFound, holdExpired, holdConverted, noticeUnpublished, tooManyBookings],
      },
      schema: { body: NewBooking, response: { 201: One(CreatedBooking) } },
    },
    async (request, reply) => {
      const { hold_id, booker, patient_note = null, language = null } = request.body
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const booking = await request.public(async (tx) => {
        const { outcome } = await bookHold(tx, {
          holdId: hold_id,
          booker: { ...booker, phone: booker.phone ?? null, language },
          note: patient_note,
          tokenHash: hashOf(token),
          url: urlOf(token),
          maxPerDay: settings.MAX_BOOKINGS_PER_ADDRESS_AND_DAY,
        })
        if (outcome === 'too_many') throw tooManyBookings()
        if (outcome === 'notice_unpublished') throw noticeUnpublished()
        if (outcome === 'converted') throw holdConverted()
        if (outcome === 'expired') throw holdExpired()
        if (outcome === 'not_found') throw holdNotFound()
        return findBooking(tx, hashOf(token))
      })
      return reply.code(201).send({ data: { ...(booking as Booking), manage_url: urlOf(token) } })
    },
  )

  app.get(
    '/v1/public/bookings/:token',
    {
      config: {
        ...config,
        operationId: 'getBooking',
        summary: 'Get a booking by its link',
        refusals: [bookingNotFound],
      },
      schema: { params: BookingToken, response: { 200: One(Booking) } },
    },
    async (request) => ({ data: await open(request, request.params.token) }),
  )

  app.post(
    '/v1/public/bookings/:token/reschedule',
    {
      config: {
        ...config,
        operationId: 'rescheduleBooking',
        summary: 'Move a booking to a held time',
        refusals: [bookingNotFound, bookingTooLate, bookingClosed, holdNotFound, holdExpired, holdConverted],
      },
      schema: { params: BookingToken, body: BookingMove, response: { 200: One(Booking) } },
    },
    async (request) => {
      const { token } = request.params
      const { status, reschedule_until } = await open(request, token)
      if (!isChangeable(status)) throw bookingClosed({ status })
      if (now().getTime() > Date.parse(reschedule_until)) throw bookingTooLate()
      const outcome = await request.public((tx) => moveBooking(tx, hashOf(token), request.body.hold_id, urlOf(token)))
      if (outcome === 'not_movable') throw bookingClosed({ status: (await open(request, token)).status })
      if (outcome === 'converted') throw holdConverted()
      if (outcome !== 'moved') throw holdNotFound()
      return { data: await open(request, token) }
    },
  )

  app.delete(
    '/v1/public/bookings/:token',
    {
      config: {
        ...config,
        operationId: 'cancelBooking',
        summary: 'Cancel a booking by its link',
        refusals: [bookingNotFound, bookingTooLate, bookingClosed],
      },
      schema: { params: BookingToken, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { token } = request.params
      const { status, cancel_until } = await open(request, token)
      if (!isChangeable(status)) throw bookingClosed({ status })
      if (now().getTime() > Date.parse(cancel_until)) throw bookingTooLate()
      const isDone = await request.public((tx) => cancelBooking(tx, hashOf(token), urlOf(token)))
      if (!isDone) throw bookingClosed({ status: (await open(request, token)).status })
      return reply.code(204).send(null)
    },
  )
}
