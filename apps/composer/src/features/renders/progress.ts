import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { RenderRow } from './queries.ts'

const LOOK_EVERY_MS = 1_000
const STREAM_MAX_MS = 60 * 60 * 1000
const ENDED: readonly string[] = ['ready', 'failed', 'cancelled']

const shown = ({ id, status, progress, error_code, error_message }: RenderRow) =>
  JSON.stringify({
    id,
    status,
    progress,
    error: error_code === null ? null : { code: error_code, message: error_message },
  })

/** Sends each change until the render has ended or the reader has left; the caller's rights are checked at each look. */
export async function streamProgress(
  reply: FastifyReply,
  first: RenderRow,
  read: () => Promise<RenderRow | undefined>,
): Promise<void> {
  const { raw } = reply.hijack()
  const left = new AbortController()
  raw.on('close', () => left.abort())
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  const until = Date.now() + STREAM_MAX_MS
  let sent = ''
  let render: RenderRow | undefined = first
  try {
    while (render && !left.signal.aborted) {
      const data = shown(render)
      raw.write(data === sent ? ': waiting\n\n' : `event: render\ndata: ${data}\n\n`)
      sent = data
      if (ENDED.includes(render.status) || Date.now() > until) break
      await sleep(LOOK_EVERY_MS, undefined, { signal: left.signal })
      render = await read()
    }
  } catch {
    // The reader has left, or reads again.
  }
  raw.end()
}
