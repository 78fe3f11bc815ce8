import type { TelemetryReadiness } from '@tendon/contracts'
import type { Logger } from 'pino'
import type { LogName } from './record.ts'
import type { RunLog } from './run-log.ts'

const LOG_INTERVAL_MS = 60_000

/** The state of the log for `/v1/readyz`, with the reason when data is refused. */
export function checkLog(log: RunLog): TelemetryReadiness['checks']['log'] {
  if (log.refusal('control') === 'failed' || log.refusal('bulk') === 'failed') return { status: 'failed' }
  const control = log.fullReason('control')
  if (control !== undefined) return { status: 'full', reason: `${control} Nothing can be stored.` }
  const bulk = log.fullReason('bulk')
  return bulk === undefined ? { status: 'healthy' } : { status: 'degraded', reason: `${bulk} Pose batches are shed.` }
}

/** Logs that a log is full, at most once a minute for each log. */
export function fullLogger(logger: Logger, elapsed = () => performance.now()) {
  const loggedAt: Partial<Record<LogName, number>> = {}
  return (log: LogName, reason: string): void => {
    if (elapsed() - (loggedAt[log] ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return
    loggedAt[log] = elapsed()
    logger.warn({ log, reason }, log === 'bulk' ? 'log full: pose batches are shed' : 'log full: nothing can be stored')
  }
}
