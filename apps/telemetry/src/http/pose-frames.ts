import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJsonBody } from '@tendon/http'
import type { PoseDenial } from '../admission/admission.ts'
import { announcesMore, readBody } from './body.ts'
import { type Deps, refusalOf } from './deps.ts'
import * as refusals from './refusals.ts'
import { sendAndClose, sendJson, sendRefusal } from './reply.ts'
import type { Bearer } from './tokens.ts'

/** "batch exceeds about 64 KB after gzip". */
export const POSE_BATCH_MAX_BYTES = 64 * 1024
const META_MAX_BYTES = 2_048
const NO_META = Buffer.alloc(0)
const RETRY_SOON = { 'retry-after': '1' }
/** On average; at random, so that those who were shed together do not come again together. */
const SHED_PAUSE_MS = 500

/** POST /v1/pose/frames */
export async function poseFrames(deps: Deps, bearer: Bearer, request: IncomingMessage, response: ServerResponse) {
  const { admission, checker, ingest } = deps
  if (!bearer.pose) return sendRefusal(request, response, refusals.consentRequired())
  if (announcesMore(request, POSE_BATCH_MAX_BYTES)) return sendAndClose(request, response, refusals.batchTooLarge())
  const meta = metaOf(request)
  if (!meta || !isBatch(request)) return sendRefusal(request, response, refusals.malformedBatch())
  const denial = admission.enterPose(bearer.identity)
  if (denial) return deny(request, response, denial)
  try {
    const body = await readBody(request, POSE_BATCH_MAX_BYTES)
    if (body === 'aborted') return
    if (body === 'too_large') return sendAndClose(request, response, refusals.batchTooLarge())
    if (!checker.hasRoom()) return deny(request, response, 'shed')
    const frames = await checker.check(body)
    if (typeof frames !== 'number') return sendRefusal(request, response, PROBLEMS[frames]())
    const taken = await ingest.pose(bearer.identity, { frames, meta, gzip: body })
    sendJson(
      request,
      response,
      202,
      `{"frames_accepted":${taken.frames},"session_id":"${bearer.identity.runId}","buffer_position_bytes":${taken.position}}`,
    )
  } catch (error) {
    sendRefusal(request, response, refusalOf(error, refusals.shed))
  } finally {
    admission.leavePose()
  }
}

/**
 * What is shed is told a moment later: whoever sends again at once, although told not to, would otherwise be given all the
 * time that is missing for the others.
 */
function deny(request: IncomingMessage, response: ServerResponse, denial: PoseDenial): void {
  const answer = () => sendRefusal(request, response, DENIALS[denial]({}, RETRY_SOON))
  if (denial === 'shed') setTimeout(answer, SHED_PAUSE_MS * (0.5 + Math.random()))
  else answer()
}

const DENIALS = { shed: refusals.shed, rate_limited: refusals.rateLimited, unavailable: refusals.unavailable }
const PROBLEMS = { malformed_batch: refusals.malformedBatch, unsupported_version: refusals.unsupportedVersion }

/** The body is one gzip member by itself; a `Content-Encoding` may say so, and nothing else. */
function isBatch({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return (
    /^application\/octet-stream *(;|$)/i.test(headers['content-type'] ?? '') &&
    (encoding === 'identity' || encoding === 'gzip')
  )
}

/** Batch metadata: empty when there is none, undefined when it is not a small JSON object. */
function metaOf({ headers, url = '' }: IncomingMessage): Buffer | undefined {
  const query = url.indexOf('?')
  const given =
    query < 0 ? headers['x-batch-meta'] : (new URLSearchParams(url.slice(query)).get('meta') ?? headers['x-batch-meta'])
  if (given === undefined) return NO_META
  const text = String(given)
  const bytes = Buffer.from(text)
  if (bytes.length > META_MAX_BYTES) return undefined
  try {
    const value = parseJsonBody(bytes)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? bytes : undefined
  } catch {
    return undefined
  }
}
