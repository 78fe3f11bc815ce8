import { systemContext } from '@tendon/access'
import { addJob, type Job, type JobTools } from '../../../platform/jobs.ts'
import { closeStaleRun, deleteExpiredTelemetry, endWithdrawnRuns, listStaleRuns } from './job-queries.ts'
import { STALE_AFTER_MS } from './rules.ts'
import { recordEnd } from './run.ts'

const CLOSE_JOB = 'close_stale_session_run'
export const END_WITHDRAWN_JOB = 'end_withdrawn_session_runs'
const MAX_STALE_RUNS_PER_BATCH = 500
const MAX_ROWS_PER_BATCH = 1_000

export const sessionRunJobs: readonly Job[] = [
  { name: 'find_stale_session_runs', cron: '*/5 * * * *', run: (_payload, tools) => findStale(tools) },
  { name: CLOSE_JOB, run: ({ session_run_id }, tools) => closeStale(String(session_run_id), tools) },
  { name: END_WITHDRAWN_JOB, run: ({ patient_profile_id }, tools) => endWithdrawn(String(patient_profile_id), tools) },
  { name: 'delete_expired_telemetry', cron: '41 3 * * *', run: (_payload, tools) => deleteExpired(tools) },
]

const staleBefore = ({ services }: JobTools) => new Date(services.now().getTime() - STALE_AFTER_MS)

/** A job for each, in its own organization: one that fails does not hold up the others. Those left over come next time. */
async function findStale(tools: JobTools): Promise<void> {
  const stale = await tools.tenant((tx) => listStaleRuns(tx, staleBefore(tools), MAX_STALE_RUNS_PER_BATCH))
  for (const { organization_id, session_run_id } of stale) {
    tools.signal.throwIfAborted()
    await tools.services.db.tenant(systemContext(organization_id), (tx) =>
      addJob(tx, CLOSE_JOB, { session_run_id }, { key: session_run_id }),
    )
  }
}

/** Repeated or late it does nothing: the run is locked, and asked again whether it is stale. */
async function closeStale(runId: string, tools: JobTools): Promise<void> {
  await tools.tenant(async (tx) => {
    const closed = await closeStaleRun(tx, runId, staleBefore(tools))
    if (closed) await recordEnd(tools, tx, { id: runId, ...closed }, 'ended_auto')
  })
}

/** Repeated or after a new consent it does nothing. */
async function endWithdrawn(profileId: string, tools: JobTools): Promise<void> {
  await tools.tenant(async (tx) => {
    for (const run of await endWithdrawnRuns(tx, profileId)) await recordEnd(tools, tx, run, 'ended_explicit')
  })
}

/** Objects go after their rows, by way of the list of unclaimed objects: see replay_blobs_release_object. */
async function deleteExpired({ tenant, services, signal }: JobTools): Promise<void> {
  let deleted: number
  do {
    signal.throwIfAborted()
    deleted = await tenant((tx) => deleteExpiredTelemetry(tx, services.now(), MAX_ROWS_PER_BATCH), { long: true })
  } while (deleted >= MAX_ROWS_PER_BATCH)
}
