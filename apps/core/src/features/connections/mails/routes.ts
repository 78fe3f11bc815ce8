import { changesBetween } from '@tendon/access'
import { ById, listParameters, Mail, MailParams, Many, mailList, One } from '@tendon/contracts'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { stateAfterMail } from '../../scheduling/reminders/index.ts'
import { mailNotFound, mailNotResendable, mailSuppressed, providerFailure } from './errors.ts'
import { claimMail, findMail, listMails, listSuppressions, markMail, RESENDS, type StoredMail } from './queries.ts'
import { maskAddress } from './rules.ts'
import { addressIndex, attemptMail } from './sending.ts'

const shown = ({ to_address, ...mail }: StoredMail): Mail => ({ ...mail, to_masked: maskAddress(to_address) })

export const mailRoutes: Routes = (app, services) => {
  app.get(
    '/v1/organizations/:id/mails',
    {
      config: {
        access: permission('mails.view_org'),
        latency: 'complex_read',
        summary: 'List the mails of an organization',
        description: 'Returns each mail with its status and a masked address, without its content.',
      },
      schema: { params: ById, querystring: listParameters(mailList), response: { 200: Many(Mail) } },
    },
    async (request) => {
      const list = parseList(mailList, request.query)
      const { rows, total } = await request.findPage((tx) => listMails(tx, list))
      return { data: rows.map(shown), pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/organizations/:id/mails/:mailId/resend',
    {
      config: {
        access: permission('mails.manage'),
        latency: 'complex_write',
        service: RESENDS,
        operationId: 'resendMail',
        summary: 'Send a mail again',
        description: 'Sends a mail that failed, was suppressed or is still queued, once and immediately.',
        refusals: [mailNotFound, mailNotResendable, mailSuppressed, providerFailure],
      },
      schema: { params: MailParams, response: { 200: One(Mail) } },
    },
    async (request) => {
      const { mailId } = request.params
      const { leased, listed } = await request.tenant(async (tx) => {
        const before = await findMail(tx, mailId)
        if (!before) throw mailNotFound()
        const leased = await claimMail(tx, mailId, services.now())
        if (!leased) throw mailNotResendable()
        const index = addressIndex(services.config, leased.to_address)
        return { leased, listed: (await listSuppressions(tx, [index])).get(index.toString('hex')) }
      })
      const { cause, ...attempt } = await attemptMail(services, leased, listed)
      // Nobody waits for a mail that a person sends by hand: it failed, and they know.
      const outcome = attempt.status === 'queued' ? { ...attempt, status: 'failed' as const } : attempt
      const after = await request.tenant(async (tx) => {
        await markMail(tx, outcome, stateAfterMail(outcome))
        const mail = await findMail(tx, mailId)
        if (!mail) throw mailNotFound()
        await request.audit(tx, {
          action: 'mails.resend',
          crud: 'U',
          target: { type: 'mail', id: mailId, label: mail.template },
          changes: changesBetween({}, { status: outcome.status, error: outcome.error ?? null }),
          outcome: outcome.status === 'sent' ? 'success' : 'failure',
        })
        return mail
      })
      if (outcome.status === 'suppressed') throw mailSuppressed()
      if (outcome.status === 'failed') {
        request.log.warn({ err: cause, mail: mailId, error: outcome.error }, 'mail was not sent')
        throw providerFailure()
      }
      return { data: shown(after) }
    },
  )
}
