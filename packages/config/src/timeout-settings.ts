import * as parse from './parse.ts'

export const timeoutSettings = {
  CONNECTION_WAIT_MS: {
    parse: parse.integer(10, 60_000),
    default: '5000',
    about: 'How long a request waits for a connection to the database before it is refused with 503',
  },
  STATEMENT_TIMEOUT_MS: { parse: parse.integer(10, 60_000), default: '5000', about: 'Timeout of a single query' },
  LONG_STATEMENT_TIMEOUT_MS: {
    parse: parse.integer(10, 600_000),
    default: '30000',
    about: 'Timeout of a single query of exports and reports',
  },
  REQUEST_TIMEOUT_MS: { parse: parse.integer(100, 120_000), default: '30000', about: 'Timeout of a request' },
  HEADERS_TIMEOUT_MS: {
    parse: parse.integer(100, 60_000),
    default: '15000',
    about: 'Timeout of the headers of a request, in every HTTP server',
  },
  BODY_TIMEOUT_MS: {
    parse: parse.integer(100, 120_000),
    default: '15000',
    about: 'Timeout of a whole JSON body, and of an upload without a byte',
  },
  LONG_REQUEST_TIMEOUT_MS: {
    parse: parse.integer(100, 600_000),
    default: '120000',
    about: 'Timeout of a request of exports and reports',
  },
  SHUTDOWN_TIMEOUT_MS: {
    parse: parse.integer(100, 120_000),
    default: '15000',
    about: 'Timeout for requests in progress after SIGTERM',
  },
} as const
