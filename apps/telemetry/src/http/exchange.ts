import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, envelopeOf, internalError, requestId, SECURITY_HEADERS } from '@tendon/http'

const COMMON = Object.entries({ ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' }).flat()
const NO_MORE: readonly string[] = []

/** How long a client may go on sending what was refused before its connection is cut. */
const LINGER_MS = 500

export interface Answered {
  route: string
  status: number
  /** Of a refusal. */
  code: string
  ms: number
}

export interface Watcher {
  /** Each answer then ends its connection, however long ago it was asked for: one kept alive would hold up the exit. */
  isStopping: () => boolean
  onAnswer: (answer: Answered) => void
  onError: (error: unknown, requestId: string) => void
}

/** A request and its one answer. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path, when there is such a route. */
  readonly #route: string
  readonly #watcher: Watcher
  readonly #started = performance.now()

  constructor(request: IncomingMessage, response: ServerResponse, route: string, watcher: Watcher) {
    this.request = request
    this.response = response
    this.#route = route
    this.#watcher = watcher
  }

  send(status: number, json: string, more = NO_MORE, code = ''): void {
    const { request, response } = this
    if (response.destroyed || response.headersSent) return
    if (this.#watcher.isStopping()) response.shouldKeepAlive = false
    const bytes = Buffer.byteLength(json)
    const own = ['x-request-id', requestId(request), 'content-length', String(bytes)]
    response.writeHead(status, COMMON.concat(own, more))
    // Characters of one byte each are written as they are.
    response.end(json, bytes === json.length ? 'latin1' : 'utf8')
    this.#watcher.onAnswer({ route: this.#route, status, code, ms: performance.now() - this.#started })
  }

  refuse(error: ApiError): void {
    this.send(error.status, JSON.stringify(envelopeOf(error)), Object.entries(error.headers).flat(), error.code)
  }

  /** For a body that is longer than it may be: the answer goes out, the rest of the body is not waited for. */
  refuseAndClose(error: ApiError): void {
    const { request, response } = this
    response.shouldKeepAlive = false
    this.refuse(error)
    request.resume()
    setTimeout(() => request.socket.destroy(), LINGER_MS).unref()
  }

  /** A fault of ours. */
  fail(error: unknown): void {
    const id = requestId(this.request)
    this.#watcher.onError(error, id)
    this.refuse(internalError({ request_id: id }))
  }
}
