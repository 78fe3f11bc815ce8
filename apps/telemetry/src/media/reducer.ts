import type { MediaEvent } from '@tendon/contracts'
import { withoutLate } from '@tendon/pose'
import { coveredSeconds } from './coverage.ts'
import { eventKey } from './event.ts'
import { apply, type Buffering, close, type Item, newItem } from './item.ts'
import { watchPages } from './visibility.ts'

// Reduces the events of a run to its metrics. Pure: live, recovered and resumed runs use the same code. Repeated
// events count once, in order of their own times, whatever the order of arrival.

export interface Metrics {
  started_at: number
  ended_at: number
  startup_ms: number | null
  rebuffer_count: number
  rebuffer_ms: number
  /** Rebuffering ÷ (playing + rebuffering), without initial loading and seeking; null when nothing played. */
  rebuffer_pct: number | null
  watch_seconds: number
  unique_seconds: number
  quality_switches: number
  dropped_frames: number
  total_frames: number
  dropped_frame_pct: number | null
  hidden_ms: number
}

interface ItemMetrics extends Metrics {
  media_id: string
  watched_pct: number
  /** What the player reported at its start. */
  start_data: Readonly<Record<string, unknown>> | null
}

/** When an item was current, in milliseconds since the session started. `to_ms` null: until the end. */
interface Span {
  media_id: string
  from_ms: number
  to_ms: number | null
}

export interface MediaSummary {
  run: (Metrics & { end_reason: string | null; events: number }) | undefined
  items: ItemMetrics[]
  bufferings: Buffering[]
  spans: Span[]
}

export function reduceMedia(given: readonly MediaEvent[]): MediaSummary {
  const events = inOrder(given)
  const items = new Map<string, Item>()
  const watch = watchPages()
  for (const { event, at } of events) {
    const item = items.get(event.media_id) ?? newItem(event.media_id, at)
    items.set(event.media_id, item)
    apply(item, event, at)
    watch(event, item, at)
  }
  const all = [...items.values()]
  for (const item of all) close(item)
  const end = events.find(({ event }) => event.event === 'session_end')
  const reason = end?.event.data?.reason
  return {
    run:
      all.length === 0
        ? undefined
        : { ...metricsOf(all), end_reason: typeof reason === 'string' ? reason : null, events: events.length },
    items: all.map((item) => {
      const { media_id, watched_pct, start_data = null } = item
      return { ...metricsOf([item]), media_id, watched_pct, start_data }
    }),
    bufferings: all.flatMap(({ bufferings }) => bufferings).sort((a, b) => a.started_at - b.started_at),
    spans: spansOf(events),
  }
}

interface Timed {
  event: MediaEvent
  at: number
}

/** Without repeats, by time; the first to arrive wins among equal times. */
function inOrder(given: readonly MediaEvent[]): Timed[] {
  const seen = new Set<string>()
  return given
    .filter((event) => {
      const key = `${event.session_id} ${eventKey(event)}`
      return !seen.has(key) && seen.add(key)
    })
    .map((event) => ({ event, at: Date.parse(event.timestamp) }))
    .sort((a, b) => a.at - b.at)
}

function metricsOf(items: readonly Item[]): Metrics {
  const sum = (of: (item: Item) => number) => items.reduce((total, item) => total + of(item), 0)
  const rebufferings = items.flatMap(({ bufferings }) => bufferings).filter(({ reason }) => reason === 'network')
  const rebuffer_ms = rebufferings.reduce((total, { duration_ms }) => total + duration_ms, 0)
  const playing_ms = sum((item) => item.playing_ms)
  const total_frames = sum((item) => item.total_frames)
  const dropped_frames = sum((item) => item.dropped_frames)
  return {
    started_at: Math.min(...items.map(({ started_at }) => started_at)),
    ended_at: Math.max(...items.map(({ ended_at }) => ended_at)),
    startup_ms: items.map(startupOf).find((startup) => startup !== null) ?? null,
    rebuffer_count: rebufferings.length,
    rebuffer_ms,
    rebuffer_pct: percentage(rebuffer_ms, playing_ms + rebuffer_ms),
    watch_seconds: round(sum(watchOf)),
    unique_seconds: round(sum(({ seen }) => coveredSeconds(seen))),
    quality_switches: sum((item) => item.quality_switches),
    dropped_frames,
    total_frames,
    dropped_frame_pct: percentage(dropped_frames, total_frames),
    hidden_ms: sum((item) => item.hidden_ms),
  }
}

/** The longest startup time accepted: a longer one comes from a clock that jumped and would overflow its column. */
const MAX_STARTUP_MS = 1_000_000_000

/** As measured by the player, otherwise the duration of the first loading. */
const startupOf = ({ start_data, bufferings }: Item): number | null => {
  const startup = start_data?.video_load_time_ms ?? bufferings.find(({ reason }) => reason === 'initial')?.duration_ms
  return typeof startup === 'number' && startup <= MAX_STARTUP_MS ? Math.round(startup) : null
}

/** What was played; the player's own figure only when no start of playback was received. */
const watchOf = ({ has_played, playing_ms, reported_watch_seconds = 0 }: Item): number =>
  has_played ? playing_ms / 1000 : reported_watch_seconds

const round = (value: number): number => Math.round(value * 1000) / 1000

const percentage = (part: number, whole: number): number | null => (whole > 0 ? round((part / whole) * 100) : null)

/**
 * The current item is that of the latest event. Zero is the first `session_start` of the run; without one nothing is
 * current.
 */
function spansOf(events: readonly Timed[]): Span[] {
  const start = events.findIndex(({ event }) => event.event === 'session_start')
  const zero = events[start]?.at
  if (zero === undefined) return []
  const spans: Span[] = []
  const timed = events.slice(start).map(({ event, at }) => ({ ...event, at }))
  for (const { event, media_id, at } of withoutLate(timed)) {
    const last = spans.at(-1)
    if (last && last.media_id !== media_id) last.to_ms = at - zero
    if (!last || last.media_id !== media_id) spans.push({ media_id, from_ms: at - zero, to_ms: null })
    if (event !== 'session_end') continue
    const open = spans.at(-1)
    if (open) open.to_ms = at - zero
    break
  }
  return spans
}
