/**
 * V8 flags of the services. Objects of a request die with its response: a larger young generation halves the cost of
 * collection. The old generation may grow to four times its live size; V8's own limit sometimes drops permanently
 * because incoming bodies count as growth, and then it collects everything twice a second: p99 of telemetry 28 ms instead
 * of 4 (bench/NOTES.md).
 */
export const SERVICE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=64',
  '--heap-growing-percent=300',
] as const
