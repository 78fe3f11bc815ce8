import { Readable } from 'node:stream'
import type { ExerciseVideo } from '@tendon/contracts'
import { ApiError } from '@tendon/http'
import type { ObjectStore } from '@tendon/object-store'
import { playableUrls } from '@tendon/video-host'
import type { FastifyRequest } from 'fastify'
import { uploadNotFound } from '../../../platform/tus.ts'
import type { Services } from '../../../services.ts'
import { inLibrary, readExercise } from '../exercises/index.ts'
import { invalidVideoType, unplayableVideo, uploadIncomplete } from './errors.ts'
import { findVideo } from './queries.ts'
import { takeVideo } from './taking.ts'
import { deleteUpload, findUpload, finishUpload, type StoredUpload } from './upload-queries.ts'
import type { VideoUploads } from './upload-store.ts'

/** Makes the received bytes the video of the exercise, once: finishing again returns the video that the exercise has. */
export async function finishVideoUpload(
  request: FastifyRequest,
  services: Services,
  uploads: VideoUploads,
  id: string,
): Promise<ExerciseVideo> {
  const upload = await uploads.find(id)
  if (upload.finished_at === null) {
    if (upload.received < upload.length) throw uploadIncomplete({ offset: upload.received, length: upload.length })
    await assemble(request, services, uploads, upload)
  }
  const video = await inLibrary(request, async (tx) => {
    const exercise = await readExercise(tx, uploads.owner.exerciseId)
    return findVideo(tx, exercise.id)
  })
  return playableUrls(services, video)
}

async function assemble(
  request: FastifyRequest,
  services: Services,
  { owner }: VideoUploads,
  { id, metadata, object_keys }: StoredUpload,
): Promise<void> {
  const part = {
    stream: Readable.from(joined(services.objects, object_keys), { objectMode: false }),
    name: metadata['filename'] ?? '',
    declared: metadata['filetype'] ?? '',
  }
  try {
    await takeVideo(request, services, owner.exerciseId, {
      part,
      claim: async (tx) => {
        if (!(await finishUpload(tx, owner, id, services.now()))) throw new Error('the upload was finished meanwhile')
      },
    })
  } catch (error) {
    // Another request may have finished it meanwhile; its parts are then gone.
    const current = await inLibrary(request, (tx) => findUpload(tx, owner, id))
    if (current && current.finished_at !== null) return
    if (isUseless(error)) await inLibrary(request, (tx) => deleteUpload(tx, owner, id))
    // Cancelled or replaced while it was read.
    if (!current && !(error instanceof ApiError)) throw uploadNotFound()
    throw error
  } finally {
    part.stream.destroy()
  }
}

/** These bytes never become a video, so that they need not be kept. */
const isUseless = (error: unknown): boolean =>
  error instanceof ApiError && [invalidVideoType.code, unplayableVideo.code].includes(error.code)

async function* joined(objects: ObjectStore, keys: readonly string[]): AsyncGenerator<Buffer> {
  for (const key of keys) {
    const object = await objects.get(key)
    if (!object) throw new Error('a part of the upload is missing')
    yield* object.body
  }
}
