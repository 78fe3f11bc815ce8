import { randomUUID } from 'node:crypto'
import { mailTemplate } from '@tendon/mail'
import { startSmtpServer } from '@tendon/testing'
import { createServices } from '../../../create-services.ts'
import type { Services } from '../../../services.ts'
import { startCore } from '../../../testing/core.ts'

const news = () => ({ subject: 'News of the clinic', body: ['Our new pool is open.'] })
const visit = () => ({ subject: 'Your visit', body: ['See you tomorrow.'] })
export const newsletter = mailTemplate({ name: 'newsletter', kind: 'marketing', en: news, ro: news })
export const reminder = mailTemplate({ name: 'visit_reminder', kind: 'care', en: visit, ro: visit })

/** A core API, an SMTP server, and the services of a worker whose clock the test moves. */
export async function startCoreAndMail() {
  const smtp = await startSmtpServer()
  const core = await startCore({
    env: {
      OUTBOUND_ALLOW_PRIVATE: 'true',
      MAIL_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM_ADDRESS: 'mail@tendon.example',
    },
  })
  const made = createServices(core.config, 'tendon_worker', core.database.url)
  const clock = { now: new Date() }
  const mailTemplates = new Map([...made.mailTemplates, [newsletter.name, newsletter], [reminder.name, reminder]])
  const worker: Services = { ...made, mailTemplates, now: () => clock.now }

  return {
    ...core,
    smtp,
    worker,
    clock,
    /** Writes a row as sendMail does. */
    async queue(values: Record<string, unknown>): Promise<string> {
      const row = {
        to_address: `${randomUUID()}@mail.example`,
        template: 'visit_reminder',
        kind: 'care',
        language: 'en',
        data: '{"visit":1}',
        next_attempt_at: new Date(0),
        ...values,
      }
      const columns = Object.keys(row)
      const [added] = await core.database.query<{ id: string }>(
        `insert into mail_outbox (${columns.join()}) values (${columns.map((_, at) => `$${at + 1}`).join()}) returning id`,
        Object.values(row),
      )
      return added?.id ?? ''
    },
    async rowOf(id: string) {
      const [row] = await core.database.query<{
        status: string
        attempts: number
        last_error: string | null
        provider: string | null
        sent_at: string | null
        next_attempt_at: string
      }>('select status, attempts, last_error, provider, sent_at, next_attempt_at from mail_outbox where id = $1', [id])
      return row
    },
    async close() {
      await made.close()
      await core.close()
      await smtp.close()
    },
  }
}
