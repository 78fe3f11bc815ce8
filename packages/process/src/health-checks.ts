const CHECK_TIMEOUT_MS = 2_000
const SHARED_MS = 500

export type Checked = 'healthy' | 'unhealthy'

/** Whether a dependency answers in time. */
export async function check(probe: () => Promise<unknown>): Promise<Checked> {
  const late = Promise.withResolvers<Checked>()
  const timer = setTimeout(late.resolve, CHECK_TIMEOUT_MS, 'unhealthy')
  try {
    return await Promise.race([late.promise, probe().then((): Checked => 'healthy')])
  } catch {
    return 'unhealthy'
  } finally {
    clearTimeout(timer)
  }
}

/** One run serves all requests during it and shortly after: health endpoints are public, and a run may write a file. */
export function shareRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | undefined
  return () => {
    latest ??= run().finally(() => {
      setTimeout(() => {
        latest = undefined
      }, SHARED_MS).unref()
    })
    return latest
  }
}
