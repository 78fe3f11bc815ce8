import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, envelopeOf, requestId, SECURITY_HEADERS } from '@tendon/http'

const COMMON = Object.entries({ ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' }).flat()

/** How long a client may go on sending what was refused before its connection is cut. */
const LINGER_MS = 500

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  json: string,
  more: readonly string[] = [],
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, [
    ...COMMON,
    'x-request-id',
    requestId(request),
    'content-length',
    String(Buffer.byteLength(json)),
    ...more,
  ])
  response.end(json)
}

const refused = new WeakMap<ServerResponse, string>()

/** The code with which a request was refused; empty when it was not. */
export const refusalCodeOf = (response: ServerResponse): string => refused.get(response) ?? ''

export function sendRefusal(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  refused.set(response, error.code)
  sendJson(request, response, error.status, JSON.stringify(envelopeOf(error)), Object.entries(error.headers).flat())
}

/** For a body that is longer than it may be: the answer goes out, the rest of the body is not waited for. */
export function sendAndClose(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  response.shouldKeepAlive = false
  sendRefusal(request, response, error)
  request.resume()
  setTimeout(() => request.socket.destroy(), LINGER_MS).unref()
}
