import type { Server } from 'node:http'
import type { Config } from '@tendon/config'
import type { Database } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import { parseRunTokenKeys } from '@tendon/run-token'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { Admission } from './admission/admission.ts'
import { OrganizationQuotas } from './admission/organization-quotas.ts'
import { findQuota } from './admission/quota-queries.ts'
import { listWithdrawals } from './consent/queries.ts'
import { Withdrawals } from './consent/withdrawals.ts'
import { buildFinaliser } from './finalise/build-finaliser.ts'
import type { FinaliseOptions } from './finalise/finalise.ts'
import type { FinaliserOptions } from './finalise/finaliser.ts'
import { type PoseThread, startPoseThread } from './finalise/threaded-pose-work.ts'
import { closeServer } from './http/close-server.ts'
import { createCors } from './http/cors.ts'
import { createHttpServer } from './http/server.ts'
import { createTokens } from './http/tokens.ts'
import { type BodyChecker, startBodyChecker } from './inflate/checker.ts'
import { createLifecycle } from './lifecycle.ts'
import type { LogFiles } from './log/files.ts'
import { checkLog, fullLogger } from './log/fullness.ts'
import { RunLog } from './log/run-log.ts'
import { createEventParser } from './media/event.ts'
import { createTelemetryMetrics } from './metrics.ts'
import { createPeriodicWork } from './periodic-work.ts'
import { createReadiness } from './readiness.ts'
import { Ingest } from './runs/ingest.ts'
import { Runs } from './runs/runs.ts'
import { createSafetyCheck } from './safe-database.ts'
import { version } from './version.ts'

/** A withdrawn consent is noticed within this time. */
const WITHDRAWALS_MS = 2_000
const SILENCE_CHECK_MS = 10_000
const TIDY_MS = 60_000
const MEGABYTE = 1024 * 1024

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
  const { config, files, db, objects, log: logger, now, elapsed } = options
  const lifecycle = createLifecycle(logger, options.onFatal)
  const { fail, isAccepting } = lifecycle

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

  const finaliser = buildFinaliser({
    runLog,
    runs,
    db,
    assertSafe: createSafetyCheck(db, logger, fail),
    objects,
    poseWork,
    metrics,
    logger,
    now,
    retryPauseMs: options.retryPauseMs,
    afterStep: options.afterStep,
  })
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
    isStopping: () => lifecycle.is('stopping'),
    cors: createCors([config.publicUrl, ...config.WEB_ORIGINS]),
    readiness: createReadiness({
      log: () => (lifecycle.is('recovering') ? { status: 'recovering' } : checkLog(runLog)),
      isAccepting: () => lifecycle.is('open'),
      database: () => db.ping(),
      objects: () => objects.check(),
    }),
    onAnswer: metrics.answered,
    onError: (error, requestId) => logger.error({ err: error, request_id: requestId }, 'request failed'),
  })

  const periodic = createPeriodicWork(logger, metrics)

  let starting: Promise<void> | undefined
  async function begin(): Promise<void> {
    const started = performance.now()
    const { damagedRecordings, damagedSegments } = await runLog.recover(runs.restorer())
    runs.restored(damagedRecordings, (recording) => runLog.isSetAside(recording))
    for (const recording of runs.all()) if (recording.sealed) finaliser.add(recording)
    await runLog.tidy()
    lifecycle.open()
    const ms = Math.round(performance.now() - started)
    const found = {
      runs: runs.size,
      bytes: runLog.bytes,
      damaged_segments: damagedSegments,
      aside: runLog.recordingsSetAside,
    }
    logger.info({ ...found, ms }, 'log read')
    if (damagedSegments > 0) metrics.failed('damaged_segment')
    periodic.every(WITHDRAWALS_MS, 'withdrawals', () => withdrawals.refresh())
    periodic.every(SILENCE_CHECK_MS, 'silence', () => ingest.sealSilent())
    periodic.every(TIDY_MS, 'tidy', () => runLog.tidy())
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
      lifecycle.stop()
      await starting?.catch(() => {}) // reported to the caller of start
      periodic.stop()
      await closeServer(server)
      await finaliser.stop()
      await Promise.all([checker.close(), poseWork.close(), runLog.close()])
    },
  }
}
