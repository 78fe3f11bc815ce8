import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@tendon/testing'
import { buildWorker } from '../../../build-worker.ts'
import { createServices } from '../../../create-services.ts'
import { bodyOf, partOf, type Sent, upload } from '../../../platform/uploads.testing.ts'
import type { Services } from '../../../services.ts'
import { type Answer, type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import { libraryOf } from '../exercises/library.testing.ts'

const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name))

/** Grey, 16 by 16 pixels, two seconds. */
export const VIDEOS = {
  'video/mp4': sample('two-seconds.mp4'),
  'video/webm': sample('two-seconds.webm'),
  'video/quicktime': sample('two-seconds.mov'),
}

export const MP4 = VIDEOS['video/mp4']

/** The same video with free space at its end. */
export function longer(video: Buffer, bytes: number): Buffer {
  const free = Buffer.alloc(bytes - video.length)
  free.writeUInt32BE(free.length, 0)
  free.write('free', 4, 'latin1')
  return Buffer.concat([video, free])
}

/** An MP4 with a table of four thousand million samples that takes no room. */
export function bomb(): Buffer {
  const bytes = Buffer.from(MP4)
  const table = bytes.indexOf('stsz')
  bytes.write('stz2', table, 'latin1')
  bytes.writeUInt32BE(0, table + 8)
  bytes.writeUInt32BE(0xffffffff, table + 12)
  return bytes
}

/** A WebM that makes mediabunny read the same position forever. */
export function looping(): Buffer {
  const bytes = Buffer.from(VIDEOS['video/webm'])
  bytes[653] = 1
  return bytes
}

/** An MP4 whose header says so many pixels and seconds. */
export function claiming({ pixels, seconds }: { pixels?: number; seconds?: number }): Buffer {
  const bytes = Buffer.from(MP4)
  const entry = bytes.indexOf('avc1', bytes.indexOf('stsd'))
  if (pixels !== undefined) bytes.writeUInt16BE(pixels, entry + 28)
  const header = bytes.indexOf('tkhd')
  if (pixels !== undefined) bytes.writeUInt16BE(pixels, header + 80)
  const times = bytes.indexOf('stts')
  if (seconds !== undefined) bytes.writeUInt32BE(Math.round((seconds / 10) * timescaleOf(bytes)), times + 16)
  return bytes
}

const timescaleOf = (bytes: Buffer) => bytes.readUInt32BE(bytes.indexOf('mdhd') + 16)

/** What tests of videos and pictures need: a core API with a worker beside it, and files to send. */
export async function startMedia(
  env: Record<string, string> = {},
  replaced: Partial<Services> = {},
  ofWorker: Partial<Services> = {},
) {
  const core = await startCore({ env: { FFMPEG_PATH: 'none', ...env }, services: replaced })
  const made = createServices(core.config, 'tendon_worker', core.database.url)
  const log: string[] = []
  const logStream = { write: (line: string) => void log.push(line) }
  const workerServices = { ...made, ...replaced, ...ofWorker }
  const worker = await buildWorker(workerServices, core.database.url, { logStream })
  const close = async () => {
    await worker.stop()
    await made.close()
    await core.close()
  }
  return { ...core, ...mediaOf(core), workerServices, workerLog: log, close }
}

export type TestMedia = Awaited<ReturnType<typeof startMedia>>

function mediaOf(core: TestCore) {
  const library = libraryOf(core)
  const videoPath = (id: string) => `/v1/exercises/${id}/video`
  const sendVideo = (as: Person, id: string, content: Buffer = MP4, type = 'video/mp4', name = 'squat.mp4') =>
    upload(core.url + videoPath(id), as, bodyOf(partOf(content, type, name)))

  async function giveVideo(as: Person, id: string, content?: Buffer, type?: string): Promise<Json> {
    const answer = await sendVideo(as, id, content, type)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data
  }

  const sendImage = (as: Person, exercise: string, instruction: number, content: Buffer, type: string) =>
    upload(
      `${core.url}/v1/exercises/${exercise}/instructions/${instruction}/image`,
      as,
      bodyOf(partOf(content, type, 'step.png')),
    )

  /** Opens a URL as a browser does, without credentials. */
  async function open(address: string, headers: Record<string, string> = {}) {
    const { pathname, search } = new URL(address)
    const response = await fetch(core.url + pathname + search, { headers })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  const keys = (prefix = '') => Array.fromAsync(core.services.objects.list(prefix))
  const settled = async () => {
    const [row] = await core.database.query<{ count: number }>(`select count(*)::int as count from graphile_worker.jobs
      where task_identifier in ('finish_exercise_video', 'delete_exercise_video', 'delete_unclaimed_objects')`)
    return row?.count === 0
  }
  /** What is in the store once the worker has nothing left to do. */
  async function keysAtRest(prefix = ''): Promise<string[]> {
    await until(settled)
    const unclaimed = await core.database.query('select object_key from unclaimed_objects')
    assert.deepEqual(unclaimed, [])
    return keys(prefix)
  }

  return { library, videoPath, sendVideo, giveVideo, sendImage, open, keys, keysAtRest }
}

/** Status and code of a refusal. */
export const refusedAs = ({ status, body }: Sent | Answer) => [status, body?.error?.code]
