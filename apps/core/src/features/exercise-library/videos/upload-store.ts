import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { plainMediaType, VIDEO_TYPES } from '@tendon/contracts'
import { problemOfText } from '@tendon/http'
import { DataStore, Upload } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import { invalidUpload, uploadConflict, uploadExpired, uploadNotFound } from '../../../platform/tus.ts'
import { claimObject, discardObject, listObject } from '../../../platform/unclaimed-objects.ts'
import type { Services } from '../../../services.ts'
import { withinPlan } from '../../tenancy/plans/index.ts'
import { inLibrary, openExercise } from '../exercises/index.ts'
import { invalidVideoType, tooManyParts } from './errors.ts'
import { record } from './taking.ts'
import {
  addPart,
  deleteUnfinished,
  deleteUpload,
  findUpload,
  insertUpload,
  type StoredUpload,
  type UploadOwner,
} from './upload-queries.ts'
import { expiryOf, MAX_PARTS, metadataProblem, PART_BYTES } from './upload-rules.ts'

/** The uploads of the caller for one exercise. State is in the database and the object store: any server can continue. */
export class VideoUploads extends DataStore {
  /** Of the upload that was created or read last. */
  expiresAt: Date | undefined
  readonly owner: UploadOwner
  readonly #request: FastifyRequest
  readonly #services: Services
  #parts = 0

  constructor(request: FastifyRequest, services: Services, exerciseId: string) {
    super()
    this.owner = { exerciseId, principalId: request.caller.principal_id }
    this.#request = request
    this.#services = services
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size: length = 0, metadata = {} } = upload
    if (length < 1) throw invalidUpload({ reason: 'Upload-Length must be at least 1' })
    const reason = metadataProblem(metadata) ?? problemOfText(Object.entries(metadata).flat().join(''))
    if (reason !== undefined) throw invalidUpload({ reason: `Upload-Metadata ${reason}` })
    const types: readonly string[] = VIDEO_TYPES
    if (!types.includes(plainMediaType(metadata.filetype ?? '')))
      throw invalidVideoType({ allowed_file_types: VIDEO_TYPES })
    const expires_at = expiryOf(this.#services.now())
    const request = this.#request
    await withinPlan(request, () =>
      inLibrary(request, async (tx) => {
        const exercise = await openExercise(tx, this.owner.exerciseId)
        await deleteUnfinished(tx, this.owner)
        await insertUpload(tx, this.owner, { id, length, metadata, expires_at })
        const changes = [{ field: 'video_upload', before: null, after: id }]
        await record.uploadStarted(request, tx, exercise, exercise, { changes })
      }),
    )
    this.expiresAt = expires_at
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const { length, received, metadata, object_keys } = await this.find(id)
    this.#parts = object_keys.length
    return new Upload({ id, size: length, offset: received, metadata })
  }

  /** Returns where the upload now continues. Bytes count as received once their object and their row are stored. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    let position = offset
    for await (const bytes of partsOf(stream)) {
      if (++this.#parts > MAX_PARTS) throw tooManyParts()
      await this.#add(id, position, bytes)
      position += bytes.length
    }
    return position
  }

  override async remove(id: string): Promise<void> {
    const request = this.#request
    await this.find(id)
    await inLibrary(request, async (tx) => {
      const exercise = await openExercise(tx, this.owner.exerciseId)
      if (!(await deleteUpload(tx, this.owner, id))) return
      const changes = [{ field: 'video_upload', before: id, after: null }]
      await record.uploadCancelled(request, tx, exercise, exercise, { changes })
    })
  }

  async find(id: string): Promise<StoredUpload> {
    const found = await inLibrary(this.#request, (tx) => findUpload(tx, this.owner, id))
    if (!found) throw uploadNotFound()
    this.expiresAt = new Date(found.expires_at)
    if (this.expiresAt <= this.#services.now()) throw uploadExpired()
    return found
  }

  async #add(id: string, position: number, content: Buffer): Promise<void> {
    const request = this.#request
    const { objects, now } = this.#services
    const { caller } = request
    const place = caller.is_superadmin ? 'platform' : (caller.organization_id ?? 'platform')
    const key = `exercise-video-uploads/${place}/${id}/${randomUUID()}`
    await inLibrary(request, (tx) => listObject(tx, key))
    try {
      await objects.put(key, content, { contentType: 'application/octet-stream', maxBytes: content.length })
      await request.refresh()
      await inLibrary(request, async (tx) => {
        if (!(await claimObject(tx, key))) throw new Error('the part was abandoned while it was stored')
        if (!(await addPart(tx, this.owner, { id, position, bytes: content.length, key, now: now() })))
          throw uploadConflict()
      })
    } catch (error) {
      await discardObject((work) => inLibrary(request, work), objects, key).catch((failure: unknown) =>
        request.log.warn({ err: failure }, 'part of an upload not deleted; the cleanup job retries'),
      )
      throw error
    }
  }
}

/** Bounded by the memory of a server that receives many uploads at once. */
async function* partsOf(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('The stream does not give bytes.')
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    const part = Buffer.concat(chunks)
    // Before it is stored: chunks and part together would take twice the memory.
    chunks = []
    bytes = 0
    yield part
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
