import type { RunAnalytics } from '@tendon/contracts'

/** Polls until telemetry has written the recording. */
export async function finalised(read: () => Promise<RunAnalytics>): Promise<RunAnalytics> {
  for (;;) {
    const run = await read()
    if (run.media) return run
    await new Promise((done) => setTimeout(done, 200))
  }
}
