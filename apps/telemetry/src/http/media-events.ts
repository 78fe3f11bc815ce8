import type { LibraryView, MediaEvent } from '@tendon/contracts'
import { isRunWithdrawn } from '../consent/withdrawn.ts'
import type { Parsed } from '../media/event.ts'
import { announcedBytes, type Body, readBody } from './body.ts'
import { type Deps, refuseFailed } from './deps.ts'
import type { Exchange } from './exchange.ts'
import * as refusals from './refusals.ts'
import type { Bearer } from './tokens.ts'

const MAX_MEDIA_BODY_BYTES = 8 * 1024
const RETRY_SOON = { 'retry-after': '1' }
const DENIALS = { rate_limited: refusals.rateLimited, unavailable: refusals.unavailable }

/** POST /v1/media/events */
export function mediaEvents(deps: Deps, bearer: Bearer, exchange: Exchange): void {
  const { ingest, parser } = deps
  const mayEnd = !ingest.hasEnded(bearer.identity.runId)
  const kind: Kind<MediaEvent> = {
    mayEnd,
    parse: (body) => parser.event(body),
    isFree: ({ event }) => event === 'session_end' && !ingest.hasEnded(bearer.identity.runId),
    // Without the end the recording would stay open; nothing but that it ended is kept of it.
    isWithdrawn: ({ event, timestamp }) =>
      event !== 'session_end' && isRunWithdrawn(deps.withdrawals.of(bearer.identity.runId), Date.parse(timestamp)),
    store: (event) => ingest.event(bearer.identity, event),
  }
  receive(deps, bearer, exchange, kind).catch((error: unknown) => exchange.fail(error))
}

/** POST /v1/library/views */
export function libraryViews(deps: Deps, bearer: Bearer, exchange: Exchange): void {
  const { ingest, parser } = deps
  const kind: Kind<LibraryView> = {
    mayEnd: false,
    parse: (body) => parser.view(body),
    isFree: () => false,
    isWithdrawn: ({ viewed_at }) => isRunWithdrawn(deps.withdrawals.of(bearer.identity.runId), Date.parse(viewed_at)),
    store: (view) => ingest.view(bearer.identity, view),
  }
  receive(deps, bearer, exchange, kind).catch((error: unknown) => exchange.fail(error))
}

interface Kind<Value> {
  /** The event may be the end of a session, so a few of its run are read whatever the quotas say. */
  mayEnd: boolean
  parse: (body: Buffer) => Parsed<Value>
  /** Accepted whatever the quotas say. */
  isFree: (value: Value) => boolean
  /** It happened after the patient had withdrawn the consent to exercising at home. */
  isWithdrawn: (value: Value) => boolean
  store: (value: Value) => Promise<void>
}

async function receive<Value>(
  { admission }: Deps,
  { identity }: Bearer,
  exchange: Exchange,
  kind: Kind<Value>,
): Promise<void> {
  const { request } = exchange
  if (announcedBytes(request, 0) > MAX_MEDIA_BODY_BYTES) return exchange.refuseAndClose(refusals.invalidEvent())
  const entry = admission.enterMedia(identity, kind.mayEnd)
  if (typeof entry === 'string') return exchange.refuse(DENIALS[entry]({}, RETRY_SOON))
  try {
    const body = await new Promise<Body>((resolve) => readBody(request, MAX_MEDIA_BODY_BYTES, resolve))
    if (body === 'aborted') return
    if (body === 'too_large') return exchange.refuseAndClose(refusals.invalidEvent())
    const parsed = kind.parse(body)
    if ('problem' in parsed) {
      const refusal = parsed.problem === 'unknown_event' ? refusals.unknownEvent : refusals.invalidEvent
      return exchange.refuse(refusal())
    }
    if (kind.isWithdrawn(parsed.value)) return exchange.refuse(refusals.consentRequired())
    if (kind.isFree(parsed.value)) entry.returnQuota()
    else if (entry.denial) return exchange.refuse(DENIALS[entry.denial]({}, RETRY_SOON))
    await kind.store(parsed.value)
    exchange.send(202, `{"status":"accepted","session_id":"${identity.runId}"}`)
  } catch (error) {
    refuseFailed(exchange, error, refusals.unavailable)
  } finally {
    entry.leave()
  }
}
