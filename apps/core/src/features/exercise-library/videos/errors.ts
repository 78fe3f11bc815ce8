import { refusal } from '@tendon/http'

export const videoTooLarge = refusal(
  400,
  'file_too_large',
  'The video is larger than {max_file_size} bytes. Send a shorter one, or one of a lower resolution.',
  { max_file_size: 524_288_000 },
)
export const invalidVideoType = refusal(
  400,
  'invalid_file_type',
  'A video must have one of the types in "allowed_file_types". The content must match its media type.',
  { allowed_file_types: ['video/mp4', 'video/webm', 'video/quicktime'] },
)
export const unplayableVideo = refusal(400, 'unplayable_video', 'The video {reason}.', {
  reason: 'has no picture, or is damaged or incomplete: save or record it again',
})
export const playlistNotFound = refusal(
  404,
  'not_found',
  'The video of this link no longer exists. Read the exercise again for its video.',
)
export const uploadIncomplete = refusal(
  409,
  'upload_incomplete',
  '{offset} of {length} bytes have arrived. Send the rest, then finish.',
  { offset: 8_388_608, length: 52_428_800 },
)
export const tooManyParts = refusal(
  409,
  'too_many_parts',
  'The upload came in too many small parts. Cancel it, and start again with requests of 8 MB.',
)
