import type { Logger } from 'pino'
import type { TelemetryMetrics } from './metrics.ts'

/** Repeats work until it is stopped. A failure is logged and counted; the next round comes all the same. */
export function createPeriodicWork(logger: Logger, metrics: Pick<TelemetryMetrics, 'failed'>) {
  const timers: NodeJS.Timeout[] = []
  return {
    every(ms: number, what: string, work: () => Promise<void>): void {
      const timer = setInterval(() => {
        work().catch((error: unknown) => {
          metrics.failed(what)
          logger.warn({ err: error }, `${what} failed`)
        })
      }, ms)
      timers.push(timer.unref())
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
