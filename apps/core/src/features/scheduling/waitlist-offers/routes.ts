import {
  type Appointment,
  ById,
  Choices,
  NewWaitlistOffer,
  NoContent,
  type OfferReason,
  One,
  WaitlistOffer,
} from '@tendon/contracts'
import { asService, type TenantTx } from '@tendon/db'
import { permission, processingRestricted, type Refusal } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import {
  AS_STAFF,
  appointmentNotFound,
  findAppointment,
  hasSpecialist,
  lockAppointment,
  lockPatient,
  patientBusy,
  withOverLimit,
} from '../appointments/index.ts'
import { dayFull, slotTaken } from '../holds/index.ts'
import { serviceNotFound } from '../services/index.ts'
import {
  insideNotice,
  noAddress,
  noOpenOffer,
  notWaiting,
  offeredTimeIsPast,
  offerNeedsSpecialist,
  offerNeedsTime,
  offerOpen,
  patientErased,
  unknownOfferSpecialist,
} from './errors.ts'
import { type OfferOutcome, offerTime } from './offering.ts'
import {
  findOpenOfferForUpdate,
  listOffers,
  type OfferedTime,
  releaseOfferedTime,
  type StoredOffer,
  updateOffer,
} from './queries.ts'
import { record } from './record.ts'

const VIEW = permission('appointments.view_org')
const MANAGE = permission('appointments.manage')

const REASONS: Record<OfferReason, Refusal> = {
  restricted: processingRestricted,
  erased: patientErased,
  no_address: noAddress,
  patient_busy: patientBusy,
}

const REFUSALS: Record<Exclude<OfferOutcome['outcome'], 'offered' | 'skipped'>, Refusal> = {
  taken: slotTaken,
  not_free: slotTaken,
  open: offerOpen,
  inside_notice: insideNotice,
  unknown_service: serviceNotFound,
  day_full: dayFull,
}

function offeredOf(result: OfferOutcome): { offer: StoredOffer; isOverLimit: boolean } {
  if (result.outcome === 'offered') return result
  throw result.outcome === 'skipped' ? REASONS[result.reason]() : REFUSALS[result.outcome]()
}

/** The time that staff name, or the freed time that matches the entry. */
function timeOf(given: { starts_at?: string; specialist_id?: string }, entry: Appointment): OfferedTime {
  const starts_at = given.starts_at ?? entry.freed_slot?.starts_at
  if (!starts_at) throw offerNeedsTime()
  const usual = given.starts_at ? entry.specialist_id : entry.freed_slot?.specialist_id
  const specialist_id = given.specialist_id ?? usual
  if (!specialist_id) throw offerNeedsSpecialist()
  return { starts_at, specialist_id }
}

/** Locked after its patient, as by deletions and erasures. */
async function lockEntry(tx: TenantTx, id: string): Promise<Appointment> {
  const patientId = (await findAppointment(tx, id))?.patient_id
  if (patientId) await asService(tx, AS_STAFF.codes, (own) => lockPatient(own, patientId))
  return lockAppointment(tx, id)
}

export const waitlistOfferRoutes: Routes = (app, { config, now }) => {
  app.get(
    '/v1/appointments/:id/offers',
    {
      config: {
        access: VIEW,
        patientData: true,
        operationId: 'listWaitlistOffers',
        contentTag: true,
        summary: 'List the offers of a waitlist entry',
        description: 'Returns the latest 50 offers. Those that were skipped have a reason.',
        refusals: [appointmentNotFound],
      },
      schema: { params: ById, response: { 200: Choices(WaitlistOffer) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        if (!(await findAppointment(tx, request.params.id))) throw appointmentNotFound()
        return { data: await listOffers(tx, request.params.id) }
      }),
  )

  app.post(
    '/v1/appointments/:id/offer',
    {
      config: {
        access: MANAGE,
        patientData: true,
        idempotent: true,
        service: AS_STAFF,
        operationId: 'offerTime',
        summary: 'Offer a time to a waitlist entry',
        description:
          'Keeps the time for up to two hours, or up to 30 minutes when the visit is within 24 hours, and sends the patient a link to accept it. Without a body, the freed time that matches the entry is offered. Mails are sent from 08:00 to 20:00 of the clinic’s time zone; a later offer begins with its mail in the morning.',
        refusals: [
          appointmentNotFound,
          notWaiting,
          slotTaken,
          dayFull,
          offerOpen,
          insideNotice,
          serviceNotFound,
          ...Object.values(REASONS),
        ],
      },
      schema: { params: ById, body: NewWaitlistOffer, response: { 201: One(WaitlistOffer) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const entry = await lockEntry(tx, request.params.id)
        if (entry.status !== 'waitlist') throw notWaiting({ status: entry.status })
        const { over_limit: overLimit, ...given } = request.body ?? {}
        const { starts_at, specialist_id } = timeOf(given, entry)
        if (!(await hasSpecialist(tx, specialist_id))) throw unknownOfferSpecialist()
        if (Date.parse(starts_at) <= now().getTime()) throw offeredTimeIsPast()
        const surroundings = { now: now(), publicUrl: config.publicUrl, offeredBy: 'staff', overLimit } as const
        const { offer, isOverLimit } = offeredOf(await offerTime(tx, entry, { specialist_id, starts_at }, surroundings))
        await record.made(request, tx, withOverLimit(offer, isOverLimit))
        return { data: offer }
      }),
  )

  app.delete(
    '/v1/appointments/:id/offer',
    {
      config: {
        access: MANAGE,
        patientData: true,
        operationId: 'endOffer',
        summary: 'End the open offer of a waitlist entry',
        description: 'Frees the time. The link in the mail then says that the offer has ended.',
        refusals: [noOpenOffer],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const offer = await findOpenOfferForUpdate(tx, request.params.id)
        if (offer?.status !== 'open') throw noOpenOffer()
        await updateOffer(tx, offer.id, 'ended')
        await releaseOfferedTime(tx, offer.hold_id)
        await record.ended(request, tx, offer, { ...offer, status: 'ended' })
      })
      return reply.code(204).send(null)
    },
  )
}
