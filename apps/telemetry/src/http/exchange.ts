import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, envelopeOf, internalError, requestId, SECURITY_HEADERS, settleBody } from '@tendon/http'
import type { Cors } from './cors.ts'

const SECURITY = Object.entries(SECURITY_HEADERS).flat()
const COMMON = SECURITY.concat('content-type', 'application/json; charset=utf-8')
const NO_LINES: readonly string[] = []

/** How long a client may keep sending a refused body before its connection is closed. */
const LINGER_MS = 500

export interface Answered {
  route: string
  status: number
  /** The code of a refusal. */
  code: string
  ms: number
}

export interface Watcher {
  cors: Cors
  /** Each answer then closes its connection: a kept-alive one would delay the exit. */
  isStopping: () => boolean
  onAnswer: (answer: Answered) => void
  onError: (error: unknown, requestId: string) => void
}

/** A request and its response. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path of a known route, otherwise `unknown`. */
  readonly #route: string
  readonly #watcher: Watcher
  readonly #started = performance.now()

  constructor(request: IncomingMessage, response: ServerResponse, route: string, watcher: Watcher) {
    this.request = request
    this.response = response
    this.#route = route
    this.#watcher = watcher
  }

  send(status: number, json: string, more = NO_LINES, code = ''): void {
    const { request, response } = this
    if (response.destroyed || response.headersSent) return
    this.#settle()
    const bytes = Buffer.byteLength(json)
    const own = ['x-request-id', requestId(request), 'content-length', String(bytes)]
    response.writeHead(status, COMMON.concat(own, this.#watcher.cors.headers(request), more))
    // ASCII can be written as one-byte characters.
    response.end(json, bytes === json.length ? 'latin1' : 'utf8')
    this.#watcher.onAnswer({ route: this.#route, status, code, ms: performance.now() - this.#started })
  }

  /** Answers OPTIONS. */
  sendPreflight(method: string): void {
    const { request, response } = this
    const { cors, onAnswer } = this.#watcher
    this.#settle()
    const own = ['x-request-id', requestId(request), 'allow', `OPTIONS, ${method}`]
    response.writeHead(204, SECURITY.concat(own, cors.headers(request), cors.preflight(request, method)))
    response.end()
    onAnswer({ route: this.#route, status: 204, code: '', ms: performance.now() - this.#started })
  }

  /** After the answer nothing more is sent for this request, also when its body never arrives. */
  #settle(): void {
    if (settleBody(this.request) || this.#watcher.isStopping()) this.response.shouldKeepAlive = false
  }

  refuse(error: ApiError): void {
    this.send(error.status, JSON.stringify(envelopeOf(error)), Object.entries(error.headers).flat(), error.code)
  }

  /** Refuses a body that is too long: sends the answer without waiting for the rest of the body. */
  refuseAndClose(error: ApiError): void {
    this.response.shouldKeepAlive = false
    settleBody(this.request, LINGER_MS)
    this.refuse(error)
  }

  /** Answers an unexpected error. */
  fail(error: unknown): void {
    const id = requestId(this.request)
    this.#watcher.onError(error, id)
    this.refuse(internalError({ request_id: id }))
  }
}
