import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '@tendon/object-store'
import { limitConcurrency } from './concurrency.ts'
import { convert, THUMBNAIL } from './convert.ts'
import { type Ffmpeg, ProgramMissing } from './ffmpeg.ts'
import { inspectVideo } from './inspect.ts'
import type { RenderHost, VideoHost } from './port.ts'
import { MASTER_PLAYLIST, PLAYLIST_TYPE, storedUrl } from './stored-url.ts'

// The video host of a platform without one: the object store. The reference of an uploaded video is the key of the file as
// uploaded; the converted files are `<key>/master.m3u8`, `<key>/0.m3u8`, `<key>/0.m4s`, `<key>/thumbnail.jpg`. Those of a
// render are under `renders/<id>/`.

const TYPES: Readonly<Record<string, string>> = {
  m3u8: PLAYLIST_TYPE,
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
}

/** Each is a process; the others wait, also when a whole clinic uploads at once. */
const MAX_INSPECTIONS = 4

interface EmbeddedVideoHostOptions {
  objects: ObjectStore
  /** Null: videos are played as uploaded. So is a video when ffmpeg is missing and not `required`. */
  ffmpeg: { program: Ffmpeg; required: boolean } | null
}

export function createEmbeddedVideoHost({ objects, ffmpeg }: EmbeddedVideoHostOptions): VideoHost {
  let converting = false
  const limited = limitConcurrency(MAX_INSPECTIONS)

  return {
    provider: 'local',

    async begin({ key }) {
      const { seconds } = await limited(() => inspectVideo(objects, key))
      return {
        reference: key,
        video_url: storedUrl(key),
        video_thumbnail_url: null,
        video_duration_seconds: seconds,
      }
    },

    async finish(reference, { signal }) {
      if (!ffmpeg) return 'as_it_is'
      // One at a time: the worker has other work, and a conversion takes every core of the machine.
      if (converting) return 'later'
      converting = true
      try {
        await convertObject(objects, reference, ffmpeg.program, signal)
        return {
          video_url: storedUrl(`${reference}/${MASTER_PLAYLIST}`),
          video_thumbnail_url: storedUrl(`${reference}/${THUMBNAIL}`),
        }
      } catch (error) {
        if (error instanceof ProgramMissing && !ffmpeg.required) return 'as_it_is'
        throw error
      } finally {
        converting = false
      }
    },

    async delete(reference) {
      await deleteUnder(objects, reference)
      await objects.delete(reference)
    },
  }
}

export function createEmbeddedRenderHost(objects: ObjectStore): RenderHost {
  return {
    provider: 'local',
    takes: 'hls',
    create: async (renderId) => `renders/${renderId}`,

    async upload(reference, { folder, names }, signal) {
      // The master playlist last: when it exists, so does everything that it names.
      const order = [...names].sort((a, b) => Number(a === MASTER_PLAYLIST) - Number(b === MASTER_PLAYLIST))
      for (const name of order) await putFile(objects, `${reference}/${name}`, join(folder, name), signal)
    },

    async status(reference) {
      return (await objects.head(`${reference}/${MASTER_PLAYLIST}`)) ? 'ready' : 'empty'
    },

    delete: (reference) => deleteUnder(objects, reference),
  }
}

async function deleteUnder(objects: ObjectStore, folder: string): Promise<void> {
  for await (const key of objects.list(`${folder}/`)) await objects.delete(key)
}

async function putFile(objects: ObjectStore, key: string, path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const contentType = TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  await objects.put(key, createReadStream(path), { contentType, maxBytes: (await stat(path)).size })
}

/** The folder has the same name for each attempt: the next one deletes what a crash left. */
async function convertObject(objects: ObjectStore, key: string, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<void> {
  await ffmpeg.version()
  const facts = await inspectVideo(objects, key)
  const folder = join(tmpdir(), `tendon-video-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`)
  const made = join(folder, 'made')
  await rm(folder, { recursive: true, force: true })
  await mkdir(made, { recursive: true, mode: 0o700 })
  try {
    const original = await objects.get(key)
    if (!original) throw new Error('the file of the video is missing')
    const from = join(folder, 'original')
    await pipeline(original.body, createWriteStream(from, { mode: 0o600 }), { signal })
    await convert({ ffmpeg, from, mime: original.contentType, to: made, facts, signal })
    for (const name of await readdir(made)) await putFile(objects, `${key}/${name}`, join(made, name), signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
