import { type Static, Type } from 'typebox'
import { Id, Nullable, Timestamp } from './shapes.ts'

export const VIDEO_TYPES = ['video/mp4', 'video/webm', 'video/quicktime'] as const
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

const url = (example: string, description: string) => Nullable(Type.String({ examples: [example], description }))

/** The four that an exercise with a video has, and one without has as null. */
export const videoFields = {
  video_url: url(
    'https://api.tendon.example/v1/public/videos/exercise-videos/…/master.m3u8?expires=…&signature=…',
    'Signed URL, valid for six hours; read the exercise again for a new one. HLS if the path ends in .m3u8, else the uploaded file, with range requests. Null without a video, and when video_provider names a host whose settings are missing.',
  ),
  video_provider: Nullable(Type.String({ examples: ['local'], description: 'The host of the video.' })),
  video_duration_seconds: Nullable(Type.Number({ examples: [42.5] })),
  video_thumbnail_url: url(
    'https://api.tendon.example/v1/public/objects/exercise-videos/…/thumbnail.jpg?expires=…&signature=…',
    'Signed URL like video_url. Null until the video is converted, or if no converter is configured.',
  ),
}

export const ExerciseVideo = Type.Object(videoFields)
export type ExerciseVideo = Static<typeof ExerciseVideo>

/** An upload in parts (the tus protocol) that is not finished. */
export const VideoUpload = Type.Object({
  id: Id,
  exercise_id: Id,
  length: Type.Integer({ examples: [52_428_800], description: 'Size of the whole file in bytes.' }),
  offset: Type.Integer({ examples: [8_388_608], description: 'Bytes that have arrived: the upload continues here.' }),
  metadata: Type.Record(Type.String(), Nullable(Type.String()), {
    examples: [{ filename: 'squat.mp4', filetype: 'video/mp4' }],
    description: 'Upload-Metadata as the client sent it.',
  }),
  expires_at: Timestamp,
})
export type VideoUpload = Static<typeof VideoUpload>

export const ByVideoUpload = Type.Object({ id: Id, uploadId: Id })
