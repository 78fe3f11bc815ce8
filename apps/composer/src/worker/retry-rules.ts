import { HostError } from '@tendon/video-host'
import { BadClip } from '../rendering/clips.ts'
import { isDiskFull } from '../rendering/disk.ts'

/** After each failed attempt; then the render has failed. */
const RETRY_AFTER_MS = [10_000, 60_000, 600_000]
const LOOK_FOR_ROOM_MS = 60_000
/** A host that keeps asking to wait, and a disk that stays full, end a render after a day. */
const MAX_WAITING_MS = 24 * 60 * 60 * 1000

export interface Wait {
  ms: number
  /** What a render waits for; null: only its next attempt. */
  for: 'host' | 'disk' | null
  /** Whether the attempt counts. */
  counts: boolean
}

/** When to try again after this error; undefined: the render has failed. `sinceMs` is the time since it was requested. */
export function waitAfter(error: unknown, attempts: number, sinceMs: number): Wait | undefined {
  if (error instanceof BadClip) return undefined
  const mayWait = sinceMs < MAX_WAITING_MS
  if (isDiskFull(error)) return mayWait ? { ms: LOOK_FOR_ROOM_MS, for: 'disk', counts: false } : undefined
  const isOfHost = error instanceof HostError
  if (isOfHost && error.retryAfterMs !== undefined)
    return mayWait ? { ms: Math.max(1_000, error.retryAfterMs), for: 'host', counts: false } : undefined
  const ms = RETRY_AFTER_MS[attempts - 1]
  return ms === undefined ? undefined : { ms, for: isOfHost ? 'host' : null, counts: true }
}

/** What a render that failed says. */
export function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof BadClip) return { code: 'bad_clip', message: `${error.message}.` }
  if (isDiskFull(error))
    return {
      code: 'disk_full',
      message:
        'The renderer had no free disk space, and a day has passed since the request. Ask the operator to free disk space, then request the video again.',
    }
  if (error instanceof HostError)
    return { code: 'host_failed', message: 'The video host did not accept the video. Request it again later.' }
  return { code: 'render_failed', message: 'The video could not be rendered. Request it again.' }
}
