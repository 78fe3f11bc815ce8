import { createHash, randomBytes } from 'node:crypto'
import { type Caller, holds } from '@tendon/access'
import { ById, CalendarFeed, CalendarFeedFile, NoContent, One } from '@tendon/contracts'
import { asService } from '@tendon/db'
import { patient, permission, processingRestricted, publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { feedNotFound, feedOwnerNotFound } from './errors.ts'
import { feedFile } from './feed-file.ts'
import { deleteMyFeed, deleteSpecialistFeed, findMyProfileId, findSpecialistOf, readFeed, saveFeed } from './queries.ts'
import { mayKeepFeed } from './rules.ts'

const TOKEN_BYTES = 24
const MAX_AGE_SECONDS = 300

const hashOf = (token: string) => createHash('sha256').update(token).digest()

const keeper = (caller: Caller) => ({
  principal_id: caller.principal_id,
  managesSpecialists: holds(caller, 'specialists.manage'),
})

const AS_STAFF = {
  codes: ['appointments.view_org', 'data.view_deleted', 'specialists.view_org'],
  why: 'Only the service writes feeds; who reads appointments need not see specialists.',
} as const
const AS_PATIENT = { codes: [], why: 'Only the service writes feeds: those of the calling patient.' } as const

// A feed needs no sign-in, because calendar programs cannot sign in. Therefore it contains as little as possible, its URL
// is shown once, and a new URL replaces the old one.
export const calendarFeedRoutes: Routes = (app, { config, now }) => {
  const newFeed = () => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const url = `${config.publicUrl}/v1/public/calendar-feeds/${token}.ics`
    return { hash: hashOf(token), shown: { url, created_at: now().toISOString() } }
  }
  const description = 'Only this response contains the URL. A second call replaces it; the old URL then answers 404.'

  app.post(
    '/v1/specialists/:id/calendar-feed',
    {
      config: {
        access: permission('appointments.view_org'),
        idempotent: true,
        service: AS_STAFF,
        operationId: 'createSpecialistCalendarFeed',
        summary: 'Create the calendar feed of a specialist',
        description,
        refusals: [feedOwnerNotFound],
      },
      schema: { params: ById, response: { 201: One(CalendarFeed) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { id } = request.params
        const { hash, shown } = newFeed()
        await asService(tx, AS_STAFF.codes, async (own) => {
          const specialist = await findSpecialistOf(own, id)
          if (!specialist || specialist.deleted_at !== null || !mayKeepFeed(specialist, keeper(request.caller)))
            throw feedOwnerNotFound()
          await saveFeed(own, { specialist_id: id }, hash)
        })
        await request.audit(tx, { action: 'calendar_feeds.create', crud: 'C', target: { type: 'specialist', id } })
        return { data: shown }
      }),
  )

  app.delete(
    '/v1/specialists/:id/calendar-feed',
    {
      config: {
        access: permission('appointments.view_org'),
        service: AS_STAFF,
        operationId: 'deleteSpecialistCalendarFeed',
        summary: 'Delete the calendar feed of a specialist',
        refusals: [feedNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const { id } = request.params
        await asService(tx, AS_STAFF.codes, async (own) => {
          const specialist = await findSpecialistOf(own, id)
          const isDeleted =
            specialist !== undefined &&
            mayKeepFeed(specialist, keeper(request.caller)) &&
            (await deleteSpecialistFeed(own, id))
          if (!isDeleted) throw feedNotFound()
        })
        await request.audit(tx, { action: 'calendar_feeds.delete', crud: 'D', target: { type: 'specialist', id } })
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/me/calendar-feed',
    {
      config: {
        access: patient(),
        idempotent: true,
        service: AS_PATIENT,
        operationId: 'createMyCalendarFeed',
        summary: 'Create the calendar feed of your appointments',
        description: `At the clinic in context. ${description}`,
        refusals: [patientNotFound, processingRestricted],
      },
      schema: { response: { 201: One(CalendarFeed) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { hash, shown } = newFeed()
        const profileId = await findMyProfileId(tx)
        if (!profileId) throw patientNotFound()
        await asService(tx, AS_PATIENT.codes, (own) => saveFeed(own, { patient_profile_id: profileId }, hash))
        await request.audit(tx, {
          action: 'calendar_feeds.create',
          crud: 'C',
          target: { type: 'calendar_feed', id: null },
        })
        return { data: shown }
      }),
  )

  app.delete(
    '/v1/me/calendar-feed',
    {
      config: {
        access: patient(),
        service: AS_PATIENT,
        operationId: 'deleteMyCalendarFeed',
        summary: 'Delete the calendar feed of your appointments',
        refusals: [feedNotFound],
      },
      schema: { response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        if (!(await asService(tx, AS_PATIENT.codes, deleteMyFeed))) throw feedNotFound()
        await request.audit(tx, {
          action: 'calendar_feeds.delete',
          crud: 'D',
          target: { type: 'calendar_feed', id: null },
        })
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/public/calendar-feeds/:file',
    {
      config: {
        access: publicAccess(),
        limit: 'calendar_feed',
        operationId: 'getCalendarFeed',
        summary: 'Get a calendar feed',
        description:
          'Returns an iCalendar file of the last 90 and the next 365 days. With If-None-Match it answers 304 when nothing changed.',
        produces: 'text/calendar',
        refusals: [feedNotFound],
      },
      schema: { params: CalendarFeedFile },
    },
    async (request, reply) => {
      const token = request.params.file.replace(/\.ics$/, '')
      const feed = await request.findPublic((tx) => readFeed(tx, hashOf(token)))
      if (!feed) throw feedNotFound()
      const file = feedFile(feed)
      const etag = `"${createHash('sha256').update(file).digest('base64url')}"`
      reply.headers({ etag, 'cache-control': `private, max-age=${MAX_AGE_SECONDS}`, 'x-robots-tag': 'noindex' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.header('content-type', 'text/calendar; charset=utf-8').send(file)
    },
  )
}
