import { randomUUID } from 'node:crypto'
import { ApiError, allowLongBody, BodyTimeout, BodyTooLarge, bodyChunks, refusal, requestTimeout } from '@tendon/http'
import { type DataStore, type Locker, Server, TUS_RESUMABLE } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'

// The tus protocol (https://tus.io, version 1.0.0): files that arrive in parts and continue after a broken connection. The
// library reads and checks requests; a feature gives it a store for the caller's uploads. Its responses become ours, so that
// refusals are like all others.

/** The media type of a part. */
export const TUS_BODY = 'application/offset+octet-stream'

const INCOMING = [
  'upload-length',
  'upload-defer-length',
  'upload-concat',
  'upload-metadata',
  'upload-offset',
  'content-type',
  'content-length',
]
const OUTGOING = ['location', 'upload-length', 'upload-metadata', 'upload-offset']

export const uploadNotFound = refusal(
  404,
  'upload_not_found',
  'There is no such upload, or somebody else started it. Start a new upload.',
)
export const uploadExpired = refusal(410, 'upload_expired', 'The upload was not finished in time. Start a new upload.')
export const uploadConflict = refusal(
  409,
  'upload_offset_conflict',
  'Upload-Offset is not where the upload continues. Read Upload-Offset with HEAD and continue there.',
)
const uploadTooLarge = refusal(
  413,
  'file_too_large',
  'The file is larger than {max_file_size} bytes, or longer than its Upload-Length. Send a smaller file.',
  { max_file_size: 524_288_000 },
)
export const invalidUpload = refusal(
  400,
  'invalid_upload_request',
  'This is not a valid request of the tus protocol: {reason}.',
  { reason: 'Upload-Length is required' },
)
const tusRequired = refusal(
  412,
  'tus_version_required',
  'Send the header "Tus-Resumable: 1.0.0". Other versions of the tus protocol are not supported.',
)

/** The refusals of every route that answers tus requests. */
export const TUS_REFUSALS = [
  uploadNotFound,
  uploadExpired,
  uploadConflict,
  uploadTooLarge,
  invalidUpload,
  tusRequired,
] as const

export interface TusOptions {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
  store: DataStore
  maxBytes: number
  /** The URL of the uploads; that of one is `<path>/<id>`. */
  path: string
  id?: string
  /** How long the sender of a part may be silent. */
  idleMs: number
}

/** The store decides by conditional writes which of two requests comes first, also when two servers receive them. */
const NO_LOCKS: Locker = { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) }

/** Sets the status and the headers of the response. The caller sends it. */
export async function answerTus(request: FastifyRequest, reply: FastifyReply, options: TusOptions): Promise<void> {
  const { method, store, maxBytes, path, id, idleMs } = options
  reply.header('tus-resumable', TUS_RESUMABLE)
  // Reading the state of an upload as JSON needs no header of the protocol.
  if (request.method !== 'GET' && request.headers['tus-resumable'] !== TUS_RESUMABLE)
    throw tusRequired({}, { 'tus-version': TUS_RESUMABLE })
  let failure: unknown
  const server = new Server({
    path,
    datastore: store,
    locker: NO_LOCKS,
    maxSize: maxBytes,
    namingFunction: () => randomUUID(),
    generateUrl: (_request, upload) => `${path}/${upload.id}`,
    getFileIdFromRequest: () => id,
    onResponseError: (_request, error) => {
      failure = error
      return undefined
    },
  })
  const body = received(request, { maxBytes, idleMs })
  allowLongBody(request.raw.socket, true)
  try {
    const response = await server.handleWeb(webRequest(request, method, body.chunks()))
    if (body.failure() instanceof BodyTimeout) throw requestTimeout({}, { connection: 'close' })
    if (body.failure() instanceof BodyTooLarge) throw uploadTooLarge({ max_file_size: maxBytes })
    if (failure !== undefined) throw refusalOf(failure, maxBytes)
    if (response.status >= 400) throw refusalOf({ status_code: response.status, body: await response.text() }, maxBytes)
    reply.code(response.status)
    for (const name of OUTGOING) {
      const value = response.headers.get(name)
      if (value !== null) reply.header(name, value)
    }
  } finally {
    allowLongBody(request.raw.socket, false)
  }
}

function webRequest(request: FastifyRequest, method: string, body: AsyncIterable<Uint8Array>): Request {
  const headers = new Headers()
  for (const name of INCOMING) {
    const value = request.headers[name]
    // Without its type the body of a POST is not taken for the first part.
    if (typeof value === 'string' && (method === 'PATCH' || !name.startsWith('content-'))) headers.set(name, value)
  }
  headers.set('tus-resumable', TUS_RESUMABLE)
  const init = method === 'PATCH' ? { body: streamOf(body), duplex: 'half' as const } : {}
  return new Request('http://tus.invalid/', { method, headers, ...init })
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

/** The body as it arrives. A broken connection ends it: what has arrived is kept, and the upload continues there. */
function received(request: FastifyRequest, limits: { maxBytes: number; idleMs: number }) {
  let failure: unknown
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* bodyChunks(request.raw, limits)
    } catch (error) {
      failure = error
    }
  }
  return { chunks, failure: () => failure }
}

function refusalOf(error: unknown, maxBytes: number): unknown {
  if (error instanceof ApiError || typeof error !== 'object' || error === null) return error
  if (!('status_code' in error && 'body' in error)) return error
  const reason = String(error.body).trim().replace(/\.$/, '')
  switch (error.status_code) {
    case 404:
      return uploadNotFound()
    case 409:
      return uploadConflict()
    case 413:
      return uploadTooLarge({ max_file_size: maxBytes })
    case 400:
    case 403:
    case 501:
      return invalidUpload({ reason })
    default:
      return error instanceof Error ? error : new Error(reason)
  }
}
