import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// A refusal is often sent before the body has arrived. The rest of the body must still be read: otherwise the next request on
// the connection is never seen, and a client that reads the answer only after it has sent everything never reads it.

/** A longer rest is not worth a connection. */
const MAX_DRAIN_BYTES = 256 * 1024
/** How long a client may keep sending a refused body before its connection is cut. */
const LINGER_MS = 5_000

const answered = new WeakSet<Socket>()

/** Whether the request on a socket was answered before its body arrived: what goes wrong with the rest gets no other answer. */
export const isAnswered = (socket: Socket): boolean => answered.has(socket)

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * To be called before an answer is sent: discards what has not arrived of the body. Returns true when the answer must close
 * the connection; it is then closed when the body has ended, or after `lingerMs`.
 */
export function settleBody(request: IncomingMessage, lingerMs = LINGER_MS): boolean {
  if (request.complete || request.destroyed || !hasBody(request)) return false
  const { socket, headers } = request
  if (answered.has(socket)) return false
  answered.add(socket)
  request.once('end', () => answered.delete(socket))
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref()
  request.on('error', () => {}).once('close', () => clearTimeout(cut))
  lingerUntilEnd(socket, request)
  // A reader that waits for a chunk would keep the body from flowing.
  request.removeAllListeners('readable').resume()
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_DRAIN_BYTES
}

/** Node would close the socket right after the answer: bytes that then arrive reset the connection, and the answer is lost. */
function lingerUntilEnd(socket: Socket, request: IncomingMessage): void {
  socket.destroySoon = () => {
    if (request.complete) return Socket.prototype.destroySoon.call(socket)
    socket.end()
    request.once('end', () => socket.destroy())
  }
  request.once('end', () => Reflect.deleteProperty(socket, 'destroySoon'))
}

/** Settles the body of each request that is answered before its body has arrived. */
export function settleBodies(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (settleBody(raw)) reply.header('connection', 'close')
  })
}
