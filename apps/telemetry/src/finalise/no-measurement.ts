import type { StartMeasurement } from './measure-port.ts'

/** Says of every exercise that it was not measured. */
export const noMeasurement: StartMeasurement = ({ exercises }) => ({
  add() {},
  finish: () => ({
    exercises: exercises.map(({ media_id }) => ({
      media_id,
      measured: false,
      reason: 'not_supported',
      confidence: 0,
      side: null,
      repetitions: null,
      range_of_motion_degrees: null,
      tempo_seconds: null,
      symmetry: null,
      hold_seconds: null,
    })),
    repetitions: [],
  }),
})
