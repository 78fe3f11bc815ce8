/** Node checks connections at intervals, so a request may be late by one of them. */
const CHECKS_PER_TIMEOUT = 15

/** Options of Node's HTTP server with which the headers of a request must arrive within `timeoutMs`. */
export function headerTimeout(timeoutMs: number): { headersTimeout: number; connectionsCheckingInterval: number } {
  const connectionsCheckingInterval = Math.ceil(timeoutMs / CHECKS_PER_TIMEOUT)
  return { headersTimeout: timeoutMs - connectionsCheckingInterval, connectionsCheckingInterval }
}
