import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { waitingOf } from './present.ts'
import type { RenderRow } from './queries.ts'

const LOOK_EVERY_MS = 1_000
const STREAM_MAX_MS = 60 * 60 * 1000
const ENDED: readonly string[] = ['ready', 'failed', 'cancelled']

const shown = ({ id, status, progress, stage, error_code, error_message, waiting_for, waiting_until }: RenderRow) =>
  JSON.stringify({
    id,
    status,
    progress,
    stage,
    waiting: waitingOf({ waiting_for, waiting_until }),
    error: error_code === null ? null : { code: error_code, message: error_message },
  })

export interface Progress {
  first: RenderRow
  /** Also checks the caller's permissions. */
  read: () => Promise<RenderRow | undefined>
  /** Aborted when the server closes; the client reconnects. */
  closing: AbortSignal
}

/** Sends each change until the render has ended or the client has disconnected. */
export async function streamProgress(reply: FastifyReply, { first, read, closing }: Progress): Promise<void> {
  const { raw } = reply.hijack()
  const left = new AbortController()
  raw.on('close', () => left.abort())
  const signal = AbortSignal.any([left.signal, closing])
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // A connection that is kept alive after its stream would hold up a stop of the server.
    connection: 'close',
  })
  const until = Date.now() + STREAM_MAX_MS
  let sent = ''
  let render: RenderRow | undefined = first
  try {
    while (render && !signal.aborted && !raw.destroyed) {
      const data = shown(render)
      raw.write(data === sent ? ': waiting\n\n' : `event: render\ndata: ${data}\n\n`)
      sent = data
      if (ENDED.includes(render.status) || Date.now() > until) break
      await sleep(LOOK_EVERY_MS, undefined, { signal })
      render = await read()
    }
  } catch {
    // The client has disconnected, or will reconnect.
  }
  raw.end()
}
