/**
 * V8 flags of the services. Objects of a request die with its response, so most memory is the young generation, which
 * never shrinks. With this limit a core process holds 195 MB after some load instead of 278; processor time per request
 * shows no clear difference (bench/NOTES.md).
 */
export const SERVICE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'] as const

/**
 * The telemetry service receives thousands of bodies a second: a large young generation halves the cost of collection.
 * The old generation may grow to four times its live size; V8's own limit sometimes drops permanently because incoming
 * bodies count as growth, and then it collects everything twice a second: p99 28 ms instead of 4.
 */
export const TELEMETRY_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=64',
  '--heap-growing-percent=300',
] as const
