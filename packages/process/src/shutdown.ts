interface ShutdownOptions {
  timeoutMs: number
  log: (line: string) => void
}

/**
 * On SIGTERM or SIGINT runs `stop` once and exits: 0 when it ended in time, 1 when it did not.
 * A second Ctrl-C does not cut the first short.
 */
export function stopOnSignal(stop: () => Promise<void>, { timeoutMs, log }: ShutdownOptions): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log(`${signal}: stopping`)
    setTimeout(() => {
      log(`not stopped after ${timeoutMs} ms; exiting`)
      process.exit(1)
    }, timeoutMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log(`stopping failed: ${error instanceof Error ? error.message : String(error)}`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
