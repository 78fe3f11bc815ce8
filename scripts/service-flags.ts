/**
 * How Node runs the services. What a request makes dies with its answer: with room for it, collecting costs half. And old
 * memory may grow to four times what was in use, as it may under V8's own rules at best: else, now and then for good, bodies
 * that come in count as growth, and all of it is searched twice a second.
 */
export const SERVICE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=64',
  '--heap-growing-percent=300',
] as const
