import { createHash } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ObjectTooLarge } from './port.ts'

type Metered = { chunks: AsyncIterable<Buffer>; result: () => { bytes: number; sha256: string } }

/** Counts and hashes a body while it is read; throws `ObjectTooLarge` at the first byte over the limit. */
export function metered(body: Readable | Buffer, maxBytes: number): Metered {
  const hash = createHash('sha256')
  let bytes = 0
  // A stream that fails before its first read must fail the put, not the process. The error is kept for the reader.
  if (!Buffer.isBuffer(body)) body.on('error', () => undefined)

  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of sourceOf(body)) {
      const data = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
      bytes += data.length
      // Written so that a limit of NaN accepts nothing.
      if (!(bytes <= maxBytes)) throw new ObjectTooLarge(maxBytes)
      hash.update(data)
      yield data
    }
  }

  return { chunks: chunks(), result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Runs a put; if it fails, destroys the stream, which nobody will read to its end. */
export async function owning<Result>(body: Readable | Buffer, put: () => Promise<Result>): Promise<Result> {
  try {
    return await put()
  } catch (error) {
    // Destroying an HTTP request closes its connection, and the client would never receive the refusal.
    if (!Buffer.isBuffer(body) && !(body instanceof IncomingMessage)) body.destroy()
    throw error
  }
}

function sourceOf(body: Readable | Buffer): Iterable<Buffer> | AsyncIterable<Uint8Array | string> {
  return Buffer.isBuffer(body) ? [body] : body.iterator({ destroyOnReturn: false })
}
