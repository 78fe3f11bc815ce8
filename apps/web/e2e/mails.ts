import { until } from '@tendon/testing'
import type { LeasedMail } from '../../core/src/features/connections/mails/queries.ts'
import { render } from '../../core/src/features/connections/mails/sending.ts'
import type { WebServices } from './services.ts'

/** The mails about changes of staff wait for a minute: makes them due now. */
const endWaiting = (database: WebServices['database']) =>
  database.query(
    `update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier in ('bookings.send_notice', 'bookings.send_series_notice') and j.run_at > now()
       and j.locked_at is null`,
  )

/** The newest mail to an address, as it is sent. */
export async function mailTo({ database, services }: WebServices, address: string, template: string) {
  let mail: LeasedMail | undefined
  await until(async () => {
    await endWaiting(database)
    ;[mail] = await database.query<LeasedMail>(
      `select m.id, m.organization_id, m.to_address, m.template, m.language, m.data, m.kind, m.attempts, m.created_at,
         o.name as organization_name, o.slug as organization_slug, o.contact_email, o.time_zone
       from mail_outbox m join organizations o on o.id = m.organization_id
       where m.to_address = $1 and m.template = $2 order by m.id desc limit 1`,
      [address, template],
    )
    return mail !== undefined
  }, 30_000)
  if (!mail) throw new Error(`no mail to ${address}`)
  return { language: mail.language, ...render(services, mail, services.config.MAIL_FROM_ADDRESS) }
}
