import type { IncomingMessage } from 'node:http'

const NONE = Buffer.alloc(0)
/** A piece costs two hundred bytes beside its own, and a client may send one byte at a time. */
const PIECES_MAX = 256

export type Body = Buffer | 'too_large' | 'aborted'

/** The length that the client announces, if it does. What it really sends is counted all the same. */
export function announcedBytes({ headers }: IncomingMessage, otherwise: number): number {
  return Number(headers['content-length'] ?? otherwise)
}

/** The whole body, counted while it comes in: whatever was announced, no more than `maxBytes` are held. Told once. */
export function readBody(request: IncomingMessage, maxBytes: number, onBody: (body: Body) => void): void {
  let chunks: Buffer[] | undefined = []
  let bytes = 0
  const tell = (body: Body) => {
    chunks = undefined
    onBody(body)
  }
  request.on('data', (chunk: Buffer) => {
    if (!chunks) return
    bytes += chunk.length
    if (bytes > maxBytes) return tell('too_large')
    chunks.push(chunk)
    if (chunks.length > PIECES_MAX) chunks = [Buffer.concat(chunks)]
  })
  request.on('end', () => {
    if (chunks) tell(chunks.length === 1 ? (chunks[0] ?? NONE) : Buffer.concat(chunks))
  })
  request.on('error', () => {
    if (chunks) tell('aborted') // the client went away
  })
}
