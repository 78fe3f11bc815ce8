import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type ApiError, envelopeOf, refusal } from './errors.ts'
import { SECURITY_HEADERS } from './headers.ts'
import type { Counted } from './rate-limit.ts'
import { methodNotAllowed } from './refusals.ts'
import { isAnswered } from './unread-body.ts'

// What never becomes a request: Node's parser refuses it before Fastify sees it. The answer is in the envelope all the same.

export const malformedRequest = refusal(
  400,
  'malformed_request',
  'This is not valid HTTP. Check the request line and the headers.',
)
const headersTooLarge = refusal(
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

const METHODS = 'GET, POST, PUT, PATCH, DELETE'

const LONG_BODY = Symbol('long body')

/** While a socket is marked, its request may take longer than the server allows: the reader of the body enforces the time. */
export function allowLongBody(socket: Socket, allowed: boolean): void {
  Object.assign(socket, { [LONG_BODY]: allowed })
}

const mayTakeLong = (socket: Socket): boolean => LONG_BODY in socket && socket[LONG_BODY] === true

const REFUSED = Symbol('refused')

export interface ClientErrorOptions {
  /** Counts the refusal against a limit, and may return another one to send instead (429). */
  count?: (ip: string) => Promise<Counted>
  onRefused?: (refused: ApiError) => void
}

/** Answers what Node's parser refused. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  options: ClientErrorOptions = {},
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(socket)) return
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) {
    socket.destroy(error)
    return
  }
  if (isAnswered(socket)) {
    socket.end()
    cutLater(socket)
    return
  }
  refuseConnection(socket, (REASONS[error.code ?? ''] ?? malformedRequest)(), options)
}

/** Node would answer these outside the envelope, or not at all. The clientError event is left to the caller. */
export function answerOddRequests(server: Server, options: ClientErrorOptions = {}): void {
  // Without a listener Node closes the connection of a CONNECT without an answer.
  server.on('connect', ({ method = '' }, socket) => {
    if (!(socket instanceof Socket)) socket.destroy()
    else refuseConnection(socket, methodNotAllowed({ method, allowed: METHODS }, { allow: METHODS }), options)
  })
  // Without a listener Node answers 417 with no body. An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * HTTP/1.1 requires a Host, and no version allows two: Node keeps the first, a proxy may have read the last. For servers with
 * `requireHostHeader: false`: Node would answer 400 with no body.
 */
export function hasWrongHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1')
}

/** Refuses requests without a Host or with several. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (hasWrongHost(raw)) throw malformedRequest({}, { connection: 'close' })
  })
}

function refuseConnection(socket: Socket, refused: ApiError, { count, onRefused }: ClientErrorOptions): void {
  // The parser reports an error for each further chunk.
  if (REFUSED in socket) return
  Object.assign(socket, { [REFUSED]: true })
  const answer = ({ headers, refused: limited = refused }: Counted) => {
    onRefused?.(limited)
    if (socket.writable) writeRefusal(socket, limited, headers)
  }
  if (count) count(socket.remoteAddress ?? '').then(answer, () => answer({ headers: {} }))
  else answer({ headers: {} })
}

function writeRefusal(socket: Socket, refused: ApiError, more: Record<string, string>): void {
  const body = JSON.stringify(envelopeOf(refused))
  const headers = {
    ...SECURITY_HEADERS,
    ...more,
    ...refused.headers,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}\r\n${lines.join('')}\r\n${body}`)
  cutLater(socket)
}

/** A client that keeps its side open would keep its request and its resources forever. */
const cutLater = (socket: Socket) => void setTimeout(() => socket.destroy(), LINGER_MS).unref()
