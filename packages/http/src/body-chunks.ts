import type { IncomingMessage } from 'node:http'

/** No byte arrived for too long. */
export class BodyTimeout extends Error {
  override name = 'BodyTimeout'
}

export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge'
}

/** The body as it arrives. Leaves the request open when it stops: it still needs its answer. */
export async function* bodyChunks(
  raw: IncomingMessage,
  { maxBytes, idleMs }: Record<'maxBytes' | 'idleMs', number>,
): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false })
  let bytes = 0
  try {
    for (;;) {
      const next = await within(idleMs, chunks.next())
      if (next.done === true) return
      bytes += next.value.length
      if (bytes > maxBytes) throw new BodyTooLarge(`The body is larger than ${maxBytes} bytes.`)
      yield next.value
    }
  } finally {
    // Not awaited: it waits for the next chunk, which may never arrive.
    void chunks.return?.()
  }
}

/** Counts only while the sender is waited for, not while the receiver of the chunks is. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new BodyTimeout('No byte arrived in time.')), ms)
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
