import type { TelemetryReadiness } from '@tendon/contracts'

const CHECK_TIMEOUT_MS = 2_000
const CACHE_MS = 500

export interface ReadinessOptions {
  log: () => TelemetryReadiness['checks']['log']['status']
  isAccepting: () => boolean
  database: () => Promise<unknown>
  objects: () => Promise<unknown>
}

/** The log decides. The database and the object store are only reported, since data is accepted without them. */
export function createReadiness({ log, isAccepting, database, objects }: ReadinessOptions) {
  const askOthers = shared(() => Promise.all([check(database), check(objects)]))
  return async (): Promise<TelemetryReadiness> => {
    const [postgresql, store] = await askOthers()
    const status = log()
    const ready = isAccepting() && status === 'healthy'
    return {
      status: ready ? 'ready' : 'not_ready',
      checks: { log: { status }, postgresql: { status: postgresql }, object_store: { status: store } },
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
