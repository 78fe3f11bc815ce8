import {
  FramesAccepted,
  LibraryView,
  MediaAccepted,
  MediaEvent,
  TelemetryHealth,
  TelemetryReadiness,
} from '@tendon/contracts'
import type { Refusal } from '@tendon/http'
import { type TSchema, Type } from 'typebox'
import type { Deps } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { libraryViews, mediaEvents } from './media-events.ts'
import { poseFrames } from './pose-frames.ts'
import * as refusals from './refusals.ts'
import type { Bearer } from './tokens.ts'

type Handle = (deps: Deps, bearer: Bearer, exchange: Exchange) => void

/** A route that receives data of a run. */
export interface IngestRoute {
  path: string
  operationId: string
  summary: string
  description: string
  handle: Handle
  body: { type: string; schema: TSchema }
  accepted: TSchema
  refusals: readonly Refusal[]
}

const MEDIA_REFUSALS = [
  refusals.invalidEvent,
  refusals.invalidToken,
  refusals.consentRequired,
  refusals.rateLimited,
  refusals.unavailable,
]

export const INGEST_ROUTES: readonly IngestRoute[] = [
  {
    path: '/v1/pose/frames',
    operationId: 'sendPoseFrames',
    summary: 'Send a batch of pose frames',
    description:
      'About one second of frames as one gzip member, 64 KB at most: version (1 byte, 1), frame count and frames per second (4 bytes each, little-endian), 33 landmarks of x, y, z (world landmarks, in metres) and visibility (0 to 1) as 32-bit floats for each frame, then milliseconds since the session started, 4 bytes for each frame. Batch metadata may be sent as small JSON in the query parameter `meta` or in `X-Batch-Meta`. One batch a second on average; bursts of five, and five a second to catch up on at most two minutes. Do not send a refused batch again. After the end of the session `frames_accepted` is 0.',
    handle: poseFrames,
    body: { type: 'application/octet-stream', schema: Type.String({ format: 'binary' }) },
    accepted: FramesAccepted,
    refusals: [
      refusals.malformedBatch,
      refusals.unsupportedVersion,
      refusals.invalidToken,
      refusals.consentRequired,
      refusals.batchTooLarge,
      refusals.shed,
      refusals.rateLimited,
      refusals.unavailable,
    ],
  },
  {
    path: '/v1/media/events',
    operationId: 'sendMediaEvent',
    summary: 'Send a player event',
    description:
      'A repeated event (same session, type and time) is accepted and not counted again. `session_end` ends the run; it is accepted whatever the quotas say. Members of `data` may be missing; unknown members are not stored.',
    handle: mediaEvents,
    body: { type: 'application/json', schema: MediaEvent },
    accepted: MediaAccepted,
    refusals: [refusals.unknownEvent, ...MEDIA_REFUSALS],
  },
  {
    path: '/v1/library/views',
    operationId: 'sendLibraryView',
    summary: 'Send a view of a library item',
    description: 'Counts against the quota of media events.',
    handle: libraryViews,
    body: { type: 'application/json', schema: LibraryView },
    accepted: MediaAccepted,
    refusals: MEDIA_REFUSALS,
  },
]

export interface PublicRoute {
  operationId: string
  summary: string
  answers: Record<number, TSchema>
}

/** Routes without a token. */
export const PUBLIC_ROUTES = {
  '/v1/healthz': { operationId: 'getHealth', summary: 'Get liveness', answers: { 200: TelemetryHealth } },
  '/v1/readyz': {
    operationId: 'getReadiness',
    summary: 'Get readiness',
    answers: { 200: TelemetryReadiness, 503: TelemetryReadiness },
  },
  '/v1/openapi.json': {
    operationId: 'getOpenApiDocument',
    summary: 'Get the OpenAPI document',
    answers: { 200: Type.Object({}, { additionalProperties: true }) },
  },
} as const satisfies Record<string, PublicRoute>
