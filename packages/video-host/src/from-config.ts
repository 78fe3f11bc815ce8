import type { Config } from '@tendon/config'
import type { ObjectStore } from '@tendon/object-store'
import { type BunnyClient, createBunnyClient } from './bunny/client.ts'
import { createBunnyRenderHost, createBunnyVideoHost } from './bunny/hosts.ts'
import { createEmbeddedRenderHost, createEmbeddedVideoHost } from './embedded-host.ts'
import { createFfmpeg, type Ffmpeg, type FfmpegOptions } from './ffmpeg.ts'
import type { RenderHost, VideoHost } from './port.ts'
import { type RetryOptions, withRetries } from './retries.ts'

type HostConfig = Pick<Config, 'VIDEO_HOST' | 'BUNNY_API_URL' | 'BUNNY_LIBRARY_ID' | 'BUNNY_API_KEY'>

/** Undefined with FFMPEG_PATH=none. */
export const openFfmpeg = (
  { FFMPEG_PATH, PATH }: Pick<Config, 'FFMPEG_PATH' | 'PATH'>,
  options?: FfmpegOptions,
): Ffmpeg | undefined =>
  FFMPEG_PATH === 'none' ? undefined : createFfmpeg(FFMPEG_PATH || 'ffmpeg', { searchPath: PATH, ...options })

const bunnyClient = (config: HostConfig): BunnyClient =>
  createBunnyClient({
    apiUrl: config.BUNNY_API_URL,
    libraryId: config.BUNNY_LIBRARY_ID,
    apiKey: config.BUNNY_API_KEY,
  })

/** The host of uploaded videos that the configuration names. */
export function openVideoHost(
  config: HostConfig & Pick<Config, 'FFMPEG_PATH' | 'PATH'>,
  objects: ObjectStore,
): VideoHost {
  if (config.VIDEO_HOST === 'bunny') return createBunnyVideoHost(bunnyClient(config), objects)
  const program = openFfmpeg(config)
  return createEmbeddedVideoHost({
    objects,
    ffmpeg: program ? { program, required: config.FFMPEG_PATH !== '' } : null,
  })
}

/** The host of composed videos that the configuration names. */
export const openRenderHost = (config: HostConfig, objects: ObjectStore, retries?: RetryOptions): RenderHost =>
  config.VIDEO_HOST === 'bunny'
    ? withRetries(createBunnyRenderHost(bunnyClient(config)), retries)
    : createEmbeddedRenderHost(objects)
