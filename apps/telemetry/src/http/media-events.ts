import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MediaEvent } from '@tendon/contracts'
import type { Parsed } from '../media/event.ts'
import { announcesMore, readBody } from './body.ts'
import { type Deps, refusalOf } from './deps.ts'
import * as refusals from './refusals.ts'
import { sendAndClose, sendJson, sendRefusal } from './reply.ts'
import type { Bearer } from './tokens.ts'

const MEDIA_BODY_MAX_BYTES = 8 * 1024
const RETRY_SOON = { 'retry-after': '1' }
const DENIALS = { rate_limited: refusals.rateLimited, unavailable: refusals.unavailable }

/** POST /v1/media/events */
export function mediaEvents(deps: Deps, bearer: Bearer, request: IncomingMessage, response: ServerResponse) {
  const { ingest, parser } = deps
  const mayEnd = !ingest.hasEnded(bearer.identity.runId)
  return take<MediaEvent>(deps, bearer, request, response, {
    mayEnd,
    parse: (body) => parser.event(body),
    isFree: ({ event }) => event === 'session_end' && !ingest.hasEnded(bearer.identity.runId),
    store: (event) => ingest.event(bearer.identity, event),
  })
}

/** POST /v1/library/views */
export function libraryViews(deps: Deps, bearer: Bearer, request: IncomingMessage, response: ServerResponse) {
  const { ingest, parser } = deps
  return take(deps, bearer, request, response, {
    mayEnd: false,
    parse: (body) => parser.view(body),
    isFree: () => false,
    store: (view) => ingest.view(bearer.identity, view),
  })
}

interface Kind<Value> {
  /** It may be the end of a session, so one of its run is read whatever the quotas say. */
  mayEnd: boolean
  parse: (body: Buffer) => Parsed<Value>
  /** Taken whatever the quotas say. */
  isFree: (value: Value) => boolean
  store: (value: Value) => Promise<void>
}

async function take<Value>(
  { admission }: Deps,
  { identity }: Bearer,
  request: IncomingMessage,
  response: ServerResponse,
  kind: Kind<Value>,
): Promise<void> {
  if (announcesMore(request, MEDIA_BODY_MAX_BYTES)) return sendAndClose(request, response, refusals.invalidEvent())
  const entry = admission.enterMedia(identity, kind.mayEnd)
  if (typeof entry === 'string') return sendRefusal(request, response, DENIALS[entry]({}, RETRY_SOON))
  try {
    const body = await readBody(request, MEDIA_BODY_MAX_BYTES)
    if (body === 'aborted') return
    if (body === 'too_large') return sendAndClose(request, response, refusals.invalidEvent())
    const parsed = kind.parse(body)
    if ('problem' in parsed) {
      admission.takeMediaQuota(identity)
      const refusal = parsed.problem === 'unknown_event' ? refusals.unknownEvent : refusals.invalidEvent
      return sendRefusal(request, response, refusal())
    }
    if (!kind.isFree(parsed.value)) {
      if (entry.denial) return sendRefusal(request, response, DENIALS[entry.denial]({}, RETRY_SOON))
      if (!admission.takeMediaQuota(identity))
        return sendRefusal(request, response, refusals.rateLimited({}, RETRY_SOON))
    }
    await kind.store(parsed.value)
    sendJson(request, response, 202, `{"status":"accepted","session_id":"${identity.runId}"}`)
  } catch (error) {
    sendRefusal(request, response, refusalOf(error, refusals.unavailable))
  } finally {
    entry.leave()
  }
}
