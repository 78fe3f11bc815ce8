import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { envelopeOf, refusal } from './errors.ts'
import { SECURITY_HEADERS } from './headers.ts'

// What never becomes a request: Node's parser refuses it before Fastify sees it. The answer is in the envelope all the same.

export const malformedRequest = refusal(
  400,
  'malformed_request',
  'This is not valid HTTP. Check the request line and the headers.',
)
export const headersTooLarge = refusal(
  431,
  'headers_too_large',
  'The headers are larger than 16 KB. Send a shorter token or fewer headers.',
)
export const requestTimeout = refusal(408, 'request_timeout', 'The request did not arrive in time. Send it again.')

const REASONS: Record<string, ReturnType<typeof refusal>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
}

/** How long a client has to read its refusal before the connection is cut. */
const LINGER_MS = 500

const LONG_BODY = Symbol('long body')

/** While a socket is marked, its request may take longer than the server allows: the reader of the body enforces the time. */
export function allowLongBody(socket: Socket, allowed: boolean): void {
  Object.assign(socket, { [LONG_BODY]: allowed })
}

const mayTakeLong = (socket: Socket): boolean => (socket as { [LONG_BODY]?: boolean })[LONG_BODY] === true

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(socket)) return
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) {
    socket.destroy(error)
    return
  }
  const refused = (REASONS[error.code ?? ''] ?? malformedRequest)()
  const body = JSON.stringify(envelopeOf(refused))
  const headers = {
    ...SECURITY_HEADERS,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}\r\n${lines.join('')}\r\n${body}`)
  // A client that keeps its side open would keep its request and its resources forever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
