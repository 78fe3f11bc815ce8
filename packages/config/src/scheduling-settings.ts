import * as parse from './parse.ts'

export const schedulingSettings = {
  MAX_HOLDS_PER_ADDRESS: {
    parse: parse.integer(1, 1_000_000),
    default: '3',
    about: 'Active public holds per clinic and IP address',
  },
  MAX_PUBLIC_HOLDS_PER_CLINIC: {
    parse: parse.integer(1, 1_000_000),
    default: '50',
    about: 'Active public holds per clinic',
  },
  MAX_HOLD_STREAMS_PER_ADDRESS: {
    parse: parse.integer(1, 1_000_000),
    default: '10',
    about: 'Open streams of holds per IP address',
  },
  MAX_HOLD_STREAMS: {
    parse: parse.integer(1, 1_000_000),
    default: '5000',
    about: 'Open streams of holds per process',
  },
  MAX_BOOKINGS_PER_ADDRESS_AND_DAY: {
    parse: parse.integer(1, 1_000_000),
    default: '10',
    about: 'Public bookings per day, clinic and IP address',
  },
  RATE_LIMIT_CALENDAR_FEED_PER_MINUTE: {
    parse: parse.integer(1, 10_000_000),
    default: '12',
    about: 'Requests of the calendar_feed policy per minute and IP address',
  },
  PDF_TIMEOUT_MS: {
    parse: parse.integer(1, 60_000),
    default: '5000',
    about: 'Timeout of rendering a document, including waiting',
  },
  PDF_PROCESSES: {
    parse: parse.integer(1, 32),
    default: '2',
    about:
      'Maximum number of rendering processes per server; started when needed. Each uses about half a core, or more for documents that take seconds',
  },
} as const
