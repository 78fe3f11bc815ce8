import { NOBODY } from '@tendon/db'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { devMailPage, devMailsPage, type ShownMail } from './dev-pages.ts'
import { mailNotFound } from './errors.ts'
import { type DevelopmentMail, findMailForDevelopment, listMailsForDevelopment } from './queries.ts'
import { render } from './sending.ts'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
}

/** Every mail of every clinic, readable in a browser: on a developer's machine only. */
export const devMailRoutes: Routes = (app, services) => {
  if (services.config.NODE_ENV !== 'development') return
  const { db } = services
  const show = (mail: DevelopmentMail): ShownMail => ({ ...mail, ...rendered(mail) })

  function rendered(mail: DevelopmentMail): { subject: string; text: string; html: string } {
    try {
      return render(services, mail, services.config.MAIL_FROM_ADDRESS)
    } catch {
      return { subject: mail.template, text: 'This mail can no longer be shown.', html: '' }
    }
  }

  app.get(
    '/dev/mails',
    {
      config: {
        access: publicAccess(),
        latency: 'simple_read',
        summary: 'Show the latest mails',
        produces: 'text/html',
      },
    },
    async (_request, reply) => {
      const mails = await db.platform(NOBODY, (tx) => listMailsForDevelopment(tx))
      return reply.headers(HEADERS).send(devMailsPage(mails.map(show)))
    },
  )

  for (const part of ['', '/html'] as const) {
    app.get<{ Params: { id: string } }>(
      `/dev/mails/:id${part}`,
      {
        config: {
          access: publicAccess(),
          latency: 'simple_read',
          summary: part === '' ? 'Show a mail' : 'Show the HTML of a mail',
          produces: 'text/html',
          refusals: [mailNotFound],
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const mail = /^[0-9a-f-]{36}$/.test(id)
          ? await db.platform(NOBODY, (tx) => findMailForDevelopment(tx, id))
          : undefined
        if (!mail) throw mailNotFound()
        const shown = show(mail)
        return reply.headers(HEADERS).send(part === '' ? devMailPage(shown) : shown.html)
      },
    )
  }
}
