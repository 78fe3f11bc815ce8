import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { RawAnswer } from './raw-http.ts'

/** One connection to a server, on which a test sends bytes and reads answer after answer. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void
  /** The next answer after those with a status of 1xx, or `closed`. */
  receive(): Promise<RawAnswer | 'closed'>
  destroy(): void
}

export function openConnection(url: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let received = ''
  let ended = false
  let waiting: (() => void) | undefined
  const wake = () => {
    waiting?.()
    waiting = undefined
  }
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    wake()
  })
  // A server may reset a connection on which it still receives; what it answered before counts.
  socket.on('error', () => {})
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      ended = true
      socket.end()
      wake()
    })
  return {
    write: (bytes) => void socket.write(bytes),
    async receive() {
      for (;;) {
        const found = cut(received)
        if (found) received = received.slice(found.length)
        if (found && found.answer.status >= 200) return found.answer
        if (found) continue
        if (ended) return 'closed'
        await new Promise<void>((resolve) => (waiting = resolve))
      }
    },
    destroy: () => void socket.destroy(),
  }
}

/** The first whole answer and the number of its characters. */
function cut(received: string): { answer: RawAnswer; length: number } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
  const start = end + 4
  const chunked = headers.get('transfer-encoding') === 'chunked'
  const last = chunked ? received.indexOf('0\r\n\r\n', start) : start + Number(headers.get('content-length') ?? 0)
  if (last < 0 || received.length < last) return undefined
  const answer = { status: Number(first.split(' ')[1]), headers, text: received.slice(start, last) }
  return { answer, length: chunked ? last + 5 : last }
}

export interface RawRequest {
  line: string
  headers?: Record<string, string>
  body?: Buffer
  /** How the body is sent. `expect`: announced with Expect: 100-continue. */
  as?: 'length' | 'chunked' | 'expect'
}

export function bytesOf({ line, headers = {}, body, as = 'length' }: RawRequest): Buffer {
  const framing =
    body === undefined
      ? {}
      : as === 'chunked'
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(body.length), ...(as === 'expect' ? { expect: '100-continue' } : {}) }
  const lines = Object.entries({ host: 'x', ...headers, ...framing }).map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from([`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  if (body === undefined) return head
  if (as !== 'chunked') return Buffer.concat([head, body])
  return Buffer.concat([head, Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
}

/**
 * Sends a request that is refused, then a second one on the same connection: the second is answered, or the first answer
 * said that the connection closes, and it does. Returns the first answer.
 */
export async function assertSettled(url: string, refused: RawRequest, next = 'GET /health'): Promise<RawAnswer> {
  const connection = openConnection(url)
  const name = `${refused.line} (${refused.as ?? 'length'})`
  try {
    connection.write(bytesOf(refused))
    const first = await connection.receive()
    assert.ok(first !== 'closed', `${name}: no answer`)
    const closes = first.headers.get('connection') === 'close'
    if (!closes) connection.write(bytesOf({ line: next }))
    const second = await connection.receive()
    assert.equal(second === 'closed', closes, `${name}: ${JSON.stringify(second)}`)
    if (second !== 'closed') assert.equal(second.status, 200, name)
    return first
  } finally {
    connection.destroy()
  }
}
