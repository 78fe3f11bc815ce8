import { NoContent, WebSessionParams, WebSessions } from '@tendon/contracts'
import { authenticated } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { sessionNotFound } from './errors.ts'
import { deleteMyWebSessions, listMyWebSessions } from './queries.ts'

export const mySessionRoutes: Routes = (app) => {
  app.get(
    '/v1/me/sessions',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        invitation: 'waits',
        summary: 'List your sign-in sessions',
        description:
          'Your sessions in the web apps, the last used first. Session tokens of other clients are not listed.',
      },
      schema: { response: { 200: WebSessions } },
    },
    async (request) => {
      const sessions = await request.find(listMyWebSessions)
      const current = request.caller.web_session?.id
      return { data: sessions.map((session) => ({ ...session, current: session.id === current })) }
    },
  )

  app.delete(
    '/v1/me/sessions/:id',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        invitation: 'waits',
        summary: 'End one of your sign-in sessions',
        refusals: [sessionNotFound],
      },
      schema: { params: WebSessionParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { id } = request.params
      await request.tenant(async (tx) => {
        if ((await deleteMyWebSessions(tx, id)) === 0) throw sessionNotFound()
        await request.audit(tx, { action: 'me.end_session', crud: 'D', target: { type: 'web_session', id } })
      })
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/v1/me/sessions',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        invitation: 'waits',
        summary: 'Sign out everywhere',
        description: 'Ends all your sessions in the web apps, this one included.',
      },
      schema: { response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        await deleteMyWebSessions(tx, null)
        await request.audit(tx, { action: 'me.end_sessions', crud: 'D', target: { type: 'web_session', id: null } })
      })
      return reply.code(204).send(null)
    },
  )
}
