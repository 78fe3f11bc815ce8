import { setMaxListeners } from 'node:events'
import { ById, Hold, NewHold, NewPublicHold, NoContent, One } from '@tendon/contracts'
import { networkOf, permission, publicAccess } from '@tendon/http'
import { blindIndex } from '@tendon/secrets'
import type { Routes } from '../../../feature.ts'
import { findPublicFacts, findStaffFacts } from '../availability/index.ts'
import { serviceNotFound } from '../services/index.ts'
import { candidatesOf, windowOf } from './candidates.ts'
import { holdChanges } from './changes.ts'
import {
  holdConverted,
  holdExpired,
  holdNotFound,
  slotTaken,
  slotUnavailable,
  tooManyHolds,
  tooManyStreams,
} from './errors.ts'
import { findHold, type HoldOutcome, type HoldRequest, releaseHold, takePublicHold, takeStaffHold } from './queries.ts'
import { streamHold } from './stream.ts'
import { createStreamLimits } from './stream-limits.ts'

const HOLD_DEFAULT_MINUTES = 5

/** Tries one candidate after the other; each try is a transaction of its own. */
async function takeFirst(
  candidates: readonly HoldRequest[],
  take: (one: HoldRequest) => Promise<HoldOutcome>,
): Promise<Hold> {
  if (candidates.length === 0) throw slotUnavailable()
  for (const candidate of candidates) {
    const result = await take(candidate)
    if (result.outcome === 'held') return result.hold
    if (result.outcome === 'too_many') throw tooManyHolds()
  }
  throw slotTaken()
}

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
        operationId: 'createPublicHold',
        summary: 'Hold a time',
        description: 'Keeps a free time for five minutes. Without specialist_id, a free specialist is chosen.',
        refusals: [serviceNotFound, slotUnavailable, slotTaken, tooManyHolds],
      },
      schema: { body: NewPublicHold, response: { 201: One(Hold) } },
    },
    async (request, reply) => {
      const { organization, ...wanted } = request.body
      const facts = await request.public((tx) => findPublicFacts(tx, organization, windowOf(wanted)))
      if (!facts) throw serviceNotFound()
      const of = { table: 'holds', column: 'client_index', organization_id: '' }
      const client = blindIndex(config.BLIND_INDEX_KEY, of, networkOf(request.ip))
      const hold = await takeFirst(candidatesOf(facts, wanted, now(), false), (one) =>
        request.public((tx) => takePublicHold(tx, organization, one, client, holdLimits)),
      )
      return reply.code(201).send({ data: hold })
    },
  )

  app.post(
    '/v1/holds',
    {
      config: {
        access: permission('appointments.manage'),
        summary: 'Hold a time as staff',
        description: 'Keeps a free time for up to an hour, without regard to the notice of the service.',
        refusals: [serviceNotFound, slotUnavailable, slotTaken],
      },
      schema: { body: NewHold, response: { 201: One(Hold) } },
    },
    async (request, reply) => {
      const { minutes = HOLD_DEFAULT_MINUTES, ...wanted } = request.body
      const facts = await request.find((tx) => findStaffFacts(tx, windowOf(wanted)))
      if (!facts) throw serviceNotFound()
      const hold = await takeFirst(candidatesOf(facts, wanted, now(), true), (one) =>
        request.tenant((tx) => takeStaffHold(tx, one, minutes)),
      )
      return reply.code(201).send({ data: hold })
    },
  )

  app.delete(
    '/v1/public/holds/:id',
    {
      config: {
        access: publicAccess(),
        limit: 'public_booking',
        operationId: 'releaseHold',
        summary: 'Release a hold',
        refusals: [holdNotFound, holdExpired, holdConverted],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const hold = await request.public((tx) => releaseHold(tx, request.params.id))
      if (!hold) throw holdNotFound()
      if (hold.status === 'converted') throw holdConverted()
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
      const read = () => request.public((tx) => findHold(tx, id))
      const hold = await read()
      if (!hold) throw holdNotFound()
      const close = limits.open(id, networkOf(request.ip))
      if (!close) throw tooManyStreams({}, { 'retry-after': '5' })
      await streamHold(reply, hold, changes, read, now, closing.signal).finally(close)
    },
  )
}
