import { refusal } from '@tendon/http'

export const renderNotFound = refusal(404, 'render_not_found', 'There is no render with this id.')
export const renderEnded = refusal(409, 'invalid_transition', 'The render is {status} and cannot be cancelled.', {
  status: 'ready',
})
export const notReady = refusal(
  404,
  'not_ready',
  'The video is not ready yet. Try again after the seconds in Retry-After.',
)
export const invalidSignature = refusal(
  403,
  'invalid_signature',
  'The link is not valid. Read the render again for a new one.',
)
export const linkExpired = refusal(403, 'link_expired', 'The link has expired. Read the render again for a new one.')
export const videoHostNotConfigured = refusal(
  503,
  'video_host_not_configured',
  'The video is stored at {host}, whose playback URL is not configured here. Ask the operator to set {setting}.',
  { host: 'Bunny Stream', setting: 'BUNNY_CDN_URL' },
)
