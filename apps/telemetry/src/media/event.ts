import {
  isObject,
  isUuid,
  LibraryView,
  MEDIA_EVENT_DATA,
  type MediaEvent,
  MediaEventOf,
  type MediaEventType,
} from '@tendon/contracts'
import { parseJsonBody } from '@tendon/http'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type EventProblem = 'unknown_event' | 'invalid_event'
export type Parsed<Value> = { value: Value } | { problem: EventProblem }

// Contracts are compiled once per process: each test starts a service.
const ajv = createAjv()
const validators = new Map<string, ValidateFunction<MediaEvent>>()
let isView: ValidateFunction<LibraryView> | undefined

/** Unknown members are accepted and removed, so that only documented data is stored. */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, removeAdditional: true })
  addFormats.default(ajv)
  ajv.addFormat('uuid', isUuid) // Ajv's own format accepts urn:uuid:… too, which would make two sessions of one
  return ajv
}

export interface EventParser {
  event(bytes: Buffer): Parsed<MediaEvent>
  view(bytes: Buffer): Parsed<LibraryView>
}

/** Compiled on the first event of its type. */
const isEventType = (event: string): event is MediaEventType => Object.hasOwn(MEDIA_EVENT_DATA, event)

function validatorOf(event: string): ValidateFunction<MediaEvent> | undefined {
  const known = validators.get(event)
  if (known || !isEventType(event)) return known
  const compiled = ajv.compile<MediaEvent>(MediaEventOf(MEDIA_EVENT_DATA[event]))
  validators.set(event, compiled)
  return compiled
}

export function createEventParser(): EventParser {
  return {
    event(bytes) {
      const body = parse(bytes)
      if (typeof body?.event !== 'string') return { problem: 'invalid_event' }
      const isValid = validatorOf(body.event)
      if (!isValid) return { problem: 'unknown_event' }
      if (!isValid(body) || !isDay(body.timestamp)) return { problem: 'invalid_event' }
      const { event, session_id, media_id, media_type, timestamp, data } = body
      const value = { event, session_id: session_id.toLowerCase(), media_id, media_type, timestamp }
      return { value: data === undefined ? value : { ...value, data } }
    },
    view(bytes) {
      const body = parse(bytes)
      isView ??= ajv.compile<LibraryView>(LibraryView)
      if (!body || !isView(body)) return { problem: 'invalid_event' }
      const viewedAt = new Date(body.viewed_at)
      if (!(viewedAt.getUTCFullYear() >= 2000 && viewedAt.getUTCFullYear() < 2100)) return { problem: 'invalid_event' }
      return { value: { ...body, viewed_at: viewedAt.toISOString() } }
    },
  }
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJsonBody(bytes)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** 31 February matches the pattern but is not a date: JavaScript reads it as a day in March. */
function isDay(timestamp: string): boolean {
  const time = new Date(timestamp)
  return !Number.isNaN(time.getTime()) && time.toISOString() === timestamp
}

const ORDER = new Map<string, number>(Object.keys(MEDIA_EVENT_DATA).map((event, at) => [event, at]))

/** Type and time of an event as one number, which identifies it within its session. */
export const eventKey = ({ event, timestamp }: Pick<MediaEvent, 'event' | 'timestamp'>): number =>
  Date.parse(timestamp) * ORDER.size + (ORDER.get(event) ?? 0)
