import { type Camera, CameraFailed, type CameraProblem, startCamera } from '../camera/camera.ts'
import type { FromEngine, Seen } from '../camera/messages.ts'
import { createFrameQueue } from './frame-queue.ts'
import type { RepetitionCounter } from './player-deps.ts'
import type { RunExercise } from './player-state.ts'
import { postFrames, type RunAccess } from './telemetry.ts'

export type CameraState =
  | { kind: 'off' }
  | { kind: 'starting' }
  /** `frozen`: no new picture arrives. `back`: they arrive again, told until the next set. */
  | { kind: 'on'; stream: MediaStream; picture: 'moving' | 'frozen' | 'back' }
  | { kind: 'failed'; problem: CameraProblem | 'lost' | 'consent' }

interface SessionCameraOptions {
  run: string
  organization: string
  access: RunAccess
  now: () => number
  onSeen: (seen: Seen) => void
  onPoints: (points: Float32Array) => void
}

const MAX_LAST_FRAMES_MS = 4_000

/** Controls the camera of a session and sends its batches of frames. */
export function createSessionCamera({ run, organization, access, now, onSeen, onPoints }: SessionCameraOptions) {
  let state: CameraState = { kind: 'off' }
  let camera: Camera | undefined
  let following = false
  const listeners = new Set<() => void>()
  /** Exercises that the camera has still to end, and who waits for that. */
  let ending = 0
  let ended = Promise.withResolvers<void>()
  const frames = createFrameQueue({ send })

  function change(next: CameraState): void {
    state = next
    for (const listener of listeners) listener()
  }

  async function send(bytes: Uint8Array<ArrayBuffer>): Promise<'done' | 'retry'> {
    const allowed = await access.of(run, organization).catch(() => undefined)
    if (allowed === undefined) return 'retry'
    if (allowed === null) return 'done'
    const status = await postFrames(allowed, bytes)
    if (status === 401) access.forget(run)
    // The consent was withdrawn.
    if (status === 403) {
      frames.clear()
      stop('consent')
    }
    return status === 0 || status === 401 || status === 429 || status >= 500 ? 'retry' : 'done'
  }

  function allEnded(): void {
    ending = 0
    ended.resolve()
  }

  function hear(message: FromEngine): void {
    if (message.kind === 'free') onPoints(message.points)
    if (message.kind === 'seen') onSeen(message.seen)
    if (message.kind === 'failed') stop('model')
    if (message.kind === 'batch') frames.add(message.bytes)
    if (message.kind !== 'ended') return
    ending -= 1
    if (ending <= 0) allEnded()
  }

  function stop(problem?: CameraProblem | 'lost' | 'consent'): void {
    camera?.stop()
    camera = undefined
    following = false
    allEnded()
    change(problem === undefined ? { kind: 'off' } : { kind: 'failed', problem })
  }

  function setFrozen(frozen: boolean): void {
    if (state.kind !== 'on' || (state.picture === 'frozen') === frozen) return
    change({ ...state, picture: frozen ? 'frozen' : 'back' })
  }

  const isStarting = () => state.kind === 'starting'

  async function start(): Promise<void> {
    if (camera || state.kind === 'starting') return
    change({ kind: 'starting' })
    try {
      const opened = await startCamera({ now, onMessage: hear, onLost: () => stop('lost'), onFrozen: setFrozen })
      // The camera was turned off, or the page was left, while it was starting.
      if (!isStarting()) return opened.stop()
      camera = opened
      change({ kind: 'on', stream: opened.stream, picture: 'moving' })
    } catch (error) {
      if (!isStarting()) return
      change({ kind: 'failed', problem: error instanceof CameraFailed ? error.problem : 'model' })
    }
  }

  const counter: RepetitionCounter = {
    enter({ id, pose_config }: RunExercise, at_ms) {
      if (state.kind === 'on' && state.picture === 'back') change({ ...state, picture: 'moving' })
      if (following) {
        camera?.post({ kind: 'resume', at_ms })
        return false
      }
      if (!camera || pose_config === null) return false
      camera.post({ kind: 'begin', media_id: id, config: pose_config, at_ms })
      following = true
      return true
    },
    pause: (at_ms) => following && camera?.post({ kind: 'pause', at_ms }),
    end(at_ms) {
      if (!following) return
      following = false
      if (ending === 0) ended = Promise.withResolvers()
      ending += 1
      camera?.post({ kind: 'end', at_ms })
    },
  }

  return {
    counter,
    start,
    stop,
    /** Whether the camera counts the current exercise. */
    isFollowing: () => following,
    getState: () => state,
    close(): void {
      stop()
      frames.close()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Resolves when the last frames are sent, or after a few seconds without progress. */
    async settle(): Promise<void> {
      if (ending > 0) {
        const limit = new Promise<void>((resolve) => setTimeout(resolve, MAX_LAST_FRAMES_MS))
        await Promise.race([ended.promise, limit])
      }
      await frames.settle()
    },
  }
}
