import { type Static, type TSchema, Type } from 'typebox'
import { Enum, Id, Timestamp } from './shapes.ts'

// What crosses HTTP between a patient's browser and the telemetry service.

const Seconds = Type.Number({ minimum: 0, maximum: 1_000_000, examples: [12.5] })
const Milliseconds = Type.Number({ minimum: 0, maximum: 1_000_000_000, examples: [180] })
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000, examples: [3] })
const Label = (example: string) => Type.String({ maxLength: 64, examples: [example] })

/** Every member may be left out; of those that are there the type must be right, and unknown ones are not kept. */
const Data = (properties: Record<string, TSchema>) =>
  Type.Object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])), {
    additionalProperties: false,
  })

const AtPosition = Data({ position_seconds: Seconds })
const Watched = Data({ position_seconds: Seconds, watched_seconds: Seconds })

export const BUFFERING_REASONS = ['initial', 'seek', 'network'] as const
export const SESSION_END_REASONS = ['completed', 'user_exit', 'error'] as const

/** Event type → the schema of its `data`. */
export const MEDIA_EVENT_DATA = {
  session_start: Data({
    total_duration_seconds: Seconds,
    ttfb_ms: Milliseconds,
    video_load_time_ms: Milliseconds,
    cdn_response_time_ms: Milliseconds,
    connection_type: Label('wifi'),
    effective_bandwidth: Type.Number({ minimum: 0, maximum: 1e12, examples: [8.2] }),
    rtt_ms: Milliseconds,
    initial_bitrate: Count,
    initial_resolution: Label('1280x720'),
  }),
  video_played: AtPosition,
  video_paused: Data({ position_seconds: Seconds, reason: Label('user') }),
  buffering_start: Data({ position_seconds: Seconds, reason: Enum(BUFFERING_REASONS, 'network') }),
  buffering_end: Data({ position_seconds: Seconds, duration_ms: Milliseconds }),
  quality_change: Data({
    previous_quality: Label('720p'),
    new_quality: Label('480p'),
    bitrate: Count,
    automatic: Type.Boolean({ examples: [true] }),
  }),
  watch_pct_25: Watched,
  watch_pct_50: Watched,
  watch_pct_75: Watched,
  watch_pct_95: Watched,
  page_visible: AtPosition,
  page_hidden: AtPosition,
  dropped_frames: Data({ dropped: Count, total: Count, window_ms: Milliseconds }),
  session_end: Data({
    reason: Enum(SESSION_END_REASONS),
    position_seconds: Seconds,
    watched_seconds: Seconds,
  }),
} as const

export type MediaEventType = keyof typeof MEDIA_EVENT_DATA
export const MEDIA_EVENT_TYPES = Object.keys(MEDIA_EVENT_DATA) as MediaEventType[]

export const MediaId = Type.String({ minLength: 1, maxLength: 200, examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'] })

/** ISO 8601 UTC with milliseconds. */
const Moment = Type.String({
  pattern: '^20\\d\\d-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d\\.\\d{3}Z$',
  examples: ['2026-11-15T09:30:00.000Z'],
})

export const MediaEventOf = (data: TSchema) =>
  Type.Object(
    {
      event: Enum(MEDIA_EVENT_TYPES),
      session_id: Id,
      media_id: MediaId,
      media_type: Type.String({ minLength: 1, maxLength: 64, examples: ['video'] }),
      timestamp: Moment,
      data: Type.Optional(data),
    },
    { additionalProperties: false },
  )

/** An event of any type. Which data an event has follows from its type: MEDIA_EVENT_DATA. */
export const MediaEvent = MediaEventOf(Type.Union([...new Set(Object.values(MEDIA_EVENT_DATA))]))
export interface MediaEvent {
  event: MediaEventType
  session_id: string
  media_id: string
  media_type: string
  timestamp: string
  data?: Readonly<Record<string, unknown>>
}

export const LibraryView = Type.Object(
  {
    media_id: MediaId,
    viewed_at: Timestamp,
    duration_seconds: Type.Optional(Seconds),
  },
  { additionalProperties: false },
)
export type LibraryView = Static<typeof LibraryView>

export const MediaAccepted = Type.Object({ status: Enum(['accepted']), session_id: Id })

export const FramesAccepted = Type.Object({
  frames_accepted: Type.Integer({ examples: [30] }),
  session_id: Id,
  buffer_position_bytes: Type.Integer({ examples: [123_456] }),
})

export const TelemetryHealth = Type.Object({
  status: Enum(['ok']),
  version: Type.String({ examples: ['0.1.0'] }),
})

/** Only the log decides: data is accepted while the database or the object store is unavailable. */
export const TelemetryReadiness = Type.Object({
  status: Enum(['ready', 'degraded', 'not_ready']),
  checks: Type.Object({
    log: Type.Object({
      status: Enum(['healthy', 'recovering', 'degraded', 'full', 'failed']),
      reason: Type.Optional(Type.String()),
    }),
    postgresql: Type.Object({ status: Enum(['healthy', 'unhealthy']) }),
    object_store: Type.Object({ status: Enum(['healthy', 'unhealthy']) }),
  }),
})
export type TelemetryReadiness = Static<typeof TelemetryReadiness>
