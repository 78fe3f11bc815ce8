import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '@tendon/object-store'
import { PLAYLIST_TYPE, storedUrl } from '../media-urls.ts'
import { checkProgram, convert, MASTER_PLAYLIST, ProgramMissing, THUMBNAIL } from './ffmpeg.ts'
import { lookAt } from './look.ts'
import type { VideoHost } from './port.ts'

// The host of a platform that has none: the object store. The file as it was uploaded is what its reference names; what is
// made of it lies under that key: `<key>/master.m3u8`, `<key>/0.m3u8`, `<key>/0.m4s`, `<key>/thumbnail.jpg`.

const TYPES: Readonly<Record<string, string>> = { m3u8: PLAYLIST_TYPE, m4s: 'video/iso.segment', jpg: 'image/jpeg' }

/** Each is a process of its own; whoever comes later waits, also when a whole clinic uploads at once. */
const LOOKS_AT_ONCE = 4

export interface LocalVideoHostOptions {
  objects: ObjectStore
  /** The program that converts; null: videos are played as they were uploaded. Missing ones too, unless it is `required`. */
  ffmpeg: { path: string; required: boolean } | null
}

export function createLocalVideoHost({ objects, ffmpeg }: LocalVideoHostOptions): VideoHost {
  let converting = false
  const inTurn = turns(LOOKS_AT_ONCE)

  return {
    provider: 'local',

    async begin({ key }) {
      const { seconds } = await inTurn(() => lookAt(objects, key))
      return {
        reference: key,
        video_url: storedUrl(key),
        video_thumbnail_url: null,
        video_duration_seconds: seconds,
      }
    },

    async finish(reference, signal) {
      if (!ffmpeg) return 'as_it_is'
      // One at a time: the worker has other work, and converting takes all that a machine has.
      if (converting) return 'later'
      converting = true
      try {
        await convertObject(objects, reference, ffmpeg.path, signal)
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
      for await (const key of objects.list(`${reference}/`)) await objects.delete(key)
      await objects.delete(reference)
    },
  }
}

/** Lets so many work at a time; the others follow in their order. */
function turns(atOnce: number) {
  const waiting: (() => void)[] = []
  let busy = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (busy < atOnce) busy += 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

/** The folder has the same name each time, so that what a crash leaves in it goes with the next attempt. */
async function convertObject(objects: ObjectStore, key: string, program: string, signal: AbortSignal): Promise<void> {
  await checkProgram(program, signal)
  const facts = await lookAt(objects, key)
  const folder = join(tmpdir(), `tendon-video-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'made'), { recursive: true, mode: 0o700 })
  try {
    const original = await objects.get(key)
    if (!original) throw new Error('the file of the video is missing')
    const from = join(folder, 'original')
    await pipeline(original.body, createWriteStream(from, { mode: 0o600 }), { signal })
    await convert({ program, from, mime: original.contentType, to: join(folder, 'made'), facts, signal })
    for (const name of await readdir(join(folder, 'made'))) {
      signal.throwIfAborted()
      const path = join(folder, 'made', name)
      const contentType = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
      await objects.put(`${key}/${name}`, createReadStream(path), { contentType, maxBytes: (await stat(path)).size })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
