import type { Hold } from '@tendon/contracts'
import type { FastifyReply } from 'fastify'

const EXPIRING_MS = 60_000
const COMMENT_EVERY_MS = 15_000

export interface HoldChanges {
  /** Calls back when the hold may have changed. */
  subscribe(holdId: string, callback: () => void): () => void
}

/**
 * Sends the state of a hold and each change of it: hold.active or the final state first, then hold.expiring with a minute
 * left, then hold.expired, hold.converted or hold.released, and the end. The row is read again for every change.
 */
export function streamHold(
  reply: FastifyReply,
  first: Hold,
  changes: HoldChanges,
  read: () => Promise<Hold | undefined>,
  now: () => Date,
  closing: AbortSignal,
): Promise<void> {
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // A connection that is kept alive after its stream would hold up a stop of the server.
    connection: 'close',
    'x-request-id': reply.request.id,
  })
  raw.socket?.setTimeout(0)
  raw.write('retry: 3000\n\n')
  const send = (event: string, hold: Hold) => raw.write(`event: ${event}\ndata: ${JSON.stringify(shown(hold))}\n\n`)

  return new Promise((resolve) => {
    let expiring: NodeJS.Timeout | undefined
    let expiry: NodeJS.Timeout | undefined
    const comments = setInterval(() => raw.write(': open\n\n'), COMMENT_EVERY_MS)
    const unsubscribe = changes.subscribe(first.id, () => void look())
    const end = () => {
      clearTimeout(expiring)
      clearTimeout(expiry)
      clearInterval(comments)
      closing.removeEventListener('abort', end)
      unsubscribe()
      raw.end()
      resolve()
    }
    raw.on('close', end)
    // The server stops: clients come back after the delay that `retry` named.
    closing.addEventListener('abort', end)

    async function look(): Promise<void> {
      const hold = await read().catch(() => undefined)
      if (raw.writableEnded) return
      if (hold && hold.status !== 'active') {
        send(`hold.${hold.status}`, hold)
        return end()
      }
      // A timer may fire a moment before the database's clock is there: look again.
      if (hold) expiry = setTimeout(() => void look(), Math.max(50, Date.parse(hold.expires_at) - now().getTime()))
    }

    send(`hold.${first.status}`, first)
    // The server or the client may have closed while the hold was read; no event follows then.
    if (first.status !== 'active' || closing.aborted || raw.destroyed) return end()
    const leftMs = Date.parse(first.expires_at) - now().getTime()
    expiring = setTimeout(() => send('hold.expiring', first), Math.max(0, leftMs - EXPIRING_MS))
    expiry = setTimeout(() => void look(), Math.max(0, leftMs))
    // What changed between the first read and the subscription.
    void look0()
    async function look0(): Promise<void> {
      const hold = await read().catch(() => undefined)
      if (hold && hold.status !== 'active') void look()
    }
  })
}

/** Without the id: the reader knows it, and logs of streams should not. */
const shown = ({ status, starts_at, ends_at, expires_at }: Hold) => ({ status, starts_at, ends_at, expires_at })
