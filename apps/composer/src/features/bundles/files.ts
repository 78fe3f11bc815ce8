import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { BUNDLE_TYPES } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { ObjectTooLarge } from '@tendon/object-store'
import { type Facts, UnplayableVideo } from '@tendon/video-host'
import type { FastifyRequest } from 'fastify'
import { CAPTIONS_MAX_BYTES, isWebVtt } from '../../rendering/captions.ts'
import { CLIP_MAX_BYTES, CLIP_MAX_SECONDS } from '../../rendering/profile.ts'
import type { Services } from '../../services.ts'
import { bundleFileTooLarge, unusableBundleFile, wrongBundleFileType } from './errors.ts'
import { type BundleExercise, listUnclaimedObject, type NewFile } from './queries.ts'

export const MAX_UPLOAD_MS = 30 * 60 * 1000
const MAX_VOICE_BYTES = 50 * 1024 * 1024

type Kind = keyof typeof BUNDLE_TYPES
const MAX_BYTES: Record<Kind, number> = { mp4: CLIP_MAX_BYTES, mp3: MAX_VOICE_BYTES, vtt: CAPTIONS_MAX_BYTES }

/** Reads format, size and duration of a video. */
export type InspectVideo = (objects: Services['objects'], key: string) => Promise<Facts>
type InTransaction = <Result>(work: (tx: TenantTx | PlatformTx) => Promise<Result>) => Promise<Result>

/** Stores the body of the request and examines it. The object is deleted unless a row claims it. */
export async function takeBundleFile(
  request: FastifyRequest,
  { objects }: Services,
  exercise: BundleExercise,
  name: string,
  { inspect, inTransaction }: { inspect: InspectVideo; inTransaction: InTransaction },
): Promise<NewFile> {
  const kind = name.slice(name.lastIndexOf('.') + 1) as Kind
  const contentType = BUNDLE_TYPES[kind]
  if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== contentType)
    throw wrongBundleFileType({ expected: contentType })
  const folder = `bundles/${exercise.organization_id ?? 'platform'}/${exercise.slug}`
  const key = `${folder}/${randomUUID()}/${name}`
  await inTransaction((tx) => listUnclaimedObject(tx, key))
  const maxBytes = MAX_BYTES[kind]
  const { bytes, sha256 } = await objects
    .put(key, request.body as Readable, { contentType, maxBytes })
    .catch((error: unknown) => {
      throw error instanceof ObjectTooLarge ? bundleFileTooLarge({ max_file_size: maxBytes }) : error
    })
  await request.refresh()
  const stored = { name, object_key: key, sha256, bytes, seconds: null, width: null, height: null }
  if (kind === 'vtt') await checkCaptions(objects, key)
  if (kind === 'mp3') await checkVoice(objects, key)
  return kind === 'mp4' ? { ...stored, ...(await examineVideo(inspect, objects, key)) } : stored
}

async function examineVideo(inspect: InspectVideo, objects: Services['objects'], key: string) {
  const facts = await inspect(objects, key).catch((error: unknown) => {
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
async function checkVoice(objects: Services['objects'], key: string): Promise<void> {
  const object = await objects.get(key, { start: 0, end: 2 }).catch(() => undefined)
  const start = object ? Buffer.concat(await object.body.toArray()) : Buffer.alloc(0)
  const isMp3 = start.toString('latin1') === 'ID3' || (start[0] === 0xff && ((start[1] ?? 0) & 0xe6) === 0xe2)
  if (!isMp3) throw unusableBundleFile({ reason: 'is not MP3' })
}
