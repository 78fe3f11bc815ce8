import { Availability, AvailabilityQuery, ExplainedAvailability, PublicAvailabilityQuery } from '@tendon/contracts'
import { permission, publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { serviceNotFound } from '../services/index.ts'
import { windowTooLong } from './errors.ts'
import { findPublicFacts, findStaffFacts, READS_TIMES } from './queries.ts'
import { answerOf, factsQuery, questionOf, unavailableSlots } from './slots.ts'

export const availabilityRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/public/availability',
    {
      config: {
        access: publicAccess(),
        limit: 'public_booking',
        operationId: 'getPublicAvailability',
        contentTag: true,
        summary: 'List free times of a public service',
        refusals: [serviceNotFound, windowTooLong],
      },
      schema: { querystring: PublicAvailabilityQuery, response: { 200: Availability } },
    },
    async (request) => {
      const { organization, mode, limit, timezone, moves_calendar_uid: moves = null, ...query } = request.query
      const asked = { ...factsQuery(query), moves }
      const facts = await request.findPublic((tx) => findPublicFacts(tx, organization, asked))
      if (!facts) throw serviceNotFound()
      if (mode && !facts.service.modes.includes(mode)) return { data: [], days: [] }
      return answerOf(questionOf(facts, asked, now(), false), limit, timezone)
    },
  )

  app.get(
    '/v1/availability',
    {
      config: {
        access: permission('calendars.view_org'),
        service: READS_TIMES,
        operationId: 'getAvailability',
        summary: 'List free times of a service for staff',
        description:
          'Ignores the notice of the service. With explain=true, lists times that are not free with the reason.',
        refusals: [serviceNotFound, windowTooLong],
      },
      schema: { querystring: AvailabilityQuery, response: { 200: ExplainedAvailability } },
    },
    async (request) => {
      const { mode, limit, timezone, explain, ...query } = request.query
      const asked = factsQuery(query)
      const facts = await request.find((tx) => findStaffFacts(tx, asked))
      if (!facts) throw serviceNotFound()
      if (mode && !facts.service.modes.includes(mode)) return { data: [], days: [] }
      const question = questionOf(facts, asked, now(), true)
      const answer = answerOf(question, limit, timezone)
      return explain ? { ...answer, unavailable: unavailableSlots(question, limit) } : answer
    },
  )
}
