import type { Config } from '@tendon/config'
import type { ObjectStore } from '@tendon/object-store'
import { createLocalVideoHost } from './local.ts'
import type { VideoHost } from './port.ts'

export { type HostedVideo, UnplayableVideo, type VideoAddresses, type VideoHost } from './port.ts'

/** The host that the configuration names. */
export function createVideoHost({ FFMPEG_PATH }: Pick<Config, 'FFMPEG_PATH'>, objects: ObjectStore): VideoHost {
  const ffmpeg = FFMPEG_PATH === 'none' ? null : { path: FFMPEG_PATH || 'ffmpeg', required: FFMPEG_PATH !== '' }
  return createLocalVideoHost({ objects, ffmpeg })
}
