import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
}

/** Sends bytes that no HTTP client would send, and reads the answer until the server closes the connection. */
export function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const { socket, answer } = openRaw(url)
  socket.write(bytes)
  return answer
}

const DRIP_MS = 20

/** Sends a request whose headers never end, one byte at a time, until the server answers. */
export function dripHeaders(url: string): Promise<RawAnswer> {
  const { socket, answer } = openRaw(url)
  socket.write(`GET /v1/nothing HTTP/1.1\r\nhost: x\r\nx-slow: `)
  const drip = setInterval(() => socket.write('a'), DRIP_MS)
  const stop = () => clearInterval(drip)
  socket.once('data', stop).once('close', stop)
  return answer
}

/** With these settings of Node the headers of a request must arrive within `maxMs`. */
export function assertHeaderTimeout(server: Server, maxMs = 15_000): void {
  const { headersTimeout } = server
  assert.ok('connectionsCheckingInterval' in server)
  assert.ok(headersTimeout > 0 && headersTimeout + Number(server.connectionsCheckingInterval) <= maxMs)
}

function openRaw(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => void (text += chunk.toString()))
    // A server may reset a connection on which it still receives; what it answered before counts.
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(parseRaw(text))))
    socket.on('close', () => resolve(parseRaw(text)))
  })
  return { socket, answer }
}

function parseRaw(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const pairs = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string])
  return { status: Number(first.split(' ')[1]), headers: new Headers(pairs), text: body }
}

interface OddRequest {
  bytes: string
  status: number
  code: string
}
const head = (...lines: string[]) => [...lines, 'connection: close', '', ''].join('\r\n')
const malformed = (bytes: string): OddRequest => ({ bytes, status: 400, code: 'malformed_request' })
const unknown = (bytes: string): OddRequest => ({ bytes, status: 404, code: 'not_found' })

/** What the parser, the server or the router refuses before a handler sees it, and how every service must answer. */
export const ODD_REQUESTS: Record<string, OddRequest> = {
  'bytes that are not HTTP': malformed('HELLO\r\n\r\n'),
  'the preface of HTTP/2': malformed('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'a version of HTTP that does not exist': malformed(head('GET /v1/nothing HTTP/9.9', 'host: x')),
  'a method that does not exist': malformed(head('TAKE /v1/nothing HTTP/1.1', 'host: x')),
  'a space in the name of a header': malformed(head('GET /v1/nothing HTTP/1.1', 'host: x', 'a b: c')),
  'two lengths of one body': malformed(
    head('POST /v1/nothing HTTP/1.1', 'host: x', 'content-length: 3', 'transfer-encoding: chunked'),
  ),
  'two equal lengths of one body': malformed(
    head('POST /v1/nothing HTTP/1.1', 'host: x', 'content-length: 3', 'content-length: 3'),
  ),
  'two different lengths of one body': malformed(
    head('POST /v1/nothing HTTP/1.1', 'host: x', 'content-length: 3', 'content-length: 4'),
  ),
  'a list of lengths': malformed(head('POST /v1/nothing HTTP/1.1', 'host: x', 'content-length: 3, 3')),
  'a body that is not chunked last': malformed(
    head('POST /v1/nothing HTTP/1.1', 'host: x', 'transfer-encoding: chunked, gzip'),
  ),
  'no Host': malformed(head('GET /v1/nothing HTTP/1.1')),
  'two Hosts': malformed(head('GET /v1/nothing HTTP/1.1', 'host: x', 'Host: y')),
  'two equal Hosts': malformed(head('GET /v1/nothing HTTP/1.1', 'host: x', 'host: x')),
  'two Hosts in HTTP/1.0': malformed(head('GET /v1/nothing HTTP/1.0', 'host: x', 'host: y')),
  'headers over 16 KB': {
    bytes: head('GET /v1/nothing HTTP/1.1', 'host: x', `x-long: ${'a'.repeat(17_000)}`),
    status: 431,
    code: 'headers_too_large',
  },
  'CONNECT, which is for proxies': {
    bytes: head('CONNECT example.org:443 HTTP/1.1', 'host: example.org:443'),
    status: 405,
    code: 'method_not_allowed',
  },
  'an expectation that no server knows': unknown(head('GET /v1/nothing HTTP/1.1', 'host: x', 'expect: tea')),
  'a URL that cannot be decoded': unknown(head('GET /v1/nothing/%zz HTTP/1.1', 'host: x')),
  'a URL with half a character': unknown(head('GET /v1/nothing/%c3 HTTP/1.1', 'host: x')),
  'a segment of 501 characters': unknown(head(`GET /v1/nothing/${'a'.repeat(501)} HTTP/1.1`, 'host: x')),
  'a version of a route that does not exist': unknown(
    head('GET /v1/nothing HTTP/1.1', 'host: x', 'accept-version: 99.x'),
  ),
}

/** The envelope with a request id and the security headers. */
export async function assertAnswered(url: string, { bytes, status, code }: OddRequest): Promise<RawAnswer> {
  const answer = await sendRaw(url, bytes)
  assert.equal(answer.status, status, answer.text)
  assert.equal((JSON.parse(answer.text) as { error: { code: string } }).error.code, code)
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  return answer
}
