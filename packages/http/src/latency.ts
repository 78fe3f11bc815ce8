/** Response times that the specification sets for each class of routes, in milliseconds. */
export const LATENCY_TARGETS = {
  simple_read: { p95: 100, p99: 200 },
  complex_read: { p95: 300, p99: 500 },
  simple_write: { p95: 200, p99: 400 },
  complex_write: { p95: 500, p99: 1_000 },
  report: { p95: 5_000, p99: 10_000 },
} as const
export type LatencyClass = keyof typeof LATENCY_TARGETS

/** The default class is a simple read or write, by the method. */
export const latencyClassOf = (method: string, named?: LatencyClass): LatencyClass =>
  named ?? (method.toUpperCase() === 'GET' ? 'simple_read' : 'simple_write')
