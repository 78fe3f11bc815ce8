import type { Database } from '@tendon/db'
import { Gauge, type Registry } from 'prom-client'

const BACKLOG = `
  select o.waiting as outbox_waiting, o.oldest_seconds as outbox_oldest_seconds,
    m.waiting as mails_waiting, m.oldest_seconds as mails_oldest_seconds,
    w.waiting as webhooks_waiting, w.oldest_seconds as webhooks_oldest_seconds,
    (select count(*) from graphile_worker.jobs
      where locked_at is null and attempts < max_attempts and run_at <= now()) as jobs_waiting,
    (select count(*) from graphile_worker.jobs where attempts >= max_attempts) as jobs_failed
  from outbox_backlog() o, mail_backlog() m, webhook_backlog() w`

const BACKLOG_GAUGES = {
  outbox_waiting: 'Events not dispatched yet',
  outbox_oldest_seconds: 'Age of the oldest waiting event',
  mails_waiting: 'Mails that are due and not being sent',
  mails_oldest_seconds: 'Time for which the oldest of these mails is due',
  webhooks_waiting: 'Webhook deliveries that are due and not being sent',
  webhooks_oldest_seconds: 'Time for which the oldest of these deliveries is due',
  jobs_waiting: 'Jobs that are due',
  jobs_failed: 'Jobs that failed their last attempt',
}

type Backlog = Record<keyof typeof BACKLOG_GAUGES, number>

/** How far the worker is behind. While the database does not answer, the numbers are NaN. */
export function gaugeWork(registry: Registry, db: Database, secondsSinceSealed: () => number): void {
  // The gauges of one scrape share one query.
  let reading: Promise<Backlog | undefined> | undefined
  const backlog = (): Promise<Backlog | undefined> => {
    reading ??= db
      .call<Backlog>(BACKLOG, [])
      .then(([row]) => row)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const gauge = (name: string, help: string, read: () => Promise<number> | number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read())
        },
      }),
    )
  for (const [name, help] of Object.entries(BACKLOG_GAUGES))
    gauge(name, help, async () => (await backlog())?.[name as keyof Backlog] ?? NaN)
  gauge('audit_seal_age_seconds', 'Time since this worker last sealed all audit entries', secondsSinceSealed)
}
