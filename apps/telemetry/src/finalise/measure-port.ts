import type { PoseBatch } from '@tendon/pose'
import type { Span } from '../media/reducer.ts'

// What finalise asks of the measurement, and what it stores of its answer.

export interface Manifest {
  /** When each item was the current one; empty when the run has no `session_start`. */
  spans: readonly Span[]
  /** As frozen when the run was made; null for an exercise that is not tracked. */
  exercises: readonly { media_id: string; pose_config: unknown }[]
}

/** Of one exercise. Where it was not measured there is a reason, and no number. */
export interface ExerciseMetrics {
  media_id: string
  measured: boolean
  reason: string | null
  confidence: number
  side: string | null
  repetitions: number | null
  range_of_motion_degrees: { min: number; max: number; mean: number } | null
  tempo_seconds: number | null
  symmetry: number | null
  hold_seconds: number | null
}

export interface RepetitionMetrics {
  media_id: string
  number: number
  side: string
  start_ms: number
  peak_ms: number
  end_ms: number
  peak_degrees: number
  range_degrees: number
  tempo_seconds: number
  hold_seconds: number
  feedback: string[]
}

export interface PoseMetrics {
  exercises: ExerciseMetrics[]
  repetitions: RepetitionMetrics[]
}

/** Batches come one by one and in any order, frames perhaps twice. */
export interface Measurement {
  add(batch: PoseBatch): void
  finish(): PoseMetrics
}

export type StartMeasurement = (manifest: Manifest) => Measurement
