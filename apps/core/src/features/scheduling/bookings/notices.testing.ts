import type { TestDatabase } from '@tendon/testing'
import type { Services } from '../../../services.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { bookingJobs } from './jobs.ts'

interface WaitingNotice extends Record<string, unknown> {
  id: string
  name: string
  run_at: Date
  payload: { organization_id: string; payload: Record<string, unknown> }
}

/** Jobs that tell patients what staff changed, the oldest first; of one clinic, or of all. */
export const listNotices = (database: TestDatabase, organizationId: string | null = null) =>
  database.query<WaitingNotice>(
    `select j.id, t.identifier as name, j.run_at, j.payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier in ('bookings.send_notice', 'bookings.send_series_notice')
       and ($1::text is null or j.payload ->> 'organization_id' = $1)
     order by j.id`,
    [organizationId],
  )

/** Runs them, as if their time had come. */
export async function runNotices(database: TestDatabase, worker: Services, organizationId: string | null = null) {
  for (const { id, name, payload } of await listNotices(database, organizationId)) {
    await database.query('delete from graphile_worker._private_jobs where id = $1', [id])
    const job = bookingJobs.find((one) => one.name === name)
    await job?.run(payload.payload, jobTools(worker, payload.organization_id))
  }
}
