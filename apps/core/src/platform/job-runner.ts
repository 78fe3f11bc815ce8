import { EventEmitter } from 'node:events'
import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import { isObject } from '@tendon/contracts'
import { urlFor } from '@tendon/db'
import { type JobHelpers, Logger as JobLogger, parseCronItems, run, type WorkerEvents } from 'graphile-worker'
import type { Logger } from 'pino'
import type { Services } from '../services.ts'
import { failureName } from './failure-name.ts'
import type { Job, JobPayload, JobTools } from './jobs.ts'

interface JobRunner {
  /** Takes no more jobs; resolves when the running ones have ended. */
  stop(): Promise<void>
  /** Rejects when the runner cannot continue. */
  ended: Promise<void>
}

/** Written by add_job; scheduled jobs come without. */
interface Envelope {
  organization_id: string | null
  payload: JobPayload
  /** The automation rules that led to the transaction that added the job. */
  automation_rule_ids: string[]
}

const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function envelopeIn(given: unknown): Envelope {
  const { organization_id, payload, automation_rule_ids }: JobPayload = isObject(given) ? given : {}
  return {
    organization_id: typeof organization_id === 'string' ? organization_id : null,
    payload: isObject(payload) ? payload : {},
    automation_rule_ids: isIds(automation_rule_ids) ? automation_rule_ids : [],
  }
}

const MAX_PARALLEL_JOBS = 5
const ABORT_TIMEOUT_MS = 5_000

export async function startJobRunner(
  services: Services,
  databaseUrl: string,
  jobs: readonly Job[],
  log: Logger,
): Promise<JobRunner> {
  const { config } = services
  const toolsFor = createTools(services, log)
  const runner = await run({
    connectionString: urlFor('tendon_worker', databaseUrl, config.DATABASE_ROLE_SECRET),
    schema: 'graphile_worker',
    concurrency: MAX_PARALLEL_JOBS,
    noHandleSignals: true,
    // Only when batched are the marks of ended jobs waited for at the stop; else a job that is done would run again.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    gracefulShutdownAbortTimeout: Math.max(0, config.SHUTDOWN_TIMEOUT_MS - ABORT_TIMEOUT_MS),
    events: nameListeningConnection(log),
    logger: jobLogger(log),
    parsedCronItems: parseCronItems(
      jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ task: name, match: cron, identifier: name }])),
    ),
    taskList: Object.fromEntries(
      jobs.map((job) => [job.name, (given: unknown, helpers: JobHelpers) => perform(job, envelopeIn(given), helpers)]),
    ),
  })

  async function perform(job: Job, envelope: Envelope, helpers: JobHelpers) {
    const tools = toolsFor(job, envelope, helpers)
    try {
      await job.run(envelope.payload, tools)
    } catch (error) {
      tools.log.error({ err: error, attempt: helpers.job.attempts }, 'job failed')
      // The message is kept in the job's row.
      throw new Error(failureName(error), { cause: error })
    }
  }

  return { stop: () => runner.stop(), ended: runner.promise }
}

function createTools(services: Services, log: Logger) {
  const auditLog = new AuditLog(services.box)
  return (
    job: Job,
    { organization_id: organizationId, automation_rule_ids: automationRuleIds }: Envelope,
    helpers: JobHelpers,
  ): JobTools => {
    const context = { ...systemContext(organizationId), automationRuleIds }
    return {
      services,
      log: log.child({ job: job.name, job_id: helpers.job.id }),
      organizationId,
      tenant: (work, options) => services.db.tenant(context, work, options),
      audit: (tx, entry, of = organizationId) => auditLog.write(tx, { ...SYSTEM, organizationId: of }, entry),
      lastAttempt: helpers.job.attempts >= helpers.job.max_attempts,
      signal: helpers.abortSignal ?? new AbortController().signal,
    }
  }
}

/** Names the listening connection after its pool, which is also what locked jobs are named after: see freeOrphanedJobs. */
function nameListeningConnection(log: Logger): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:listen:success', ({ client, workerPool }) => {
    // Wait for its LISTEN.
    client.once('drain', () => {
      client
        .query(`select set_config('application_name', $1, false)`, [workerPool.id])
        .catch((error: unknown) => log.warn({ err: error }, 'worker heartbeat failed'))
    })
  })
  return events
}

function jobLogger(log: Logger): JobLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new JobLogger(() => (level, message) => log[levels[level as keyof typeof levels]](message))
}
