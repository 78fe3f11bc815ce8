import { angleOn, jointOf, type LiveMeasurement, type PoseConfig, parsePoseConfig, startLive } from '@tendon/pose'
import { createBatches, rounded } from './batches.ts'
import { createDetector, type Detector, hasGraphicsCard } from './detector.ts'
import type { Delegate, EnginePort, Seen, ToEngine } from './messages.ts'

const TIMED_FRAMES = 10
/** Fifteen frames a second are enough. */
const FAST_ENOUGH_MS = 66

interface Followed {
  media_id: string
  config: PoseConfig
  live: LiveMeasurement
  /** Frames before this are not part of the exercise. */
  since_ms: number
  /** The time since which frames are not part of the exercise. */
  paused_ms: number | undefined
}

/** Detects the person in pictures, counts repetitions and creates batches. Runs in a worker, or in the page. */
export function startPoseEngine(port: EnginePort): void {
  let detector: Detector | undefined
  let files = { files: '', model: '' }
  let followed: Followed | undefined
  let timed: number[] = []
  let firstTry: { delegate: Delegate; frame_ms: number } | undefined
  let lastPicture_ms = -1
  const batches = createBatches((bytes, frames) => port.postMessage({ kind: 'batch', bytes, frames }, [bytes.buffer]))

  async function load(): Promise<void> {
    const wanted: Delegate = hasGraphicsCard() ? 'GPU' : 'CPU'
    const opened = await open(wanted).catch((error: unknown) => {
      if (wanted === 'CPU') throw error
      return open('CPU')
    })
    detector = opened
    port.postMessage({ kind: 'ready', delegate: opened.delegate, frame_ms: 0 })
  }

  const open = (delegate: Delegate) => createDetector(files.files, files.model, delegate)

  /** When ten frames on the graphics card are slow, tries ten on the processor and keeps the faster one. */
  async function choose(): Promise<void> {
    if (!detector || timed.length < TIMED_FRAMES) return
    const frame_ms = timed.toSorted((a, b) => a - b)[TIMED_FRAMES / 2] ?? 0
    timed = []
    const { delegate } = detector
    if (!firstTry) {
      firstTry = { delegate, frame_ms }
      if (delegate === 'CPU' || frame_ms <= FAST_ENOUGH_MS) return
      await change('CPU')
    } else if (firstTry.delegate !== delegate && firstTry.frame_ms < frame_ms) await change(firstTry.delegate)
  }

  async function change(delegate: Delegate): Promise<void> {
    const next = await open(delegate)
    detector?.close()
    detector = next
    lastPicture_ms = -1
    port.postMessage({ kind: 'ready', delegate, frame_ms: firstTry?.frame_ms ?? 0 })
  }

  async function look(bitmap: ImageBitmap, at_ms: number): Promise<void> {
    if (!detector) return bitmap.close()
    const began = performance.now()
    // The model requires increasing timestamps.
    lastPicture_ms = Math.max(lastPicture_ms + 1, at_ms)
    const { values, points } = detector.find(bitmap, lastPicture_ms)
    bitmap.close()
    const frame_ms = performance.now() - began
    if (values) follow(values, at_ms)
    timed.push(frame_ms)
    if (timed.length === TIMED_FRAMES && (!firstTry || firstTry.delegate !== detector.delegate)) await choose()
    else if (timed.length > TIMED_FRAMES) timed = []
    port.postMessage({ kind: 'free', frame_ms, points })
  }

  function follow(found: ArrayLike<number>, given_ms: number): void {
    if (!followed || followed.paused_ms !== undefined) return
    const at_ms = Math.round(given_ms)
    if (at_ms < followed.since_ms) return
    const values = rounded(found)
    const state = followed.live.push({ time_ms: at_ms, landmarks: values })
    batches.add(at_ms, values)
    port.postMessage({ kind: 'seen', seen: { ...state, at_ms, ...reachOf(followed.config, values) } })
  }

  async function end(at_ms: number): Promise<void> {
    if (!followed) return
    const { live, media_id, paused_ms } = followed
    followed = undefined
    await batches.flush()
    port.postMessage({ kind: 'ended', media_id, metrics: live.finish(paused_ms ?? at_ms) })
  }

  function fail(error: unknown): void {
    port.postMessage({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }

  function take(message: ToEngine): void {
    switch (message.kind) {
      case 'load':
        files = message
        load().catch(fail)
        break
      case 'begin': {
        const parsed = parsePoseConfig(message.config)
        if ('fields' in parsed) break
        const { media_id, at_ms } = message
        followed = {
          media_id,
          config: parsed.config,
          live: startLive(parsed.config, { media_id, from_ms: at_ms }),
          since_ms: at_ms,
          paused_ms: undefined,
        }
        break
      }
      case 'pause':
        if (followed) followed.paused_ms ??= message.at_ms
        void batches.flush()
        break
      case 'resume':
        if (followed?.paused_ms === undefined) break
        followed.live.leaveOut(message.at_ms - followed.paused_ms)
        followed.since_ms = message.at_ms
        followed.paused_ms = undefined
        break
      case 'end':
        end(message.at_ms).catch(fail)
        break
      case 'picture':
        look(message.bitmap, message.at_ms).catch(fail)
        break
      case 'landmarks':
        follow(message.values, message.at_ms)
        break
      case 'close':
        detector?.close()
        detector = undefined
        followed = undefined
    }
  }
  port.addEventListener('message', ({ data }) => take(data))
}

/** The position of the more visible side between rest and the working end. */
export function reachOf(config: PoseConfig, values: ArrayLike<number>): Pick<Seen, 'reach' | 'degrees'> {
  const { up_degrees, down_degrees } = config.thresholds
  const sides = config.side === 'left' || config.side === 'right' ? [config.side] : (['left', 'right'] as const)
  const [best] = sides
    .map((side) => jointOf(values, angleOn(side, config.primary_angle)))
    .filter(({ visibility }) => visibility >= config.min_visibility)
    .map(({ degrees }) => ({ degrees, reach: (degrees - down_degrees) / (up_degrees - down_degrees) }))
    .sort((a, b) => b.reach - a.reach)
  return best ?? { reach: null, degrees: null }
}
