import type { TelemetryReadiness } from '@tendon/contracts'

const CHECK_TIMEOUT_MS = 2_000
const CACHE_MS = 500
/** A degraded service accepts events and sheds pose batches: it stays in service. */
const STATUS: Partial<Record<LogCheck['status'], TelemetryReadiness['status']>> = {
  healthy: 'ready',
  degraded: 'degraded',
}

type LogCheck = TelemetryReadiness['checks']['log']

export interface ReadinessOptions {
  log: () => LogCheck
  isAccepting: () => boolean
  database: () => Promise<unknown>
  objects: () => Promise<unknown>
}

/** The log decides. The database and the object store are only reported, since data is accepted without them. */
export function createReadiness({ log, isAccepting, database, objects }: ReadinessOptions) {
  const askOthers = shared(() => Promise.all([check(database), check(objects)]))
  return async (): Promise<TelemetryReadiness> => {
    const [postgresql, store] = await askOthers()
    const logCheck = log()
    return {
      status: isAccepting() ? (STATUS[logCheck.status] ?? 'not_ready') : 'not_ready',
      checks: { log: logCheck, postgresql: { status: postgresql }, object_store: { status: store } },
    }
  }
}

async function check(probe: () => Promise<unknown>): Promise<'healthy' | 'unhealthy'> {
  const late = Promise.withResolvers<'unhealthy'>()
  const timer = setTimeout(() => late.resolve('unhealthy'), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([late.promise, probe().then(() => 'healthy' as const)])
  } catch {
    return 'unhealthy'
  } finally {
    clearTimeout(timer)
  }
}

/** Shares one check among all requests during it and shortly after: the endpoint is public. */
function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | undefined
  return () => {
    latest ??= run().finally(() => {
      setTimeout(() => {
        latest = undefined
      }, CACHE_MS).unref()
    })
    return latest
  }
}
