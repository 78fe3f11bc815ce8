export { apiStatus, type WebhookMeaning, webhookMeaning } from './bunny/statuses.ts'
export { isWebhookSignature, isWebhookToken } from './bunny/webhook.ts'
export { limitConcurrency } from './concurrency.ts'
export {
  createFfmpeg,
  type Ffmpeg,
  FfmpegFailed,
  type FfmpegOptions,
  type FfmpegRun,
  ProgramMissing,
  untrustedInput,
} from './ffmpeg.ts'
export { openFfmpeg, openRenderHost, openVideoHost } from './from-config.ts'
export { explainToneMapping, type Hdr, readHdr, ToneMappingMissing, toneMapping } from './hdr.ts'
export { type Facts, inspectMp3, inspectVideo } from './inspect.ts'
export { MEDIA_URL_SECONDS, objectUrl, openUrl, PLAYLIST_PATH, playableUrls, type Signers } from './media-urls.ts'
export { renderPlayback } from './playback.ts'
export { withUrls } from './playlist.ts'
export {
  type FinishTools,
  HostError,
  type HostedVideo,
  HostPaused,
  type RenderFiles,
  type RenderHost,
  type RenderHostStatus,
  UnplayableSound,
  UnplayableVideo,
  type VideoFile,
  type VideoHost,
  type VideoUrls,
} from './port.ts'
export type { KillCause } from './processes.ts'
export type { Isolation } from './sandbox.ts'
export { MASTER_PLAYLIST, PLAYLIST_TYPE, storedKey, storedUrl } from './stored-url.ts'
