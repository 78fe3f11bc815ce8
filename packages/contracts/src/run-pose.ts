// What the camera measured in a run.
import { Type } from 'typebox'
import { Nullable } from './shapes.ts'

/** Why an exercise was not measured, and what the patient should do. As packages/pose says it. */
export const NOT_MEASURED: Record<string, string> = {
  no_session_start: 'The recording has no start. Start the session again.',
  no_configuration: 'This exercise is not counted by camera.',
  invalid_configuration: 'The pose configuration of this exercise must be corrected by the clinic.',
  no_frames: 'Nobody was seen. Step into the picture.',
  low_visibility:
    'The joint was hidden or at the edge of the picture. Step back until the camera sees the whole arm or leg.',
  low_coverage: 'Most of the exercise was not in the picture. Stay in the picture until the end.',
  too_few_frames:
    'The camera sent too few pictures for this pace. Move more slowly, switch on more light, close other programs.',
  unsteady: 'The points jumped. Put the camera down, switch on more light, and let nobody else be in the picture.',
  unclear_movement:
    'Repetitions could not be distinguished. Start at rest, move all the way, and return to rest each time.',
  unreliable_depth: 'The movement was towards the camera. Turn your side to the camera.',
  other_side_moved: 'The other side moved. Exercise the side that the plan names.',
}

const Count = Type.Integer({ examples: [3] })
const Seconds = Type.Number({ examples: [512.4] })
const Degrees = Type.Number({ examples: [88.4] })

export const PoseSummary = Type.Object({
  exercises_measured: Count,
  exercises_not_measured: Count,
  repetitions: Nullable(Type.Integer({ description: 'null if nothing was measured.', minimum: 0, examples: [24] })),
  repetitions_to_target: Nullable(
    Type.Integer({ description: 'Repetitions that reached the prescribed range.', minimum: 0, examples: [19] }),
  ),
  not_visible_ms: Nullable(
    Type.Integer({ description: 'Time in which the joint was not seen.', minimum: 0, examples: [12_000] }),
  ),
  range_mean_degrees: Nullable(Degrees),
  confidence: Nullable(Type.Number({ examples: [0.93] })),
})

const REASONS = Object.entries(NOT_MEASURED)
  .map(([reason, text]) => `\`${reason}\`: ${text}`)
  .join(' ')
export const Pose = Type.Object({
  measured: Type.Boolean({ examples: [true] }),
  reason: Nullable(
    Type.String({
      description: `Why nothing was measured; the numbers are then null. ${REASONS}`,
      examples: ['unsteady'],
    }),
  ),
  confidence: Type.Number({
    description:
      'Confidence in the numbers: the minimum of visibility, coverage, depth, frames, steadiness and clarity. Below 0.5 nothing is measured. From 0.8 on the count is reliable.',
    minimum: 0,
    maximum: 1,
    examples: [0.93],
  }),
  side: Nullable(Type.String({ examples: ['left'] })),
  repetitions: Nullable(
    Type.Integer({
      description: 'Repetitions, each from rest to the end position and back to rest.',
      minimum: 0,
      examples: [8],
    }),
  ),
  repetitions_to_target: Nullable(
    Type.Integer({
      description: 'Repetitions that reached the prescribed range. null for runs measured before this was recorded.',
      minimum: 0,
      examples: [5],
    }),
  ),
  not_visible_ms: Nullable(
    Type.Integer({
      description: 'Time in which the joint was not seen; repetitions then are not counted.',
      minimum: 0,
      examples: [12_000],
    }),
  ),
  range_min_degrees: Nullable(Degrees),
  range_max_degrees: Nullable(Degrees),
  range_mean_degrees: Nullable(Degrees),
  tempo_seconds: Nullable(Type.Number({ examples: [2.4] })),
  symmetry: Nullable(Type.Number({ examples: [0.97] })),
  hold_seconds: Nullable(Seconds),
})
export const Repetition = Type.Object({
  number: Type.Integer({ examples: [1] }),
  side: Type.String({ examples: ['left'] }),
  start_ms: Count,
  peak_ms: Count,
  end_ms: Count,
  peak_degrees: Degrees,
  range_degrees: Degrees,
  tempo_seconds: Type.Number({ examples: [2.4] }),
  hold_seconds: Seconds,
  reached_target: Nullable(Type.Boolean({ examples: [true] })),
  feedback: Type.Array(Type.String({ examples: ['deeper'] })),
})
