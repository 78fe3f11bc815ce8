/**
 * Why a request failed. Only the name is kept, shown or logged: messages of sockets and TLS quote addresses and
 * certificates of networks that are none of the caller's business.
 */
export type OutboundFailure =
  | 'invalid_url'
  | 'address_refused'
  | 'dns'
  | 'timeout'
  | 'tls'
  | 'refused'
  | 'connection_lost'
  | 'invalid_response'
  | 'too_large'

export class OutboundError extends Error {
  readonly failure: OutboundFailure

  constructor(failure: OutboundFailure, options?: ErrorOptions) {
    super(failure, options)
    this.name = 'OutboundError'
    this.failure = failure
  }
}

const FAILURES: readonly [RegExp, OutboundFailure][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, 'refused'],
  [/TIMEOUT|^ETIMEDOUT$|^TimeoutError$|^AbortError$|^UND_ERR_ABORTED$/, 'timeout'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_|EBADNAME|EREFUSED|ETIMEOUT|ECANCELLED|EFORMERR|EBADRESP)/, 'dns'],
  [/^ERR_TLS|^ERR_SSL|CERT|SIGNED|UNABLE_TO|^EPROTO$|HOSTNAME_MISMATCH/, 'tls'],
  [/^HPE_|^HTTPParserError$|UND_ERR_(HEADERS_OVERFLOW|RESPONSE|INVALID)/, 'invalid_response'],
]

/** Gives any error of DNS, TCP, TLS or HTTP its name. */
export function outboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
    const code = 'code' in cause ? cause.code : undefined
    for (const name of [code, cause.name]) {
      const found = FAILURES.find(([pattern]) => typeof name === 'string' && pattern.test(name))
      if (found) return new OutboundError(found[1], { cause: error })
    }
  }
  return new OutboundError('connection_lost', { cause: error })
}
