import type { BUFFERING_REASONS, MediaEvent } from '@tendon/contracts'
import { cover, type Stretch } from './coverage.ts'

// State of one media item of a run, updated event by event in order of time. It plays from `video_played` until it is
// paused or the session ends, except while it buffers. The parts watched are known by positions: between two events
// while playing, the range between their positions counts, unless the viewer jumped.

type BufferingReason = (typeof BUFFERING_REASONS)[number]

export interface Buffering {
  media_id: string
  reason: BufferingReason
  started_at: number
  position_seconds: number | null
  duration_ms: number
}

export interface Item {
  media_id: string
  started_at: number
  ended_at: number
  start_data: Readonly<Record<string, unknown>> | undefined
  has_played: boolean
  playing: { at: number; position: number | undefined } | undefined
  buffering: { at: number; position: number | undefined; reason: BufferingReason } | undefined
  playing_ms: number
  reported_watch_seconds: number | undefined
  seen: Stretch[]
  bufferings: Buffering[]
  quality_switches: number
  dropped_frames: number
  total_frames: number
  hidden_ms: number
  watched_pct: number
}

/** The slowest and fastest playback rates of players; outside this range the position jumped, or the machine slept. */
const FASTEST = 2
const SLOWEST = 0.25
const SLACK_SECONDS = 1

export function newItem(media_id: string, at: number): Item {
  return {
    media_id,
    started_at: at,
    ended_at: at,
    start_data: undefined,
    has_played: false,
    playing: undefined,
    buffering: undefined,
    playing_ms: 0,
    reported_watch_seconds: undefined,
    seen: [],
    bufferings: [],
    quality_switches: 0,
    dropped_frames: 0,
    total_frames: 0,
    hidden_ms: 0,
    watched_pct: 0,
  }
}

export function apply(item: Item, { event, data = {} }: MediaEvent, at: number): void {
  const number = (name: string) => (typeof data[name] === 'number' ? data[name] : undefined)
  const position = number('position_seconds')
  item.ended_at = at
  if (!item.buffering) play(item, at, position)
  switch (event) {
    case 'session_start':
      item.start_data ??= data
      break
    case 'video_played':
      item.has_played = true
      item.playing ??= { at, position }
      break
    case 'video_paused':
      item.playing = undefined
      break
    case 'buffering_start':
      endBuffering(item, at, undefined)
      item.buffering = { at, position, reason: reasonOf(data.reason, item) }
      break
    case 'buffering_end':
      item.buffering ??= { at: at - (number('duration_ms') ?? 0), position, reason: reasonOf(undefined, item) }
      endBuffering(item, at, number('duration_ms'))
      if (item.playing) item.playing = { at, position }
      break
    case 'quality_change':
      item.quality_switches += 1
      break
    case 'watch_pct_25':
    case 'watch_pct_50':
    case 'watch_pct_75':
    case 'watch_pct_95':
      item.watched_pct = Math.max(item.watched_pct, Number(event.slice(-2)))
      item.reported_watch_seconds = number('watched_seconds') ?? item.reported_watch_seconds
      break
    case 'page_hidden':
    case 'page_visible':
      break // belongs to the page, not to the item: visibility.ts
    case 'dropped_frames':
      item.dropped_frames += number('dropped') ?? 0
      item.total_frames += Math.max(number('total') ?? 0, number('dropped') ?? 0)
      break
    case 'session_end':
      item.reported_watch_seconds = number('watched_seconds') ?? item.reported_watch_seconds
      item.playing = undefined
      break
  }
}

/** Closes the item at its last event: loading that is still open ends there. */
export function close(item: Item): void {
  endBuffering(item, item.ended_at, undefined)
}

/** Counts what was played since the previous event. */
function play(item: Item, at: number, position: number | undefined): void {
  const { playing } = item
  if (!playing) return
  const elapsed = (at - playing.at) / 1000
  const from = playing.position
  const to = position ?? (from === undefined ? undefined : from + elapsed)
  const forward = from === undefined || to === undefined ? undefined : to - from
  const jumped = forward !== undefined && (forward < 0 || forward > elapsed * FASTEST + SLACK_SECONDS)
  const longest = forward === undefined || jumped ? elapsed : forward / SLOWEST + SLACK_SECONDS
  item.playing_ms += Math.min(elapsed, longest) * 1000
  if (from !== undefined && to !== undefined && !jumped) cover(item.seen, from, to)
  item.playing = { at, position: to }
}

function endBuffering(item: Item, at: number, reported: number | undefined): void {
  if (!item.buffering) return
  const { at: since, position, reason } = item.buffering
  item.bufferings.push({
    media_id: item.media_id,
    reason,
    started_at: since,
    position_seconds: position ?? null,
    duration_ms: Math.round(reported ?? at - since),
  })
  item.buffering = undefined
}

/** Before the first playback this is initial loading; later, unless the player says otherwise, the network. */
const reasonOf = (given: unknown, item: Item): BufferingReason =>
  given === 'initial' || given === 'seek' || given === 'network' ? given : item.has_played ? 'network' : 'initial'
