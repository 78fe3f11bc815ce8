import type { ExerciseMetrics, LiveState } from '@tendon/pose'

// Messages between the page and the engine (a worker). All times are milliseconds of the run.

export type ToEngine =
  /** Load the model. `files`: URL of the folder with the WebAssembly; `model`: URL of the model. */
  | { kind: 'load'; files: string; model: string }
  /** An exercise starts. */
  | { kind: 'begin'; media_id: string; config: Record<string, unknown>; at_ms: number }
  /** Frames until `resume` are not part of the exercise. */
  | { kind: 'pause'; at_ms: number }
  | { kind: 'resume'; at_ms: number }
  | { kind: 'end'; at_ms: number }
  /** A picture. The next one is sent after `free`; pictures in between are skipped, not queued. */
  | { kind: 'picture'; bitmap: ImageBitmap; at_ms: number }
  /** Landmarks instead of a picture, for tests: x, y, z (metres) and visibility of 33 landmarks. */
  | { kind: 'landmarks'; values: Float32Array; at_ms: number }
  | { kind: 'close' }

export interface Seen extends LiveState {
  at_ms: number
  /** 0 at rest, 1 at the working end; null when the joint is not visible. */
  reach: number | null
  degrees: number | null
}

export type FromEngine =
  | { kind: 'ready'; delegate: Delegate; frame_ms: number }
  | { kind: 'failed'; reason: string }
  /** The engine is ready for the next picture. `points`: x and y of 33 landmarks, from 0 to 1; empty when nobody is visible. */
  | { kind: 'free'; frame_ms: number; points: Float32Array }
  | { kind: 'seen'; seen: Seen }
  /** About a second of frames, in the format of telemetry. */
  | { kind: 'batch'; bytes: Uint8Array<ArrayBuffer>; frames: number }
  | { kind: 'ended'; media_id: string; metrics: ExerciseMetrics }

export type Delegate = 'GPU' | 'CPU'

/** The worker's global scope, or a MessagePort when the engine runs in the page. */
export interface EnginePort {
  postMessage(message: FromEngine, transfer?: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToEngine>) => void): void
}
