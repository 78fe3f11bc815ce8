import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, request } from 'undici'
import { OutboundError, outboundError } from './errors.ts'

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  /** Sent byte for byte. */
  body?: string | Uint8Array
  /** Over DNS, connection, sending and answer. */
  timeoutMs?: number
  /** What is beyond is not read: `truncated` is then true. */
  maxBytes?: number
  signal?: AbortSignal
}

export interface OutboundAnswer {
  /** 3xx too: redirects are not followed. */
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
  durationMs: number
}

const USER_AGENT = 'Tendon/1.0'

export async function requestThrough(
  dispatcher: Dispatcher,
  url: string,
  given: OutboundRequest & { timeoutMs: number; maxBytes: number },
): Promise<OutboundAnswer> {
  const start = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), given.timeoutMs)
  const signal = given.signal ? AbortSignal.any([timeout.signal, given.signal]) : timeout.signal
  try {
    const answer = await orAborted(
      request(url, {
        dispatcher,
        method: given.method ?? 'GET',
        headers: { 'user-agent': USER_AGENT, ...given.headers },
        body: given.body ?? null,
        signal,
      }),
      signal,
    )
    const read = await readAtMost(answer.body, given.maxBytes)
    return { status: answer.statusCode, headers: answer.headers, ...read, durationMs: performance.now() - start }
  } catch (error) {
    throw timeout.signal.aborted ? new OutboundError('timeout', { cause: error }) : outboundError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** undici looks at the signal only once a connection is open; DNS and connecting count too. */
function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function readAtMost(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true }
  }
  return { body: Buffer.concat(chunks), truncated: false }
}
