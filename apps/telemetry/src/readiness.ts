import type { TelemetryReadiness } from '@tendon/contracts'
import { check, shareRuns } from '@tendon/process'

/** A degraded service accepts events and sheds pose batches: it stays in service. */
const STATUS: Partial<Record<LogCheck['status'], TelemetryReadiness['status']>> = {
  healthy: 'ready',
  degraded: 'degraded',
}

type LogCheck = TelemetryReadiness['checks']['log']

interface ReadinessOptions {
  log: () => LogCheck
  isAccepting: () => boolean
  database: () => Promise<unknown>
  objects: () => Promise<unknown>
}

/** The log decides. The database and the object store are only reported, since data is accepted without them. */
export function createReadiness({ log, isAccepting, database, objects }: ReadinessOptions) {
  const askOthers = shareRuns(() => Promise.all([check(database), check(objects)]))
  return async (): Promise<TelemetryReadiness> => {
    const [postgresql, store] = await askOthers()
    const logCheck = log()
    return {
      status: isAccepting() ? (STATUS[logCheck.status] ?? 'not_ready') : 'not_ready',
      checks: { log: logCheck, postgresql: { status: postgresql }, object_store: { status: store } },
    }
  }
}
