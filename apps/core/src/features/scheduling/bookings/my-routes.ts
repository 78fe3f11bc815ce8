import { publish } from '@tendon/access'
import { ById, Choices, LinkMyBooking, MyBooking, NoContent } from '@tendon/contracts'
import { patient, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { patientBusy } from '../appointments/index.ts'
import { AS_CLAIMANT, dismissMyBooking, linkMyBooking } from './claim.ts'
import { myBookingNotFound } from './errors.ts'
import { findLinked, listMyUnlinkedBookings } from './my-queries.ts'

// "Is this your booking?" is asked after somebody who booked without an account signs in with the same verified e-mail
// address. They choose the record, because a parent may have booked for a child.
export const myBookingRoutes: Routes = (app) => {
  app.get(
    '/v1/me/bookings',
    {
      config: {
        access: patient(),
        summary: 'List bookings that may be yours',
        description:
          'Lists unlinked bookings without an account, at the clinic in context, that have your verified e-mail address.',
      },
      schema: { response: { 200: Choices(MyBooking) } },
    },
    async (request) => ({ data: await request.find((tx) => listMyUnlinkedBookings(tx)) }),
  )

  app.post(
    '/v1/me/bookings/:id/link',
    {
      config: {
        access: patient(),
        service: AS_CLAIMANT,
        operationId: 'linkMyBooking',
        summary: 'Confirm that a booking is yours',
        description: 'Links it to your record at the clinic, or to the record in patient_id.',
        refusals: [myBookingNotFound, patientNotFound, patientBusy, processingRestricted],
      },
      schema: { params: ById, body: LinkMyBooking, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const { id } = request.params
        await linkMyBooking(tx, id, request.body.patient_id)
        const linked = await findLinked(tx, id)
        await request.audit(tx, {
          action: 'appointments.link_patient',
          crud: 'U',
          target: { type: 'appointment', id },
          ...(linked.patient_profile_id !== null && { patientProfileId: linked.patient_profile_id }),
        })
        await publish(tx, 'appointment.linked', linked)
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/me/bookings/:id/dismiss',
    {
      config: {
        access: patient(),
        service: AS_CLAIMANT,
        operationId: 'dismissMyBooking',
        summary: 'Decline a booking that is not yours',
        description: 'The booking is not listed for you again, and does not change.',
        refusals: [myBookingNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const { id } = request.params
        await dismissMyBooking(tx, id)
        await request.audit(tx, { action: 'bookings.dismiss', crud: 'U', target: { type: 'appointment', id } })
      })
      return reply.code(204).send(null)
    },
  )
}
