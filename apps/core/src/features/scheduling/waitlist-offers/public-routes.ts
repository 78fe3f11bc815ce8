import { AuditLog, SYSTEM } from '@tendon/access'
import { NoContent, One, PublicWaitlistOffer, WaitlistOfferToken } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { processingRestricted, publicAccess } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import type { Auditor } from '../../../platform/recorder.ts'
import { lockAppointment, patientBusy, recordAppointment } from '../appointments/index.ts'
import { bookOfferedTime } from './book-offered-time.ts'
import { offerAccepted, offerEnded, offerExpired, offerNotFound } from './errors.ts'
import { addNextJob } from './next.ts'
import { hashOf } from './offering.ts'
import {
  canBeBooked,
  findOfferByToken,
  findOfferForUpdate,
  findOfferOrganization,
  findPublicOffer,
  releaseOfferedTime,
  updateOffer,
} from './queries.ts'
import { record } from './record.ts'

const CODES = [
  'appointments.view_org',
  'appointments.manage',
  'patients.view_org',
  'services.view_org',
  'specialists.view_org',
] as const
const config = {
  access: publicAccess(),
  limit: 'public_booking',
  service: { codes: CODES, why: 'The person with the link has no account; the link gives this one offer.' },
} as const

// GET only shows the offer: programs that scan mails follow links, but send no POST.
export const publicWaitlistOfferRoutes: Routes = (app, { db, box }) => {
  const auditLog = new AuditLog(box)

  /** Works as the service of the clinic of this offer. */
  async function inClinicOf<Result>(
    request: FastifyRequest<{ Params: { token: string } }>,
    work: (tx: ServiceTx, tokenHash: Buffer, by: Auditor) => Promise<Result>,
  ): Promise<Result> {
    const tokenHash = hashOf(request.params.token)
    const organizationId = await request.findPublic((tx) => findOfferOrganization(tx, tokenHash))
    if (organizationId === undefined) throw offerNotFound()
    // The person who has the link acts; the log does not know who that is.
    const actor = { ...SYSTEM, organizationId, requestId: request.id, sourceIp: request.ip }
    const by: Auditor = { audit: (tx, entry) => auditLog.write(tx, actor, entry) }
    return db.service(organizationId, CODES, (tx) => work(tx, tokenHash, by))
  }

  app.get(
    '/v1/public/waitlist-offers/:token',
    {
      config: {
        ...config,
        operationId: 'getWaitlistOffer',
        summary: 'Get an offer by its link',
        refusals: [offerNotFound],
      },
      schema: { params: WaitlistOfferToken, response: { 200: One(PublicWaitlistOffer) } },
    },
    async (request) => ({ data: await inClinicOf(request, show) }),
  )

  app.post(
    '/v1/public/waitlist-offers/:token',
    {
      config: {
        ...config,
        operationId: 'acceptWaitlistOffer',
        summary: 'Accept an offer',
        description: 'Books the time. The usual confirmation is sent by mail.',
        refusals: [offerNotFound, offerAccepted, offerExpired, offerEnded, patientBusy, processingRestricted],
      },
      schema: { params: WaitlistOfferToken, response: { 200: One(PublicWaitlistOffer) } },
    },
    async (request) => ({
      data: await inClinicOf(request, async (tx, tokenHash, by) => {
        const { offer, entry } = await lockOpenOffer(tx, tokenHash)
        if (!(await canBeBooked(tx, offer.id))) throw offerEnded()
        const visit = await bookOfferedTime(tx, offer, entry.service_id)
        if (!visit) throw offerExpired()
        await updateOffer(tx, offer.id, 'accepted')
        await record.accepted(by, tx, offer, { ...offer, status: 'accepted' })
        await recordAppointment.confirmed(by, tx, entry, visit, { payload: { set_by: 'patient' } })
        return show(tx, tokenHash)
      }),
    }),
  )

  app.delete(
    '/v1/public/waitlist-offers/:token',
    {
      config: {
        ...config,
        operationId: 'declineWaitlistOffer',
        summary: 'Decline an offer',
        description: 'Frees the time for the next person. The entry stays on the waitlist.',
        refusals: [offerNotFound, offerAccepted, offerExpired, offerEnded],
      },
      schema: { params: WaitlistOfferToken, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await inClinicOf(request, async (tx, tokenHash, by) => {
        const { offer } = await lockOpenOffer(tx, tokenHash)
        await updateOffer(tx, offer.id, 'declined')
        await releaseOfferedTime(tx, offer.hold_id)
        await record.declined(by, tx, offer, { ...offer, status: 'declined' })
        await addNextJob(tx, offer)
      })
      return reply.code(204).send(null)
    },
  )
}

/** Locks the entry before the offer, as everybody does who needs both. */
async function lockOpenOffer(tx: ServiceTx, tokenHash: Buffer) {
  const found = await findOfferByToken(tx, tokenHash)
  if (!found) throw offerNotFound()
  const entry = await lockAppointment(tx, found.appointment_id)
  const offer = await findOfferForUpdate(tx, found.id)
  if (offer?.status === 'accepted') throw offerAccepted()
  if (offer?.status === 'expired') throw offerExpired()
  if (offer?.status !== 'open' || entry.status !== 'waitlist') throw offerEnded()
  return { offer, entry }
}

async function show(tx: ServiceTx, tokenHash: Buffer): Promise<PublicWaitlistOffer> {
  const offer = await findPublicOffer(tx, tokenHash)
  if (!offer) throw offerNotFound()
  return offer
}
