import type { Database } from '@tendon/db'
import { Gauge, type Registry } from 'prom-client'

const BACKLOG = `
  select b.waiting, b.oldest_seconds,
    (select count(*) from graphile_worker.jobs
      where locked_at is null and attempts < max_attempts and run_at <= now()) as jobs_waiting,
    (select count(*) from graphile_worker.jobs where attempts >= max_attempts) as jobs_failed
  from outbox_backlog() b`

interface Backlog extends Record<string, number> {
  waiting: number
  oldest_seconds: number
  jobs_waiting: number
  jobs_failed: number
}

const UNKNOWN: Backlog = { waiting: NaN, oldest_seconds: NaN, jobs_waiting: NaN, jobs_failed: NaN }

/** How far the worker is behind. While the database does not answer, the numbers are NaN. */
export function gaugeWork(registry: Registry, db: Database, secondsSinceSealed: () => number): void {
  // The gauges of one scrape share one query.
  let reading: Promise<Backlog> | undefined
  const backlog = (): Promise<Backlog> => {
    reading ??= db
      .call<Backlog>(BACKLOG, [])
      .then(([row = UNKNOWN]) => row)
      .catch(() => UNKNOWN)
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
  gauge('outbox_waiting', 'Events not dispatched yet', async () => (await backlog()).waiting)
  gauge('outbox_oldest_seconds', 'Age of the oldest waiting event', async () => (await backlog()).oldest_seconds)
  gauge('jobs_waiting', 'Jobs that are due', async () => (await backlog()).jobs_waiting)
  gauge('jobs_failed', 'Jobs that failed their last attempt', async () => (await backlog()).jobs_failed)
  gauge('audit_seal_age_seconds', 'Time since this worker last sealed all audit entries', secondsSinceSealed)
}
