import type { Logger } from 'pino'

/** recovering: the log is being read. open: data is accepted. stopping: what is in progress ends. failed: must be restarted. */
type Status = 'recovering' | 'open' | 'stopping' | 'failed'

export function createLifecycle(logger: Logger, onFatal: (error: Error) => void) {
  let status: Status = 'recovering'
  let hasReadLog = false
  return {
    is: (one: Status) => status === one,
    isAccepting: () => hasReadLog && (status === 'open' || status === 'stopping'),
    open(): void {
      hasReadLog = true
      if (status === 'recovering') status = 'open'
    },
    stop(): void {
      status = 'stopping'
    },
    fail(error: Error): void {
      status = 'failed'
      logger.fatal({ err: error }, 'telemetry failed')
      onFatal(error)
    },
  }
}
