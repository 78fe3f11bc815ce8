import { refusal } from '@tendon/http'

export const exerciseNotFound = refusal(404, 'exercise_not_found', 'There is no exercise with this slug.')
export const bundleNotFound = refusal(
  404,
  'bundle_not_found',
  'This exercise has no bundle. Send its manifest with PUT /v1/exercises/{slug}/bundle.',
)
export const bundleFileNotFound = refusal(404, 'bundle_file_not_found', 'The bundle has no file with this name.')
export const platformBundle = refusal(
  403,
  'forbidden',
  'This exercise belongs to the platform. Clone it to give it a bundle of your own.',
)
export const invalidBundleFileName = refusal(
  422,
  'validation_failed',
  'The name must be <slot>-video-<n>.mp4, audio/<language>/<slot>-vo-<n>.mp3 or audio/<language>/<slot>-vo-<n>.vtt, with a slot of the specification.',
)
export const bundleFileTooLarge = refusal(
  413,
  'file_too_large',
  'The file is larger than {max_file_size} bytes. Send a smaller one.',
  { max_file_size: 524_288_000 },
)
export const unusableBundleFile = refusal(422, 'unusable_file', 'The file {reason}.', {
  reason: 'has no picture, or is damaged or cut off: save or record it again',
})
export const wrongBundleFileType = refusal(
  415,
  'unsupported_media_type',
  'Send the bytes of the file with Content-Type {expected}.',
  { expected: 'video/mp4' },
)
export const storageFull = refusal(
  503,
  'storage_full',
  'The server has too little disk space for the file and kept nothing of it. Ask the operator to free disk space, then send the file again.',
)
