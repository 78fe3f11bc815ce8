import { Readable } from 'node:stream'
import type { AuditLogEntry } from '@tendon/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { csvHeader, csvLineOf } from './csv.ts'

/** One page of entries and how to read the next; undefined at the end. */
export interface Page {
  entries: AuditLogEntry[]
  next: (() => Promise<Page>) | undefined
}

/** A stream that reads the next page only when the client has taken the one before. */
export function streamCsv(first: Page): Readable {
  return Readable.from(linesOf(first))
}

async function* linesOf(first: Page): AsyncGenerator<string> {
  yield csvHeader
  for (let page: Page | undefined = first; page; page = await page.next?.()) {
    if (page.entries.length > 0) yield page.entries.map(csvLineOf).join('')
  }
}

/**
 * A file cut short must not look whole. Chunked answers show a cut by themselves, but behind a proxy that speaks HTTP/1.0
 * a closed connection is the normal end: only a reset one is an error everywhere.
 */
export function resetWhenCutShort(stream: Readable, request: FastifyRequest, reply: FastifyReply): void {
  const reset = () => {
    if (!reply.raw.writableFinished) request.raw.socket.resetAndDestroy()
  }
  stream.once('error', reset)
  request.signal.addEventListener('abort', reset, { once: true })
}
