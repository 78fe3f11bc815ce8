import * as parse from './parse.ts'

/** Rendering of documents. */
export const documentSettings = {
  PDF_TIMEOUT_MS: {
    parse: parse.integer(1, 60_000),
    default: '5000',
    about: 'Timeout of rendering a document, waiting included',
  },
  PDF_PROCESSES: {
    parse: parse.integer(1, 32),
    default: '2',
    about: 'Most processes of one server that render documents; started when needed',
  },
} as const
