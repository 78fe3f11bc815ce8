import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { plainMediaType } from '@tendon/contracts'
import type { DB, PlatformTx, TenantTx } from '@tendon/db'
import { type ApiError, BodyTimeout, invalidContent, refusal, requestTimeout, unsupportedMediaType } from '@tendon/http'
import { ObjectTooLarge } from '@tendon/object-store'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Services } from '../services.ts'
import { HEAD_BYTES, inspectionOf, kindOf } from './file-kind.ts'
import { labelOf } from './file-name.ts'
import { type EncodedImage, encodeImage, type ImageSize } from './images.ts'
import { type FilePart, MalformedUpload, readOneFile } from './multipart.ts'
import { TUS_BODY } from './tus.ts'
import { claimObject, expireObject, forgetObject, listObject } from './unclaimed-objects.ts'

// The one way a feature takes a file. A route says `config: { upload: true }` and `handlerTimeout: MAX_UPLOAD_MS`; its handler
// checks what it can and calls takeFile. The bytes go straight into the object store; the row that names the object is
// written in the transaction that `keep` gets. Nothing else is kept: refused and interrupted uploads are deleted at once, and
// objects left by a crash are deleted by the worker (unclaimed-objects.ts).

/** Shorter than the time an object may stay unclaimed. An idle connection ends earlier. */
export const MAX_UPLOAD_MS = 30 * 60 * 1000
const MAX_BODY_MS = 28 * 60 * 1000

export interface UploadRules {
  /** The first part of the key: whose files these are, such as `form-files`. */
  folder: string
  maxBytes: number
  /** Media types that the file may be of. */
  types: readonly string[]
  tooLarge: () => ApiError
  wrongType: () => ApiError
  /** Inspects the stored file before its row is written; an error refuses the file. */
  examine?: (file: Upload) => Promise<void>
  /** For images: stores only their pixels. Reads the whole file into memory. */
  image?: ImageSize
  /** The file, where it is not the body of the request. The caller destroys its stream. */
  part?: FilePart
}

export interface Upload {
  key: string
  /** A label: clean, bounded, and it ends as the type does. */
  name: string
  bytes: number
  mime: string
  sha256: Buffer
  /** Size in pixels, for images. */
  width?: number
  height?: number
}

export const multipartExpected = refusal(
  415,
  'unsupported_media_type',
  'Send the file as "Content-Type: multipart/form-data", with one file in it.',
)

/** Leaves the body of an upload for its handler to read. */
export function acceptUploads(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    if (request.routeOptions.config.upload) done(null)
    else done(unsupportedMediaType())
  })
  app.addContentTypeParser(TUS_BODY, (request, _body, done) => {
    if (request.routeOptions.config.consumes?.[TUS_BODY]) done(null)
    else done(unsupportedMediaType())
  })
}

/** Takes the one file of the request into the caller's organization. `keep` writes the row that names it. */
export function takeFile<Result>(
  request: FastifyRequest,
  services: Services,
  rules: UploadRules,
  keep: (tx: TenantTx, file: Upload) => Promise<Result>,
): Promise<Result> {
  const owner = request.caller.organization_id ?? 'platform'
  return take({ request, services, rules, owner, run: (work) => request.tenant(work) }, keep)
}

/** Like `takeFile`, for files of the platform: superadmin routes only. */
export function takePlatformFile<Result>(
  request: FastifyRequest,
  services: Services,
  rules: UploadRules,
  keep: (tx: PlatformTx, file: Upload) => Promise<Result>,
): Promise<Result> {
  return take({ request, services, rules, owner: 'platform', run: (work) => request.platform(work) }, keep)
}

interface Taking<Tx> {
  request: FastifyRequest
  services: Services
  rules: UploadRules
  owner: string
  run: <Value>(work: (tx: Tx) => Promise<Value>) => Promise<Value>
}

/** How far it has come. */
interface Stored {
  key?: string
  claimed: boolean
}

async function take<Tx extends Kysely<DB>, Result>(
  taking: Taking<Tx>,
  keep: (tx: Tx, file: Upload) => Promise<Result>,
): Promise<Result> {
  const { request, rules, run } = taking
  const isMultipart = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
  if (!rules.part && !isMultipart) throw multipartExpected()
  const stored: Stored = { claimed: false }
  try {
    const limits = { maxBytes: rules.maxBytes, maxMs: MAX_BODY_MS, idleMs: taking.services.config.BODY_TIMEOUT_MS }
    const consume = (part: FilePart) => store(taking, part, (key) => (stored.key = key))
    const file = await (rules.part ? consume(rules.part) : readOneFile(request.raw, limits, consume))
    await rules.examine?.(file)
    await request.refresh()
    return await run(async (tx) => {
      stored.claimed = await claimObject(tx, file.key)
      if (!stored.claimed) throw new Error('the upload was abandoned while it was received')
      return keep(tx, file)
    })
  } catch (error) {
    await discard(taking, stored)
    if (error instanceof ObjectTooLarge) throw rules.tooLarge()
    if (error instanceof BodyTimeout) throw requestTimeout({}, { connection: 'close' })
    if (error instanceof MalformedUpload) throw invalidContent({ file: error.message }, request.routeOptions.config)
    throw error
  }
}

/** Checks what the file is while it goes into the store. */
async function store<Tx extends Kysely<DB>>(
  { services: { objects }, rules, owner, run }: Taking<Tx>,
  part: FilePart,
  onKey: (key: string) => void,
): Promise<Upload> {
  const { head, chunks } = await peek(part.stream)
  if (head.length === 0) throw new MalformedUpload('is empty')
  const kind = await kindOf(head, part.declared)
  if (!kind || !rules.types.map(plainMediaType).includes(kind.mime)) throw rules.wrongType()
  const inspection = inspectionOf(kind, head)

  async function* inspected(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (!inspection.take(chunk)) throw rules.wrongType()
      yield chunk
    }
    if (!inspection.end()) throw rules.wrongType()
  }

  const image = rules.image && (await encoded(inspected(), rules, rules.image))
  const { mime, extension } = image ?? kind
  const key = `${rules.folder}/${owner}/${randomUUID()}.${extension}`
  onKey(key)
  await run((tx) => listObject(tx, key))
  const body = image?.bytes ?? Readable.from(inspected(), { objectMode: false })
  const maxBytes = image?.bytes.length ?? rules.maxBytes
  const { bytes, sha256 } = await objects.put(key, body, { contentType: mime, maxBytes })
  const name = labelOf(part.name, { mime, extension })
  const size = image && { width: image.width, height: image.height }
  return { key, name, bytes, mime, sha256: Buffer.from(sha256, 'hex'), ...size }
}

/** Encodes the pixels of the image as a new file. */
async function encoded(chunks: AsyncIterable<Buffer>, rules: UploadRules, size: ImageSize): Promise<EncodedImage> {
  const all: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > rules.maxBytes) throw new ObjectTooLarge(rules.maxBytes)
    all.push(chunk)
  }
  const image = await encodeImage(Buffer.concat(all), size)
  if (!image) throw rules.wrongType()
  return image
}

/** The first bytes, and all of them from the first on. */
async function peek(stream: Readable): Promise<{ head: Buffer; chunks: AsyncIterable<Buffer> }> {
  const rest = stream.iterator({ destroyOnReturn: false })
  const first: Buffer[] = []
  for (let bytes = 0; bytes < HEAD_BYTES; ) {
    const { value, done } = await rest.next()
    if (done === true) break
    first.push(value)
    bytes += value.length
  }
  const head = Buffer.concat(first)
  async function* chunks() {
    if (head.length > 0) yield head
    yield* rest
  }
  return { head: head.subarray(0, HEAD_BYTES), chunks: chunks() }
}

/**
 * Deletes the object, unless a row names it after all: a commit may succeed although its answer is lost. What cannot be
 * deleted now is left to the worker.
 */
async function discard<Tx extends Kysely<DB>>(
  { services, request, run }: Taking<Tx>,
  { key, claimed }: Stored,
): Promise<void> {
  if (key === undefined) return
  try {
    const free = await run((tx) => expireObject(tx, key))
    if (!free && claimed) return
    await services.objects.delete(key)
    await run((tx) => forgetObject(tx, key))
  } catch (error) {
    request.log.warn({ err: error }, 'object of a failed upload not deleted; the cleanup job retries')
  }
}
