import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Answered } from './http/exchange.ts'

/** What the service tells of itself. Every discard has a name. */
export interface TelemetryMetrics {
  answered(answer: Answered): void
  discarded(name: string): void
  finalised(seconds: number): void
  failed(what: string): void
}

export interface Gauges {
  log_bytes: () => number
  runs: () => number
  finalise_backlog: () => number
  takes_aside: () => number
  oldest_append_ms: () => number
}

const HELP: Record<keyof Gauges, string> = {
  log_bytes: 'Bytes of the log on disk',
  runs: 'Runs with data that is not finalised',
  finalise_backlog: 'Takes that wait to be finalised',
  takes_aside: 'Takes that are refused and were set aside',
  oldest_append_ms: 'How long the oldest append of pose waits',
}

export function createTelemetryMetrics(registry: Registry, gauges: Gauges): TelemetryMetrics {
  const registers = [registry]
  const answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s headers to its answer',
    labelNames: ['route', 'status', 'code'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1],
    registers,
  })
  const discards = new Counter({
    name: 'telemetry_discards_total',
    help: 'What was not kept, by name',
    labelNames: ['name'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'telemetry_failures_total',
    help: 'What failed, by name',
    labelNames: ['what'] as const,
    registers,
  })
  const finalised = new Histogram({
    name: 'telemetry_finalise_seconds',
    help: 'Time to finalise a take',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 30],
    registers,
  })
  for (const [name, value] of Object.entries(gauges)) {
    new Gauge({
      name: `telemetry_${name}`,
      help: HELP[name as keyof Gauges],
      registers,
      collect() {
        this.set(value())
      },
    })
  }
  return {
    answered: ({ route, status, code, ms }) => answers.observe({ route, status, code }, ms / 1000),
    discarded: (name) => discards.inc({ name }),
    finalised: (seconds) => finalised.observe(seconds),
    failed: (what) => failures.inc({ what }),
  }
}
