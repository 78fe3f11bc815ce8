import type { FromEngine, ToEngine } from './messages.ts'
import { POSE_FILES, POSE_MODEL } from './pose-files.ts'

/** At most fifteen frames a second. */
const FRAME_INTERVAL_MS = 66
/** How soon a free worker gets its next picture. */
const LOOK_INTERVAL_MS = 10
/** The model uses 256 pixels; a larger picture only takes more time. */
const PICTURE_WIDTH = 480
/** Without a new picture for this long, the camera is called frozen. */
const FROZEN_MS = 3_000
const MAX_LOAD_MS = 120_000

interface Engine {
  post(message: ToEngine, transfer?: Transferable[]): void
  close(): void
}

export interface Camera {
  stream: MediaStream
  post(message: ToEngine): void
  /** Turns the camera off. */
  stop(): void
}

export interface CameraOptions {
  /** Milliseconds of the run. */
  now: () => number
  onMessage: (message: FromEngine) => void
  /** The camera was unplugged, or its permission was revoked in the browser. */
  onLost: () => void
  /** Pictures have stopped to arrive, or arrive again, while the camera is on. */
  onFrozen: (frozen: boolean) => void
}

export type CameraProblem = 'forbidden' | 'missing' | 'busy' | 'model'

export class CameraFailed extends Error {
  override name = 'CameraFailed'
  readonly problem: CameraProblem
  constructor(problem: CameraProblem) {
    super(`The camera cannot be used: ${problem}.`)
    this.problem = problem
  }
}

/** Requests the camera, loads the model and starts the detection. Pictures never leave the device. */
export async function startCamera({ now, onMessage, onLost, onFrozen }: CameraOptions): Promise<Camera> {
  const stream = await openStream()
  let engine: Engine | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let free = true

  function stop(): void {
    if (stopped) return
    stopped = true
    clearTimeout(timer)
    for (const track of stream.getTracks()) track.stop()
    engine?.post({ kind: 'close' })
    engine?.close()
  }

  const ready = Promise.withResolvers<void>()
  const hear = (message: FromEngine) => {
    if (stopped && message.kind !== 'batch' && message.kind !== 'ended') return
    if (message.kind === 'free') free = true
    if (message.kind === 'ready') ready.resolve()
    if (message.kind === 'failed') ready.reject(new CameraFailed('model'))
    onMessage(message)
  }
  try {
    engine = await openEngine(hear)
    const limit = setTimeout(() => ready.reject(new CameraFailed('model')), MAX_LOAD_MS)
    const base = import.meta.env.BASE_URL
    engine.post({
      kind: 'load',
      files: new URL(`${base}${POSE_FILES}`, location.origin).href,
      model: new URL(`${base}${POSE_MODEL}`, location.origin).href,
    })
    await ready.promise
    clearTimeout(limit)
  } catch (error) {
    stop()
    throw error
  }
  for (const track of stream.getTracks()) track.addEventListener('ended', () => !stopped && onLost())

  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true, srcObject: stream })
  const pictures = countPictures(video)
  await video.play().catch(() => undefined)
  let shown = -1
  let latest = -1
  let taken = Number.NEGATIVE_INFINITY
  let arrivedAt = performance.now()

  /** A camera that another program takes sends no `ended`: its picture only stops. A hidden page gets no pictures. */
  function checkFrozen(): void {
    const isNew = pictures() !== latest
    latest = pictures()
    if (isNew || document.hidden) arrivedAt = performance.now()
    const isMuted = stream.getVideoTracks().some(({ muted }) => muted)
    onFrozen(isMuted || performance.now() - arrivedAt > FROZEN_MS)
  }

  async function look(): Promise<void> {
    checkFrozen()
    const isDue = performance.now() - taken >= FRAME_INTERVAL_MS
    if (free && isDue && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && latest !== shown) {
      shown = latest
      taken = performance.now()
      free = false
      const at_ms = now()
      const { videoWidth, videoHeight } = video
      const width = Math.min(PICTURE_WIDTH, videoWidth)
      const size = { resizeWidth: width, resizeHeight: Math.round((videoHeight * width) / videoWidth) }
      const bitmap = await createImageBitmap(video, size).catch(() => undefined)
      if (!bitmap) free = true
      else if (stopped) bitmap.close()
      else engine?.post({ kind: 'picture', bitmap, at_ms }, [bitmap])
    }
    if (!stopped) timer = setTimeout(() => void look(), LOOK_INTERVAL_MS)
  }
  void look()
  return { stream, post: (message) => engine?.post(message), stop }
}

/** Changes with every new picture. The time of a stream does too, but runs on without pictures: only for old browsers. */
function countPictures(video: HTMLVideoElement): () => number {
  let count = 0
  const next = () => {
    count += 1
    video.requestVideoFrameCallback(next)
  }
  if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(next)
  return () => count || video.currentTime
}

async function openStream(): Promise<MediaStream> {
  if (!('mediaDevices' in navigator)) throw new CameraFailed('missing')
  try {
    const video = { facingMode: 'user', width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } }
    return await navigator.mediaDevices.getUserMedia({ audio: false, video })
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError') throw new CameraFailed('forbidden')
    throw new CameraFailed(name === 'NotReadableError' ? 'busy' : 'missing')
  }
}

/** Runs the engine in a worker, or in the page if the browser has no module workers. */
async function openEngine(hear: (message: FromEngine) => void): Promise<Engine> {
  try {
    const worker = new Worker(new URL('./pose.worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => hear(data))
    worker.addEventListener('error', (event) => hear({ kind: 'failed', reason: event.message }))
    return {
      post: (message, transfer = []) => worker.postMessage(message, transfer),
      // Messages already sent, such as the last batch, still arrive.
      close: () => void setTimeout(() => worker.terminate(), 3_000),
    }
  } catch {
    const { startPoseEngine } = await import('./pose-engine.ts')
    const { port1, port2 } = new MessageChannel()
    startPoseEngine(port2)
    port1.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => hear(data))
    port1.start()
    port2.start()
    return { post: (message, transfer = []) => port1.postMessage(message, transfer), close: () => port1.close() }
  }
}
