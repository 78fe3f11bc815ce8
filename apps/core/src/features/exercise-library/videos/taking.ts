import { changesBetween } from '@tendon/access'
import { type ExerciseVideo, VIDEO_TYPES } from '@tendon/contracts'
import { type HostedVideo, playableUrls, UnplayableVideo, type VideoHost } from '@tendon/video-host'
import type { FastifyRequest } from 'fastify'
import type { FilePart } from '../../../platform/multipart.ts'
import { recorder } from '../../../platform/recorder.ts'
import type { Upload } from '../../../platform/uploads.ts'
import type { Services } from '../../../services.ts'
import { exerciseResource, type LibraryTx, openExercise, takeIntoLibrary } from '../exercises/index.ts'
import { invalidVideoType, unplayableVideo, videoTooLarge } from './errors.ts'
import { finishLater } from './jobs.ts'
import { findVideo, updateVideo } from './queries.ts'

/** `exercise.video_ready` follows from the database function settle_exercise_video, once the video plays. */
export const record = recorder({
  ...exerciseResource,
  acts: {
    uploaded: { action: 'exercises.upload_video', crud: 'U', event: 'exercise.video_uploaded' },
    deleted: { action: 'exercises.delete_video', crud: 'U', event: 'exercise.video_deleted' },
    uploadStarted: { action: 'exercises.start_video_upload', crud: 'U' },
    uploadCancelled: { action: 'exercises.cancel_video_upload', crud: 'U' },
  },
})

interface VideoSource {
  /** The file, where it is not the body of the request. */
  part?: FilePart
  /** In the transaction that gives the exercise its video, while the exercise is locked. */
  claim?: (tx: LibraryTx) => Promise<void>
}

/** Stores and checks a video, and replaces the one that the exercise has. */
export async function takeVideo(
  request: FastifyRequest,
  services: Services,
  exerciseId: string,
  { part, claim }: VideoSource = {},
): Promise<ExerciseVideo> {
  const { config, videos: host } = services
  const maxBytes = config.EXERCISE_VIDEO_MAX_MB * 1024 * 1024
  const begun = new Map<string, HostedVideo>()
  const rules = {
    folder: 'exercise-videos',
    maxBytes,
    types: VIDEO_TYPES,
    tooLarge: () => videoTooLarge({ max_file_size: maxBytes }),
    wrongType: () => invalidVideoType({ allowed_file_types: VIDEO_TYPES }),
    examine: async (file: Upload) => void begun.set(file.key, await begin(host, file)),
    ...(part ? { part } : {}),
  }
  const video = await takeIntoLibrary(request, services, rules, async (tx, { key }) => {
    const taken = begun.get(key)
    if (!taken) throw new Error('the video host has not accepted the video')
    const exercise = await openExercise(tx, exerciseId)
    await claim?.(tx)
    const before = await findVideo(tx, exerciseId)
    const { reference, ...fields } = taken
    const after = await updateVideo(tx, exerciseId, {
      ...fields,
      video_provider: host.provider,
      video_object_key: reference,
    })
    const changes = changesBetween(before, after)
    await record.uploaded(request, tx, exercise, exercise, { changes })
    await finishLater(tx, reference)
    return after
  })
  return playableUrls(services, video)
}

async function begin(host: VideoHost, file: Upload): Promise<HostedVideo> {
  try {
    return await host.begin(file)
  } catch (error) {
    throw error instanceof UnplayableVideo ? unplayableVideo({ reason: error.message }) : error
  }
}
