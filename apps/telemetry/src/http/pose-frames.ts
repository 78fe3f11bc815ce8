import type { IncomingMessage } from 'node:http'
import { parseJsonBody } from '@tendon/http'
import { isCameraWithdrawn } from '../consent/withdrawn.ts'
import type { PosePayload } from '../runs/payloads.ts'
import type { RunIdentity } from '../runs/recording.ts'
import { announcedBytes, readBody } from './body.ts'
import { type Deps, refuseFailed } from './deps.ts'
import type { Exchange } from './exchange.ts'
import * as refusals from './refusals.ts'
import type { Bearer } from './tokens.ts'

/** "batch exceeds about 64 KB after gzip". */
const MAX_POSE_BATCH_BYTES = 64 * 1024
const MAX_META_BYTES = 2_048
const NO_META = Buffer.alloc(0)
const RETRY_SOON = { 'retry-after': '1' }
const DENIALS = {
  shed: refusals.shed({}, RETRY_SOON),
  rate_limited: refusals.rateLimited({}, RETRY_SOON),
  unavailable: refusals.unavailable({}, RETRY_SOON),
}

/** POST /v1/pose/frames: called ten thousand times a second, so its steps are callbacks instead of promises. */
export function poseFrames(deps: Deps, bearer: Bearer, exchange: Exchange): void {
  const { request } = exchange
  const isWithdrawn = isCameraWithdrawn(deps.withdrawals.of(bearer.identity.runId), deps.now())
  if (!bearer.pose || isWithdrawn) return exchange.refuse(refusals.consentRequired())
  const bytes = announcedBytes(request, MAX_POSE_BATCH_BYTES)
  if (bytes > MAX_POSE_BATCH_BYTES) return exchange.refuseAndClose(refusals.batchTooLarge())
  const meta = metaOf(request)
  if (!meta || !isBatch(request)) return exchange.refuse(refusals.malformedBatch())
  const sender = { bytes, isDisconnected: () => request.destroyed }
  deps.admission.enterPose(bearer.identity, sender, (denial) => {
    if (denial) exchange.refuse(DENIALS[denial])
    else receiveBody(deps, bearer.identity, exchange, meta)
  })
}

/** The slot is released when the request is answered. */
function receiveBody(deps: Deps, identity: RunIdentity, exchange: Exchange, meta: Buffer): void {
  const { admission, checker } = deps
  readBody(exchange.request, MAX_POSE_BATCH_BYTES, (body) => {
    if (typeof body !== 'string' && checker.hasRoom()) {
      checker.check(body, (frames) => {
        if (typeof frames === 'number') void store(deps, identity, exchange, { frames, meta, gzip: body })
        else {
          admission.leavePose(identity)
          exchange.refuse(PROBLEMS[frames]())
        }
      })
      return
    }
    admission.leavePose(identity)
    if (body === 'too_large') exchange.refuseAndClose(refusals.batchTooLarge())
    else if (body !== 'aborted') exchange.refuse(DENIALS.shed)
  })
}

async function store({ admission, ingest }: Deps, identity: RunIdentity, exchange: Exchange, batch: PosePayload) {
  try {
    const { frames, position } = await ingest.pose(identity, batch)
    exchange.send(
      202,
      `{"frames_accepted":${frames},"session_id":"${identity.runId}","buffer_position_bytes":${position}}`,
    )
  } catch (error) {
    refuseFailed(exchange, error, refusals.shed)
  } finally {
    admission.leavePose(identity)
  }
}

const PROBLEMS = { malformed_batch: refusals.malformedBatch, unsupported_version: refusals.unsupportedVersion }

/** The body is one gzip member. `Content-Encoding` may say `gzip` or `identity`, nothing else. */
function isBatch({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return (
    /^application\/octet-stream *(;|$)/i.test(headers['content-type'] ?? '') &&
    (encoding === 'identity' || encoding === 'gzip')
  )
}

/** Batch metadata: empty when absent, undefined when it is not a small JSON object. */
function metaOf({ headers, url = '' }: IncomingMessage): Buffer | undefined {
  const query = url.indexOf('?')
  const given =
    query < 0 ? headers['x-batch-meta'] : (new URLSearchParams(url.slice(query)).get('meta') ?? headers['x-batch-meta'])
  if (given === undefined) return NO_META
  const text = String(given)
  const bytes = Buffer.from(text)
  if (bytes.length > MAX_META_BYTES) return undefined
  try {
    const value = parseJsonBody(bytes)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? bytes : undefined
  } catch {
    return undefined
  }
}
