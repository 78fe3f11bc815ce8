import { pipeline as pipeTo, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ObjectExists, type ObjectStore } from '@tendon/object-store'
import { BATCH_MAX_BYTES, BatchError, batchFrames, splitBatches } from '@tendon/pose'
import type { RunLog } from '../log/run-log.ts'
import { decodeJson, decodePose } from '../runs/payloads.ts'
import type { Recording } from '../runs/recording.ts'
import type { BodyForm, PoseWork } from './pose-work.ts'

// The replay of a run: one gzip stream of its batches. With several recordings, the one that began first comes first.

const REPLAY_TYPE = 'application/gzip'
/** Above what the log accepts for one run; only a bug produces a larger replay. */
const MAX_REPLAY_BYTES = 2 * 1024 ** 3
/**
 * Takes two thirds of the time of level 6 for slightly more bytes. Large pieces, because each one crosses threads
 * twice.
 */
const GZIP = { level: 3, memLevel: 9, chunkSize: 256 * 1024 }
const GROUP_BYTES = 4 * BATCH_MAX_BYTES

export interface Replay {
  bytes: number
  batches: number
  frames: number
  /** Camera details last sent by the client. */
  capture: unknown
  /** Batches that could not be read; a missing or damaged earlier replay counts as one. */
  unreadable: number
}

interface ReplaySource {
  log: RunLog
  objects: ObjectStore
  recording: Recording
  /** The latest stored replay of the run. */
  base: { key: string; capture: unknown } | null
  /** The recording began before everything that is written. */
  isFirst: boolean
  /** Whether a batch received at this time must not be kept. */
  isDropped: (receivedAt: number) => boolean
}

/** Stores the replay under its own key while it is measured. An object stored by an earlier attempt is kept. */
export async function storeReplay(source: ReplaySource, key: string, startWork: () => PoseWork) {
  const { objects } = source
  const measured = async (fill: (work: PoseWork, replay: Replay) => Promise<number>) => {
    const replay = emptyReplay()
    const work = startWork()
    try {
      replay.bytes = await fill(work, replay)
      return { replay, metrics: await work.finish() }
    } catch (error) {
      work.drop()
      throw error
    }
  }
  if (!(await objects.head(key))) {
    try {
      return await measured((work, replay) => put(source, key, batchesOf(source, work, replay)))
    } catch (error) {
      if (!(error instanceof ObjectExists)) throw error
    }
  }
  return measured(async (work, replay) => {
    for await (const _ of batchesOf(source, work, replay)) continue
    return (await objects.head(key))?.bytes ?? 0
  })
}

async function put({ objects }: ReplaySource, key: string, batches: AsyncGenerator<Buffer>): Promise<number> {
  const zipped = createGzip(GZIP)
  const filled = pipeline(Readable.from(batches), zipped)
  filled.catch(() => {}) // the put fails with it
  const options = { contentType: REPLAY_TYPE, maxBytes: MAX_REPLAY_BYTES, ifAbsent: true }
  const { bytes } = await objects.put(key, zipped, options)
  await filled
  return bytes
}

const emptyReplay = (): Replay => ({ bytes: 0, batches: 0, frames: 0, capture: null, unreadable: 0 })

/**
 * Yields the batches in large pieces. While one piece is compressed the next is inflated and the one after it is read.
 */
const batchesOf = (source: ReplaySource, work: PoseWork, replay: Replay): AsyncGenerator<Buffer> =>
  oneAhead(workedOn(oneAhead(grouped(bodiesOf(source, replay))), work, replay))

async function* workedOn(groups: AsyncIterable<Group>, work: PoseWork, replay: Replay): AsyncGenerator<Buffer> {
  for await (const { bodies, form } of groups) {
    const batches = (await work.add(bodies, form)).filter((batch) => batch !== undefined)
    replay.unreadable += bodies.length - batches.length
    replay.batches += batches.length
    for (const batch of batches) replay.frames += batchFrames(batch)
    if (batches.length > 0) yield Buffer.concat(batches)
  }
}

/** Starts computing the next value while the current one is used. */
async function* oneAhead<Value>(values: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let next = values.next()
  try {
    for (let one = await next; !one.done; one = await next) {
      next = values.next()
      next.catch(() => {}) // thrown when awaited
      yield one.value
    }
  } finally {
    await values.return(undefined)
  }
}

type Bodies = AsyncGenerator<[Uint8Array, BodyForm]>

async function* bodiesOf(source: ReplaySource, replay: Replay): Bodies {
  if (!source.isFirst) yield* bodiesOfBase(source, replay)
  yield* bodiesOfRecording(source, replay)
  if (source.isFirst) yield* bodiesOfBase(source, replay)
}

async function* bodiesOfBase({ objects, base }: ReplaySource, replay: Replay): Bodies {
  if (!base) return
  replay.capture = base.capture ?? replay.capture
  const stored = await objects.get(base.key)
  try {
    if (stored) for await (const batch of splitBatches(unzipped(stored.body))) yield [batch, 'batch']
    else replay.unreadable += 1
  } catch (error) {
    if (!isDamage(error)) throw error
    replay.unreadable += 1
  }
}

async function* bodiesOfRecording({ log, recording, isDropped }: ReplaySource, replay: Replay): Bodies {
  for await (const record of log.read('bulk', recording.id)) {
    if (record && isDropped(record.at)) continue
    const batch = record && decodePose(record.payload)
    if (!batch) {
      replay.unreadable += 1
      continue
    }
    if (batch.meta.length > 0) replay.capture = decodeJson(batch.meta) ?? replay.capture
    yield [batch.gzip, 'gzip']
  }
}

/** Forwards errors of the source: with a plain pipe they would be unhandled and end the process. */
const unzipped = (body: Readable): Readable => pipeTo(body, createGunzip(), () => {})

/** A damaged stream fails the same way every time, unlike a broken connection. */
const isDamage = (error: unknown): boolean =>
  error instanceof BatchError || (error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR')

interface Group {
  bodies: Uint8Array[]
  form: BodyForm
}

/** Groups bodies, so that the thread is not called for each one. */
async function* grouped(bodies: AsyncIterable<[Uint8Array, BodyForm]>): AsyncGenerator<Group> {
  let group: Group = { bodies: [], form: 'gzip' }
  let bytes = 0
  for await (const [body, form] of bodies) {
    if (group.bodies.length > 0 && (form !== group.form || bytes > GROUP_BYTES)) {
      yield group
      group = { bodies: [], form }
      bytes = 0
    }
    group.form = form
    group.bodies.push(body)
    bytes += body.length
  }
  if (group.bodies.length > 0) yield group
}
