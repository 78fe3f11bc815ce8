import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Answered } from './http/exchange.ts'

/** Metrics of the service. Every discard has a name. */
export interface TelemetryMetrics {
  answered(answer: Answered): void
  discarded(name: string): void
  finalised(seconds: number): void
  failed(what: string): void
}

interface Gauges {
  log_bytes: () => number
  runs: () => number
  finalise_backlog: () => number
  recordings_set_aside: () => number
  oldest_append_ms: () => number
}

const HELP: Record<keyof Gauges, string> = {
  log_bytes: 'Bytes of the log on disk',
  runs: 'Runs with data that is not finalised yet',
  finalise_backlog: 'Recordings waiting to be finalised',
  recordings_set_aside: 'Recordings set aside because the database refuses them',
  oldest_append_ms: 'Wait of the oldest pending pose append',
}

export function createTelemetryMetrics(registry: Registry, gauges: Gauges): TelemetryMetrics {
  const registers = [registry]
  const answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to its response',
    labelNames: ['route', 'status', 'code'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1],
    registers,
  })
  const discards = new Counter({
    name: 'telemetry_discards_total',
    help: 'Discarded data, by name',
    labelNames: ['name'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'telemetry_failures_total',
    help: 'Failures, by name',
    labelNames: ['what'] as const,
    registers,
  })
  const finalised = new Histogram({
    name: 'telemetry_finalise_seconds',
    help: 'Time to finalise a recording',
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
