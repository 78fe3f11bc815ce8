import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ObjectStore } from '@tendon/object-store'
import { limitConcurrency } from '../concurrency.ts'
import { inspectVideo } from '../inspect.ts'
import { bunnyPlayback } from '../playback.ts'
import { HostError, type RenderHost, type VideoHost } from '../port.ts'
import { storedUrl } from '../stored-url.ts'
import type { BunnyClient } from './client.ts'
import { apiStatus } from './statuses.ts'

const MAX_INSPECTIONS = 4
const ALREADY_UPLOADED = 400

/** The title at the host is the render's id: a retry after a crash finds the video that it created before. */
export function createBunnyRenderHost(client: BunnyClient): RenderHost {
  return {
    provider: 'bunny',
    takes: 'mp4',

    async create(renderId) {
      return ((await client.find(renderId)) ?? (await client.create(renderId))).guid
    },

    async upload(guid, { folder, captions }, signal) {
      await uploadOnce(client, guid, createReadStream(join(folder, 'video.mp4')), signal)
      for (const { language, name } of captions)
        await client.addCaptions(guid, language, await readFile(join(folder, name)))
    },

    async status(guid) {
      const video = await client.read(guid)
      return video ? apiStatus(video.status) : 'missing'
    },

    delete: (guid) => client.delete(guid),
  }
}

/** The file stays in the object store and plays from there until the host has transcoded it. Its key is the title. */
export function createBunnyVideoHost(client: BunnyClient, objects: ObjectStore): VideoHost {
  const limited = limitConcurrency(MAX_INSPECTIONS)

  return {
    provider: 'bunny',

    async begin({ key }) {
      const { seconds } = await limited(() => inspectVideo(objects, key))
      return { reference: key, video_url: storedUrl(key), video_thumbnail_url: null, video_duration_seconds: seconds }
    },

    async finish(key, { signal, mayUpload, saveHostReference }) {
      const found = await client.find(key)
      const status = found ? apiStatus(found.status) : 'missing'
      if (status === 'failed') throw new Error('the video host could not transcode the video')
      if (!found || status === 'empty') {
        if (!mayUpload) {
          if (found) await client.delete(found.guid)
          throw new Error('the video host lost the video repeatedly')
        }
        const { guid } = found ?? (await client.create(key))
        await saveHostReference(guid)
        const stored = await objects.get(key)
        if (!stored) throw new Error('the file of the video is missing')
        await uploadOnce(client, guid, stored.body, signal)
        return 'uploaded'
      }
      if (status !== 'ready') return 'transcoding'
      const { playlist, poster } = bunnyPlayback(found.guid)
      return { video_url: playlist, video_thumbnail_url: poster }
    },

    async delete(key) {
      const video = await client.find(key)
      if (video) await client.delete(video.guid)
      await objects.delete(key)
    },
  }
}

/** A second upload is refused: then the first one arrived, though its answer did not. */
async function uploadOnce(client: BunnyClient, guid: string, stream: Readable, signal: AbortSignal): Promise<void> {
  try {
    await client.upload(guid, stream, signal)
  } catch (error) {
    if (!(error instanceof HostError) || error.status !== ALREADY_UPLOADED) throw error
    const video = await client.read(guid)
    if (!video || apiStatus(video.status) === 'empty') throw error
  } finally {
    stream.destroy()
  }
}
