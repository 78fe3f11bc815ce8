import type { ClientRequest, IncomingMessage } from 'node:http'

export interface BodyLimits {
  maxBytes: number
  /** How long the client may send nothing. */
  idleMs: number
  /** How long the whole body may take. */
  totalMs: number
}

/**
 * Sends the body of a request on while it arrives, no faster than the receiver reads it. Stops and calls back when the body
 * is too long or too slow. Returns a function that stops: the receiver has answered, or is gone.
 */
export function sendBody(
  from: IncomingMessage,
  to: ClientRequest,
  { maxBytes, idleMs, totalMs }: BodyLimits,
  on: { tooLarge: () => void; tooSlow: () => void },
): () => void {
  let bytes = 0
  const tooSlow = () => fail(on.tooSlow)
  const total = setTimeout(tooSlow, totalMs)
  let idle = setTimeout(tooSlow, idleMs)

  function stop(): void {
    clearTimeout(total)
    clearTimeout(idle)
    from.off('data', onData).off('end', onEnd)
    to.off('drain', onDrain)
  }
  function fail(report: () => void): void {
    stop()
    report()
  }
  function onData(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > maxBytes) return fail(on.tooLarge)
    clearTimeout(idle)
    if (to.write(chunk)) idle = setTimeout(tooSlow, idleMs)
    else from.pause()
  }
  function onDrain(): void {
    idle = setTimeout(tooSlow, idleMs)
    from.resume()
  }
  function onEnd(): void {
    stop()
    to.end()
  }
  to.on('drain', onDrain)
  from.on('data', onData).on('end', onEnd)
  return stop
}
