import type { Server } from 'node:http'
import type { Config } from '@tendon/config'
import { type Database, DatabaseRefused } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import { parseRunTokenKeys } from '@tendon/run-token'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { Admission } from './admission/admission.ts'
import { OrganizationQuotas } from './admission/organization-quotas.ts'
import { findQuota } from './admission/quota-queries.ts'
import { listWithdrawals } from './consent/queries.ts'
import { Withdrawals } from './consent/withdrawals.ts'
import { type FinaliseOptions, finalise } from './finalise/finalise.ts'
import { Finaliser, type FinaliserOptions } from './finalise/finaliser.ts'
import { type PoseThread, startPoseThread } from './finalise/threaded-pose-work.ts'
import { createCors } from './http/cors.ts'
import { createHttpServer } from './http/server.ts'
import { createTokens } from './http/tokens.ts'
import { type BodyChecker, startBodyChecker } from './inflate/checker.ts'
import type { LogFiles } from './log/files.ts'
import { checkLog, fullLogger } from './log/fullness.ts'
import { RunLog } from './log/run-log.ts'
import { createEventParser } from './media/event.ts'
import { createTelemetryMetrics } from './metrics.ts'
import { createReadiness } from './readiness.ts'
import { Ingest } from './runs/ingest.ts'
import type { Recording } from './runs/recording.ts'
import { Runs } from './runs/runs.ts'
import { version } from './version.ts'

/** A withdrawn consent is noticed within this time. */
const WITHDRAWALS_MS = 2_000
const SILENCE_CHECK_MS = 10_000
const TIDY_MS = 60_000
const DRAIN_MS = 5_000
const MEGABYTE = 1024 * 1024

const SET_ASIDE =
  'recording set aside: the database refuses it (err). Its data is kept in a file of the log folder. Fix the cause; it is retried every hour and at every start'

const UNREADABLE = 'records could not be read: the rest of the run is kept, and the run is marked incomplete'

export interface TelemetryOptions {
  config: Config
  files: LogFiles
  db: Pick<Database, 'tenant' | 'ping' | 'assertSafe'>
  objects: ObjectStore
  registry: Registry
  log: Logger
  now: () => number
  /** A monotonic clock of the log, in milliseconds; `performance.now` by default. */
  elapsed?: () => number
  maxLogBytes?: number
  /** Called when the log or a thread has failed: nothing more is acknowledged, and the process must be restarted. */
  onFatal: (error: Error) => void
  /** Replace the threads in tests. */
  checker?: BodyChecker
  poseWork?: PoseThread
  retryPauseMs?: FinaliserOptions['pauseMs']
  afterStep?: FinaliseOptions['afterStep']
}

export interface Telemetry {
  server: Server
  ingest: Ingest
  runs: Runs
  quotas: OrganizationQuotas
  withdrawals: Withdrawals
  /** Reads the log and starts accepting data. */
  start(): Promise<void>
  /** Completes work in progress. Acknowledged data is never lost. */
  stop(): Promise<void>
}

export function buildTelemetry(options: TelemetryOptions): Telemetry {
  const { config, files, db, objects, log: logger, now, elapsed, afterStep } = options
  let state: 'recovering' | 'open' | 'stopping' | 'failed' = 'recovering'
  const fail = (error: Error) => {
    state = 'failed'
    logger.fatal({ err: error }, 'telemetry failed')
    options.onFatal(error)
  }

  const runLog = new RunLog({
    files,
    now,
    maxBytes: options.maxLogBytes ?? config.TELEMETRY_LOG_MAX_MB * MEGABYTE,
    ...(elapsed ? { elapsed } : {}),
    onFull: fullLogger(logger, elapsed),
    onFailure: fail,
  })
  const runs = new Runs()
  const metrics = createTelemetryMetrics(options.registry, {
    log_bytes: () => runLog.bytes,
    runs: () => runs.size,
    finalise_backlog: () => finaliser.backlog,
    recordings_set_aside: () => runLog.recordingsSetAside,
    oldest_append_ms: () => runLog.oldestWaitMs('bulk'),
  })
  const checker = options.checker ?? startBodyChecker(fail)
  const poseWork =
    options.poseWork ??
    startPoseThread((reason) => {
      metrics.failed('measurement')
      logger.error({ reason }, 'measurement failed')
    })

  function reportUnreadable({ id, runId, organizationId }: Recording, records: number): void {
    for (let record = 0; record < records; record += 1) metrics.discarded('unreadable_record')
    logger.warn({ run: runId, recording: id, organization: organizationId, records }, UNREADABLE)
  }

  let isSafe = false
  const finaliser = new Finaliser({
    runs,
    tidy: () => runLog.tidy(),
    isSetAside: (recording) => runLog.isSetAside(recording),
    pauseMs: options.retryPauseMs,
    async setAside(recording, refusal) {
      const marks = { ended: recording.sealed === 'ended', damaged: recording.damaged }
      const unreadable = await runLog.setAside(recording.origin, now(), marks)
      if (unreadable > 0) reportUnreadable(recording, unreadable)
      metrics.failed('set_aside')
      const names = { run: recording.runId, recording: recording.id, organization: recording.organizationId }
      logger.error({ ...names, ...(refusal === undefined ? {} : { err: refusal }) }, SET_ASIDE)
    },
    async finalise(recording) {
      const started = performance.now()
      if (!isSafe) await assertSafe()
      await finalise(
        {
          log: runLog,
          db,
          objects,
          startPoseWork: poseWork.start,
          now,
          onDiscard: metrics.discarded,
          onUnreadable: reportUnreadable,
          ...(afterStep ? { afterStep } : {}),
        },
        recording,
      )
      metrics.finalised((performance.now() - started) / 1000)
    },
    onFinalised: ({ runId, sealed, frames, entries }) =>
      logger.info({ run: runId, sealed, frames, entries }, 'run finalised'),
    onFailure: (error, { runId }) => {
      metrics.failed('finalise')
      logger.warn({ err: error, run: runId }, 'finalise failed; retrying')
    },
  })

  /** An unavailable database is temporary; one that does not separate organizations is fatal. */
  async function assertSafe(): Promise<void> {
    const warnings = await db.assertSafe().catch((error: Error) => {
      if (error instanceof DatabaseRefused) fail(error)
      throw error
    })
    for (const warning of warnings) logger.warn(warning)
    isSafe = true
  }

  const ingest = new Ingest({
    log: runLog,
    runs,
    now,
    onDiscard: metrics.discarded,
    onSealed: (recording) => finaliser.add(recording),
  })
  const quotas = new OrganizationQuotas({
    now,
    fallback: {
      pose: config.TELEMETRY_ORGANIZATION_POSE_PER_SECOND,
      media: config.TELEMETRY_ORGANIZATION_MEDIA_PER_SECOND,
    },
    find: (run) => findQuota(db, run),
  })
  const withdrawals = new Withdrawals({ now, list: (since) => listWithdrawals(db, since) })
  const admission = new Admission({
    log: runLog,
    checker,
    now,
    quotas,
  })
  let hasReadLog = false
  const isAccepting = () => hasReadLog && (state === 'open' || state === 'stopping')
  const server = createHttpServer({
    admission,
    checker,
    ingest,
    parser: createEventParser(),
    withdrawals,
    now,
    tokens: createTokens(parseRunTokenKeys(config.RUN_TOKEN_KEYS), now),
    version,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    isAccepting,
    isStopping: () => state === 'stopping',
    cors: createCors([config.publicUrl, ...config.WEB_ORIGINS]),
    readiness: createReadiness({
      log: () => (state === 'recovering' ? { status: 'recovering' } : checkLog(runLog)),
      isAccepting: () => state === 'open',
      database: () => db.ping(),
      objects: () => objects.check(),
    }),
    onAnswer: metrics.answered,
    onError: (error, requestId) => logger.error({ err: error, request_id: requestId }, 'request failed'),
  })

  const timers: NodeJS.Timeout[] = []
  const every = (ms: number, what: string, work: () => Promise<void>) => {
    const timer = setInterval(() => {
      work().catch((error: unknown) => {
        metrics.failed(what)
        logger.warn({ err: error }, `${what} failed`)
      })
    }, ms)
    timers.push(timer.unref())
  }

  let starting: Promise<void> | undefined
  async function begin(): Promise<void> {
    const started = performance.now()
    const { damagedRecordings, damagedSegments } = await runLog.recover(runs.restorer())
    runs.restored(damagedRecordings, (recording) => runLog.isSetAside(recording))
    for (const recording of runs.all()) if (recording.sealed) finaliser.add(recording)
    await runLog.tidy()
    hasReadLog = true
    if (state === 'recovering') state = 'open'
    const ms = Math.round(performance.now() - started)
    const found = {
      runs: runs.size,
      bytes: runLog.bytes,
      damaged_segments: damagedSegments,
      aside: runLog.recordingsSetAside,
    }
    logger.info({ ...found, ms }, 'log read')
    if (damagedSegments > 0) metrics.failed('damaged_segment')
    every(WITHDRAWALS_MS, 'withdrawals', () => withdrawals.refresh())
    every(SILENCE_CHECK_MS, 'silence', () => ingest.sealSilent())
    every(TIDY_MS, 'tidy', () => runLog.tidy())
  }

  return {
    server,
    ingest,
    runs,
    quotas,
    withdrawals,
    start() {
      starting = begin()
      return starting
    },
    async stop() {
      state = 'stopping'
      await starting?.catch(() => {}) // reported to the caller of start
      for (const timer of timers) clearInterval(timer)
      await closed(server)
      await finaliser.stop()
      await Promise.all([checker.close(), poseWork.close(), runLog.close()])
    },
  }
}

/** Lets requests in progress finish, then closes the remaining connections. */
async function closed(server: Server): Promise<void> {
  if (!server.listening) return
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(patience)
}
