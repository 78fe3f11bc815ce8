import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'

const NONE = Buffer.alloc(0)
/** A chunk costs two hundred bytes beside its content, and a client may send one byte at a time. */
const MAX_CHUNKS = 256

export type Body = Buffer | 'too_large' | 'aborted'

/** The announced length, if any. The received bytes are counted in any case. */
export function announcedBytes({ headers }: IncomingMessage, otherwise: number): number {
  return Number(headers['content-length'] ?? otherwise)
}

/** Reads the body, holding at most `maxBytes` whatever was announced. Calls `done` once. */
export function readBody(request: EventEmitter, maxBytes: number, onBody: (body: Body) => void): void {
  let chunks: Buffer[] | undefined = []
  let bytes = 0
  const done = (body: Body) => {
    chunks = undefined
    onBody(body)
  }
  request.on('data', (chunk: Buffer) => {
    if (!chunks) return
    bytes += chunk.length
    if (bytes > maxBytes) return done('too_large')
    chunks.push(chunk)
    if (chunks.length > MAX_CHUNKS) chunks = [Buffer.concat(chunks)]
  })
  request.on('end', () => {
    if (chunks) done(chunks.length === 1 ? (chunks[0] ?? NONE) : Buffer.concat(chunks))
  })
  request.on('error', () => {
    if (chunks) done('aborted') // the client disconnected
  })
}
