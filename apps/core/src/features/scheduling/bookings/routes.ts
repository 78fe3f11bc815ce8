import { createHash, randomBytes } from 'node:crypto'
import { Booking, BookingMove, BookingToken, CreatedBooking, NewBooking, NoContent, One } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { AS_VISITOR, patientBusy } from '../appointments/index.ts'
import { findHoldOrganization, holdConverted, holdExpired, holdNotFound } from '../holds/index.ts'
import { bookingClosed, bookingNotFound, bookingTooLate, noticeUnpublished, tooManyBookings } from './errors.ts'
import { cancelBooking, createBooking, moveBooking } from './manage.ts'
import { type FoundBooking, findBooking } from './queries.ts'

const TOKEN_BYTES = 24

const hashOf = (token: string) => createHash('sha256').update(token).digest()
const config = { access: publicAccess(), limit: 'public_booking' } as const

// Booking without an account neither reads nor creates patient records, so no response reveals who is a patient.
export const bookingRoutes: Routes = (app, { config: settings, now }) => {
  const linkOf = (token: string) => ({ hash: hashOf(token), url: `${settings.publicUrl}/portal/bookings/${token}` })

  async function open(request: FastifyRequest, token: string): Promise<FoundBooking> {
    const booking = await request.findPublic((tx) => findBooking(tx, hashOf(token)))
    if (!booking) throw bookingNotFound()
    return booking
  }

  app.post(
    '/v1/public/bookings',
    {
      config: {
        ...config,
        idempotent: true,
        service: AS_VISITOR,
        operationId: 'createBooking',
        summary: 'Book a held time',
        description:
          'Returns a link that shows, moves or cancels the booking, and sends it by mail. One e-mail address gets at most five such mails a day.',
        refusals: [holdNotFound, holdExpired, holdConverted, noticeUnpublished, tooManyBookings],
      },
      schema: { body: NewBooking, response: { 201: One(CreatedBooking) } },
    },
    async (request, reply) => {
      const { hold_id, booker, patient_note: note = null, language = null } = request.body
      const clinic = await request.findPublic((tx) => findHoldOrganization(tx, hold_id))
      if (!clinic) throw holdNotFound()
      return request.serviceCreate(reply, clinic, async (tx) => {
        const link = linkOf(randomBytes(TOKEN_BYTES).toString('base64url'))
        const booking = await createBooking(tx, link, {
          holdId: hold_id,
          booker: { ...booker, phone: booker.phone ?? null, language },
          note,
          maxPerDay: settings.MAX_BOOKINGS_PER_ADDRESS_AND_DAY,
        })
        if (!booking) throw new Error('the booking was just written')
        return { data: { ...booking, manage_url: link.url } }
      })
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
        service: AS_VISITOR,
        operationId: 'rescheduleBooking',
        summary: 'Move a booking to a held time',
        refusals: [
          bookingNotFound,
          bookingTooLate,
          bookingClosed,
          holdNotFound,
          holdExpired,
          holdConverted,
          patientBusy,
        ],
      },
      schema: { params: BookingToken, body: BookingMove, response: { 200: One(Booking) } },
    },
    async (request) => {
      const { token } = request.params
      const { organization_id } = await open(request, token)
      const data = await request.service(organization_id, async (tx) => {
        const moved = await moveBooking(tx, linkOf(token), request.body.hold_id, now())
        if (!moved) throw bookingNotFound()
        return moved
      })
      return { data }
    },
  )

  app.delete(
    '/v1/public/bookings/:token',
    {
      config: {
        ...config,
        service: AS_VISITOR,
        operationId: 'cancelBooking',
        summary: 'Cancel a booking by its link',
        refusals: [bookingNotFound, bookingTooLate, bookingClosed],
      },
      schema: { params: BookingToken, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { token } = request.params
      const { organization_id } = await open(request, token)
      const isDone = await request.service(organization_id, (tx) => cancelBooking(tx, linkOf(token), now()))
      if (!isDone) throw bookingClosed({ status: (await open(request, token)).status })
      return reply.code(204).send(null)
    },
  )
}
