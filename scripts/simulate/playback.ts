// Player events of one exercise while the patient follows it, from start to end, with disturbances.
import type { MediaEventType } from '@tendon/contracts'
import { between, pick, type Random, whole } from './movement.ts'

export interface MediaAct {
  kind: 'media'
  at_ms: number
  event: MediaEventType
  media_id: string
  data: Record<string, unknown>
}

export interface Stretch {
  from_ms: number
  to_ms: number
}

export interface Playback extends Stretch {
  media_id: string
  /** Duration of the whole video. */
  total_seconds: number
  /** Breaks in which the patient rests. */
  pauses: readonly Stretch[]
}

const MARKS = [25, 50, 75, 95] as const
const CONNECTIONS = ['wifi', 'wifi', '4g', 'ethernet'] as const
const BUFFERS = 0.25
const QUALITY_CHANGE_CHANCE = 0.5
const HIDDEN_PAGE_CHANCE = 0.1
const VIDEO_FRAMES_PER_SECOND = 25
/** No disturbance this close to a start or an end. */
const QUIET_MS = 3_000

export function play(
  { media_id, from_ms, to_ms, total_seconds, pauses }: Playback,
  random: Random,
): { acts: MediaAct[]; position_seconds: number } {
  const acts: MediaAct[] = []
  const tell = (at_ms: number, event: MediaEventType, data: Record<string, unknown> = {}) =>
    acts.push({ kind: 'media', at_ms, event, media_id, data })

  const load = Math.min(whole(random, 250, 1_400), to_ms - from_ms - 1)
  const buffering = random() < BUFFERS ? stretchIn(random, from_ms, to_ms, pauses, [400, 4_500]) : undefined
  const breaks = [...pauses, ...(buffering ? [buffering] : [])].sort((a, b) => a.from_ms - b.from_ms)
  /** The video is paused during a break. */
  const positionAt = (at: number): number => {
    const stood = breaks.reduce((sum, one) => sum + Math.max(0, Math.min(at, one.to_ms) - one.from_ms), 0)
    return Math.max(0, Math.round(at - from_ms - load - stood) / 1000)
  }
  const here = (at: number) => ({ position_seconds: positionAt(at) })

  tell(from_ms, 'session_start', {
    total_duration_seconds: total_seconds,
    ttfb_ms: whole(random, 40, 220),
    video_load_time_ms: load,
    cdn_response_time_ms: whole(random, 20, 120),
    connection_type: pick(random, CONNECTIONS),
    effective_bandwidth: Math.round(between(random, 3, 40) * 10) / 10,
    rtt_ms: whole(random, 15, 90),
    initial_bitrate: 2_400_000,
    initial_resolution: '1280x720',
  })
  tell(from_ms + load, 'video_played', { position_seconds: 0 })
  for (const pause of pauses) {
    tell(pause.from_ms, 'video_paused', { ...here(pause.from_ms), reason: 'pain' })
    if (pause.to_ms < to_ms) tell(pause.to_ms, 'video_played', here(pause.to_ms))
  }
  if (buffering) {
    const { from_ms: since, to_ms: until } = buffering
    tell(since, 'buffering_start', { ...here(since), reason: 'network' })
    tell(until, 'buffering_end', { ...here(until), duration_ms: until - since })
    if (random() < QUALITY_CHANGE_CHANCE)
      tell(until + 1, 'quality_change', {
        previous_quality: '720p',
        new_quality: '480p',
        bitrate: 1_200_000,
        automatic: true,
      })
  }
  const away = random() < HIDDEN_PAGE_CHANCE ? stretchIn(random, from_ms, to_ms, breaks, [2_000, 15_000]) : undefined
  if (away) {
    tell(away.from_ms, 'page_hidden', here(away.from_ms))
    tell(away.to_ms, 'page_visible', here(away.to_ms))
  }
  for (const mark of MARKS) {
    const position = (total_seconds * mark) / 100
    const at = breaks.reduce(
      (time, one) => (one.from_ms <= time ? time + one.to_ms - one.from_ms : time),
      Math.ceil(from_ms + load + position * 1000),
    )
    if (at < to_ms) tell(at, `watch_pct_${mark}`, { position_seconds: positionAt(at), watched_seconds: positionAt(at) })
  }
  const total = Math.round(positionAt(to_ms) * VIDEO_FRAMES_PER_SECOND)
  tell(to_ms - 1, 'dropped_frames', {
    dropped: Math.floor(total * between(random, 0, 0.02)),
    total,
    window_ms: to_ms - from_ms,
  })
  tell(to_ms, 'video_paused', here(to_ms))
  return { acts: acts.sort((a, b) => a.at_ms - b.at_ms), position_seconds: positionAt(to_ms) }
}

/** A free time range of the exercise; undefined when there is none. */
function stretchIn(
  random: Random,
  from_ms: number,
  to_ms: number,
  taken: readonly Stretch[],
  [shortest, longest]: readonly [number, number],
): Stretch | undefined {
  const long = whole(random, shortest, longest)
  const first = from_ms + QUIET_MS
  const last = to_ms - QUIET_MS - long
  if (last <= first) return undefined
  const at = whole(random, first, last)
  const isFree = taken.every((one) => at + long + QUIET_MS < one.from_ms || at > one.to_ms + QUIET_MS)
  return isFree ? { from_ms: at, to_ms: at + long } : undefined
}
