import { refusal } from '@tendon/http'

export const manifestNotFound = refusal(
  404,
  'manifest_not_found',
  'There is no composition manifest for this exercise. Send one with PUT /v1/exercises/{slug}/bundle.',
)
export const variantsMissing = refusal(
  422,
  'variants_missing',
  'The bundle has no file for the slots in "missing". Upload them, or choose other sets or another language.',
  { missing: ['rep-right', 'audio/ro/outro'] },
)
export const notComposable = refusal(
  422,
  'not_composable',
  'An exercise of kind {kind} is one finished video and is not composed.',
  { kind: 'duration_based' },
)
export const compositionTooLong = refusal(
  422,
  'composition_too_long',
  'The composition lasts {duration_seconds} seconds; at most {max_seconds} are possible. Choose fewer sets.',
  { duration_seconds: 1_900, max_seconds: 1_800 },
)
export const renderQuotaReached = refusal(
  429,
  'render_quota_reached',
  'The clinic has {count} videos {what}; at most {max} are possible. Try again later.',
  { count: 20, what: 'waiting', max: 20 },
)
export const rendererUnavailable = refusal(
  503,
  'renderer_unavailable',
  'Videos cannot be rendered here: {program} is not installed. Install it (Debian and Ubuntu: apt-get install ffmpeg; macOS: brew install ffmpeg) or name it in FFMPEG_PATH, then try again.',
  { program: 'ffmpeg' },
)
