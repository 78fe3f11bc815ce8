// The pose batch before compression, little-endian:
//
//   version      1 byte            1
//   frame_count  4 bytes           N, from 1 to 600
//   fps_hint     4 bytes           frames per second, a hint
//   landmarks    N x 33 x 4 x f32  per frame and landmark x, y, z, visibility; each a finite number
//   timestamps   N x 4 bytes       per frame the milliseconds since the session started; they never decrease
//
// A batch travels as one gzip member. A replay is one gzip stream of the batches one after the other. Runs in browsers too.
// Typed arrays are little-endian wherever this runs.

const POSE_FORMAT_VERSION = 1
const LANDMARKS_PER_FRAME = 33
export const VALUES_PER_LANDMARK = 4
export const VALUES_PER_FRAME = LANDMARKS_PER_FRAME * VALUES_PER_LANDMARK
export const BATCH_FRAMES_MAX = 600

const HEADER_BYTES = 9
const LANDMARK_BYTES = VALUES_PER_FRAME * 4
const FRAME_BYTES = LANDMARK_BYTES + 4

export interface PoseBatch {
  fpsHint: number
  /** x, y, z and visibility of 33 landmarks for each frame. */
  landmarks: Float32Array
  /** Milliseconds since the session started, for each frame. */
  timestamps: Uint32Array
}

export type BatchProblem = 'malformed_batch' | 'unsupported_version'

export class BatchError extends Error {
  override name = 'BatchError'
  readonly problem: BatchProblem
  constructor(problem: BatchProblem) {
    super(problem === 'unsupported_version' ? 'The batch has another format version.' : 'The batch is malformed.')
    this.problem = problem
  }
}

export const batchBytes = (frames: number): number => HEADER_BYTES + frames * FRAME_BYTES

/** The number of frames of a good batch, by its length. */
export const batchFrames = ({ length }: Uint8Array): number => (length - HEADER_BYTES) / FRAME_BYTES

export const BATCH_MAX_BYTES = batchBytes(BATCH_FRAMES_MAX)

export function encodeBatch({ fpsHint, landmarks, timestamps }: PoseBatch): Uint8Array<ArrayBuffer> {
  const frames = timestamps.length
  if (landmarks.length !== frames * VALUES_PER_FRAME) throw new BatchError('malformed_batch')
  const bytes = new Uint8Array(batchBytes(frames))
  const header = new DataView(bytes.buffer)
  header.setUint8(0, POSE_FORMAT_VERSION)
  header.setUint32(1, frames, true)
  header.setUint32(5, fpsHint, true)
  bytes.set(bytesOf(landmarks), HEADER_BYTES)
  bytes.set(bytesOf(timestamps), HEADER_BYTES + landmarks.byteLength)
  if (checkBatch(bytes) !== frames) throw new BatchError('malformed_batch')
  return bytes
}

/** The body that a client sends: one gzip member. */
export async function compressBatch(batch: PoseBatch): Promise<Uint8Array> {
  const stream = new Blob([encodeBatch(batch)]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The number of frames when `bytes` are exactly one good batch, else what is wrong. */
export function checkBatch(bytes: Uint8Array): number | BatchProblem {
  if (bytes.length > 0 && bytes[0] !== POSE_FORMAT_VERSION) return 'unsupported_version'
  const frames = framesAt(bytes, 0)
  if (frames === undefined || bytes.length !== batchBytes(frames)) return 'malformed_batch'
  const times = HEADER_BYTES + frames * LANDMARK_BYTES
  return allFinite(bytes, HEADER_BYTES, times) && neverDecrease(bytes, times) ? frames : 'malformed_batch'
}

/** The bytes of the batch that begins here, by its header; undefined when there are too few bytes to tell. */
export function nextBatchBytes(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  if (bytes[0] !== POSE_FORMAT_VERSION) throw new BatchError('unsupported_version')
  const frames = framesAt(bytes, 0)
  if (frames === undefined) throw new BatchError('malformed_batch')
  return batchBytes(frames)
}

/** The batches of a replay that is all there, each checked. Throws `BatchError` at the first that is not good. */
export function* decodeBatches(bytes: Uint8Array): Generator<PoseBatch> {
  for (let at = 0; at < bytes.length; ) {
    const one = bytes.subarray(at, at + (nextBatchBytes(bytes.subarray(at)) ?? 1))
    yield decodeBatch(one)
    at += one.length
  }
}

export function decodeBatch(bytes: Uint8Array): PoseBatch {
  const checked = checkBatch(bytes)
  if (typeof checked !== 'number') throw new BatchError(checked)
  return read(bytes, checked)
}

function read(bytes: Uint8Array, frames: number): PoseBatch {
  const times = HEADER_BYTES + frames * LANDMARK_BYTES
  return {
    fpsHint: viewOf(bytes).getUint32(5, true),
    // Copies: numbers of four bytes must begin at a multiple of four, and the header has nine.
    landmarks: new Float32Array(copy(bytes, HEADER_BYTES, times)),
    timestamps: new Uint32Array(copy(bytes, times, times + frames * 4)),
  }
}

function framesAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes.length - at < HEADER_BYTES) return undefined
  const frames = viewOf(bytes).getUint32(at + 1, true)
  return frames >= 1 && frames <= BATCH_FRAMES_MAX ? frames : undefined
}

/** A float is finite when the eight bits of its exponent are not all ones: seven in its last byte, one before. */
function allFinite(bytes: Uint8Array, from: number, to: number): boolean {
  for (let last = from + 3; last < to; last += 4) {
    if (((bytes[last] ?? 0) & 0x7f) === 0x7f && (bytes[last - 1] ?? 0) >= 0x80) return false
  }
  return true
}

function neverDecrease(bytes: Uint8Array, from: number): boolean {
  const view = viewOf(bytes)
  let before = 0
  for (let at = from; at < bytes.length; at += 4) {
    const time = view.getUint32(at, true)
    if (time < before) return false
    before = time
  }
  return true
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const bytesOf = (array: Float32Array | Uint32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const copy = (bytes: Uint8Array, from: number, to: number): ArrayBuffer =>
  new Uint8Array(bytes.subarray(from, to)).buffer
