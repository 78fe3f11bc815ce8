import { setMaxListeners } from 'node:events'
import type { AuditEntry } from '@tendon/access'
import { ById, Hold, NewHold, NewPublicHold, NoContent, One } from '@tendon/contracts'
import { asService, together } from '@tendon/db'
import { networkOf, permission, publicAccess } from '@tendon/http'
import { blindIndex } from '@tendon/secrets'
import type { Routes } from '../../../feature.ts'
import { findPublicFacts, findStaffFacts, READS_TIMES } from '../availability/index.ts'
import { serviceNotFound } from '../services/index.ts'
import { candidatesOf, windowOf } from './candidates.ts'
import { holdChanges } from './changes.ts'
import {
  dayFull,
  holdConverted,
  holdExpired,
  holdNotFound,
  slotTaken,
  slotUnavailable,
  tooManyHolds,
  tooManyStreams,
} from './errors.ts'
import { endHold, findHold, findHoldOrganization, findServiceOrganization, freeHold } from './queries.ts'
import { streamHold } from './stream.ts'
import { createStreamLimits } from './stream-limits.ts'
import { takeFirst } from './take.ts'

const HOLD_DEFAULT_MINUTES = 5

const HOLDS_TIMES = {
  codes: ['appointments.manage'],
  why: `${READS_TIMES.why} Only the service writes holds.`,
}

/** The id of a hold is a capability and never logged. */
const overLimitEntry = ({ service_id, specialist_id, starts_at }: Hold): AuditEntry => ({
  action: 'holds.create',
  crud: 'C',
  target: { type: 'service', id: service_id },
  changes: Object.entries({ specialist_id, starts_at, over_limit: true }).map(([field, after]) => ({
    field,
    before: null,
    after,
  })),
})

export const holdRoutes: Routes = (app, { config, now, holdNotices }) => {
  const limits = createStreamLimits({
    perClient: config.MAX_HOLD_STREAMS_PER_ADDRESS,
    perProcess: config.MAX_HOLD_STREAMS,
  })
  const holdLimits = { perClient: config.MAX_HOLDS_PER_ADDRESS, perClinic: config.MAX_PUBLIC_HOLDS_PER_CLINIC }
  const changes = holdChanges(holdNotices)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  app.addHook('preClose', async () => closing.abort())

  app.post(
    '/v1/public/holds',
    {
      config: {
        access: publicAccess(),
        limit: 'public_booking',
        idempotent: true,
        service: { codes: [], why: 'Visitors have no permissions; the service takes the hold for them.' },
        operationId: 'createPublicHold',
        summary: 'Hold a time',
        description: 'Keeps a free time for five minutes. Without specialist_id, a free specialist is chosen.',
        refusals: [serviceNotFound, slotUnavailable, slotTaken, dayFull, tooManyHolds],
      },
      schema: { body: NewPublicHold, response: { 201: One(Hold) } },
    },
    async (request, reply) => {
      const { organization, ...wanted } = request.body
      const clinic = await request.findPublic((tx) => findServiceOrganization(tx, organization, wanted.service_id))
      if (!clinic) throw serviceNotFound()
      const of = { table: 'holds', column: 'client_index', organization_id: '' }
      const visitor = { ...holdLimits, client: blindIndex(config.BLIND_INDEX_KEY, of, networkOf(request.ip)) }
      return request.serviceCreate(reply, clinic, async (tx) => {
        const facts = await findPublicFacts(tx, organization, windowOf(wanted))
        if (!facts) throw serviceNotFound()
        const candidates = candidatesOf(facts, wanted, now(), { forStaff: false })
        const { hold } = await takeFirst(tx, candidates, HOLD_DEFAULT_MINUTES, { visitor })
        return { data: hold }
      })
    },
  )

  app.post(
    '/v1/holds',
    {
      config: {
        access: permission('appointments.manage'),
        service: HOLDS_TIMES,
        summary: 'Hold a time as staff',
        description:
          'Keeps a free time for up to an hour, without regard to the notice of the service. With over_limit, also on a day that is full.',
        refusals: [serviceNotFound, slotUnavailable, slotTaken, dayFull],
      },
      schema: { body: NewHold, response: { 201: One(Hold) } },
    },
    async (request, reply) => {
      const { minutes = HOLD_DEFAULT_MINUTES, over_limit: overLimit = false, ...wanted } = request.body
      const hold = await request.tenant(async (tx) => {
        const facts = await findStaffFacts(tx, windowOf(wanted))
        if (!facts) throw serviceNotFound()
        const candidates = candidatesOf(facts, wanted, now(), { forStaff: true, overLimit })
        const passableLimit = overLimit ? facts.service.max_per_day : null
        const { hold, isOverLimit } = await asService(tx, ['appointments.manage'], (own) =>
          takeFirst(own, candidates, minutes, { passableLimit }),
        )
        if (isOverLimit) await request.audit(tx, overLimitEntry(hold))
        return hold
      })
      return reply.code(201).send({ data: hold })
    },
  )

  app.delete(
    '/v1/public/holds/:id',
    {
      config: {
        access: publicAccess(),
        limit: 'public_booking',
        service: { codes: [], why: 'Visitors have no permissions; the id of the hold is the capability.' },
        operationId: 'releaseHold',
        summary: 'Release a hold',
        refusals: [holdNotFound, holdExpired, holdConverted],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { id } = request.params
      const clinic = await request.findPublic((tx) => findHoldOrganization(tx, id))
      if (!clinic) throw holdNotFound()
      const [isReleased] = await request.service(clinic, (tx) =>
        together([endHold(tx, id, 'released'), freeHold(tx, id)]),
      )
      if (!isReleased && (await request.findPublic((tx) => findHold(tx, id)))?.status === 'converted')
        throw holdConverted()
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/public/holds/:id/stream',
    {
      config: {
        access: publicAccess(),
        limit: 'public_booking',
        operationId: 'streamHold',
        summary: 'Follow a hold',
        description: 'Server-sent events: hold.active, hold.expiring, hold.expired, hold.converted, hold.released.',
        produces: 'text/event-stream',
        refusals: [holdNotFound, tooManyStreams],
      },
      schema: { params: ById },
    },
    async (request, reply) => {
      const { id } = request.params
      const read = () => request.findPublic((tx) => findHold(tx, id))
      const hold = await read()
      if (!hold) throw holdNotFound()
      const close = limits.open(id, networkOf(request.ip))
      if (!close) throw tooManyStreams({}, { 'retry-after': '5' })
      await streamHold(reply, hold, changes, read, now, closing.signal).finally(close)
    },
  )
}
