import type { IncomingMessage } from 'node:http'

const NONE = Buffer.alloc(0)

export type Body = Buffer | 'too_large' | 'aborted'

/** Whether the length that the client announces is over the limit. What it really sends is counted all the same. */
export function announcesMore({ headers }: IncomingMessage, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes
}

/** The whole body, counted while it comes in: whatever was announced, no more than `maxBytes` are held. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve('too_large')
      }
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? NONE) : Buffer.concat(chunks)))
    request.on('error', () => resolve('aborted')) // the client went away
  })
}
