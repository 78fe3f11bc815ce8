import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { BUNDLE_TYPES, MAX_BUNDLE_FILE_BYTES } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { allowLongBody, BodyTimeout, BodyTooLarge, bodyChunks, requestTimeout } from '@tendon/http'
import { type Facts, UnplayableSound, UnplayableVideo } from '@tendon/video-host'
import type { FastifyRequest } from 'fastify'
import { isWebVtt } from '../../rendering/captions.ts'
import { isDiskFull } from '../../rendering/disk.ts'
import { CLIP_MAX_SECONDS, VOICE_MAX_SECONDS } from '../../rendering/profile.ts'
import type { Services } from '../../services.ts'
import {
  bundleFileTooLarge,
  invalidBundleFileName,
  storageFull,
  unusableBundleFile,
  wrongBundleFileType,
} from './errors.ts'
import { type BundleExercise, listUnclaimedObject, type NewFile } from './queries.ts'

export const MAX_UPLOAD_MS = 30 * 60 * 1000

const isKind = (ending: string): ending is keyof typeof BUNDLE_TYPES => Object.hasOwn(BUNDLE_TYPES, ending)

/** Reads format, size and duration of a file. */
export interface Inspect {
  video: (objects: Services['objects'], key: string) => Promise<Facts>
  mp3: (objects: Services['objects'], key: string) => Promise<number>
}
type InTransaction = <Result>(work: (tx: TenantTx | PlatformTx) => Promise<Result>) => Promise<Result>

/** Stores the body of the request and examines it. The object is deleted unless a row claims it. */
export async function takeBundleFile(
  request: FastifyRequest,
  { objects, config }: Services,
  exercise: BundleExercise,
  name: string,
  { inspect, inTransaction }: { inspect: Inspect; inTransaction: InTransaction },
): Promise<NewFile> {
  const kind = name.slice(name.lastIndexOf('.') + 1)
  if (!isKind(kind)) throw invalidBundleFileName()
  const contentType = BUNDLE_TYPES[kind]
  if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== contentType)
    throw wrongBundleFileType({ expected: contentType })
  const maxBytes = MAX_BUNDLE_FILE_BYTES[kind]
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bundleFileTooLarge({ max_file_size: maxBytes })
  const folder = `bundles/${exercise.organization_id ?? 'platform'}/${exercise.slug}`
  const key = `${folder}/${randomUUID()}/${name}`
  await inTransaction((tx) => listUnclaimedObject(tx, key))
  const chunks = bodyChunks(request.raw, { maxBytes, idleMs: config.BODY_TIMEOUT_MS })
  const { socket } = request.raw
  allowLongBody(socket, true)
  const { bytes, sha256 } = await objects
    .put(key, Readable.from(chunks, { objectMode: false }), { contentType, maxBytes })
    .catch((error: unknown) => {
      if (error instanceof BodyTooLarge) throw bundleFileTooLarge({ max_file_size: maxBytes })
      if (isDiskFull(error)) throw storageFull({}, { 'retry-after': '60' })
      throw error instanceof BodyTimeout ? requestTimeout({}, { connection: 'close' }) : error
    })
    .finally(() => allowLongBody(socket, false))
  await request.refresh()
  const stored = { name, object_key: key, sha256, bytes, seconds: null, width: null, height: null }
  if (kind === 'vtt') await checkCaptions(objects, key)
  if (kind === 'mp3') return { ...stored, seconds: await examineVoice(inspect, objects, key) }
  return kind === 'mp4' ? { ...stored, ...(await examineVideo(inspect, objects, key)) } : stored
}

async function examineVideo(inspect: Inspect, objects: Services['objects'], key: string) {
  const facts = await inspect.video(objects, key).catch((error: unknown) => {
    throw error instanceof UnplayableVideo ? unusableBundleFile({ reason: error.message }) : error
  })
  if (facts.seconds > CLIP_MAX_SECONDS)
    throw unusableBundleFile({ reason: `lasts longer than ${CLIP_MAX_SECONDS} seconds` })
  const { seconds, width, height } = facts
  return { seconds, width, height }
}

async function checkCaptions(objects: Services['objects'], key: string): Promise<void> {
  const object = await objects.get(key)
  if (!object || !isWebVtt(await text(object.body))) throw unusableBundleFile({ reason: 'is not WebVTT with a cue' })
}

/** An ID3 tag, or the first frame. */
async function examineVoice(inspect: Inspect, objects: Services['objects'], key: string): Promise<number> {
  const object = await objects.get(key, { start: 0, end: 2 }).catch(() => undefined)
  const start = object ? Buffer.concat(await object.body.toArray()) : Buffer.alloc(0)
  const isMp3 = start.toString('latin1') === 'ID3' || (start[0] === 0xff && ((start[1] ?? 0) & 0xe6) === 0xe2)
  if (!isMp3) throw unusableBundleFile({ reason: 'is not MP3' })
  const seconds = await inspect.mp3(objects, key).catch((error: unknown) => {
    throw error instanceof UnplayableSound ? unusableBundleFile({ reason: error.message }) : error
  })
  if (seconds > VOICE_MAX_SECONDS)
    throw unusableBundleFile({ reason: `lasts longer than ${VOICE_MAX_SECONDS} seconds` })
  return seconds
}
