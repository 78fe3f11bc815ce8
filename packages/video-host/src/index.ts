export { apiStatus, type WebhookMeaning, webhookMeaning } from './bunny/statuses.ts'
export { isWebhookSignature, isWebhookToken } from './bunny/webhook.ts'
export { limitConcurrency } from './concurrency.ts'
export {
  createFfmpeg,
  type Ffmpeg,
  FfmpegFailed,
  type FfmpegOptions,
  type FfmpegRun,
  type KillCause,
  ProgramMissing,
  untrustedInput,
} from './ffmpeg.ts'
export { openFfmpeg, openRenderHost, openVideoHost } from './from-config.ts'
export { type Facts, inspectVideo } from './inspect.ts'
export { MEDIA_URL_SECONDS, objectUrl, openUrl, PLAYLIST_PATH, playableUrls, type Signers } from './media-urls.ts'
export { renderPlayback } from './playback.ts'
export { withUrls } from './playlist.ts'
export {
  type FinishTools,
  HostError,
  type HostedVideo,
  type RenderFiles,
  type RenderHost,
  type RenderHostStatus,
  UnplayableVideo,
  type VideoFile,
  type VideoHost,
  type VideoUrls,
} from './port.ts'
export { MASTER_PLAYLIST, PLAYLIST_TYPE, storedUrl } from './stored-url.ts'
