// A patient who was never there: a simple body that moves one joint through repetitions of known range and tempo, to be filmed
// by camera.ts. Drives tests and simulated patients. The same random numbers give the same movements.
import type { Angle, Side } from './landmarks.ts'

export interface Exercise {
  /** The third point moves about the second. */
  angle: Angle
  side: Side | 'both' | 'in_turns'
  /** Of each side. */
  repetitions: number
  rest_degrees: number
  peak_degrees: number
  rise_seconds: number
  hold_seconds: number
  fall_seconds: number
  /** At rest between repetitions, and before the first and after the last. */
  pause_seconds: number
  lead_seconds: number
  /** Forward, or sideways as in raising an arm to the side. */
  plane: 'sagittal' | 'frontal'
  /** By how much of itself each repetition differs in range and tempo; 0 for a machine. */
  variation: number
  /** Repetitions that go only part of the way: which share of all, and how much of the way. */
  partial?: { share: number; depth: number }
}

export interface TrueRepetition {
  side: Side | 'both'
  start_seconds: number
  peak_seconds: number
  end_seconds: number
  rest_degrees: number
  peak_degrees: number
  rise_seconds: number
  fall_seconds: number
  /** Share of the way; 1 for a whole one. */
  depth: number
}

export interface Performed {
  exercise: Exercise
  seconds: number
  repetitions: TrueRepetition[]
}

export function perform(exercise: Exercise, random: () => number): Performed {
  const { rest_degrees, peak_degrees, pause_seconds, lead_seconds, variation } = exercise
  const vary = () => 1 + variation * (random() * 2 - 1)
  const turns = exercise.side === 'in_turns' ? (['left', 'right'] as const) : [exercise.side]
  const repetitions: TrueRepetition[] = []
  let now = lead_seconds
  for (let done = 0; done < exercise.repetitions; done += 1) {
    for (const side of turns as (Side | 'both')[]) {
      const pace = vary()
      const depth = exercise.partial && random() < exercise.partial.share ? exercise.partial.depth : 1
      const [rise_seconds, hold, fall_seconds] = [
        exercise.rise_seconds * pace,
        exercise.hold_seconds * pace,
        exercise.fall_seconds * pace,
      ]
      repetitions.push({
        side,
        start_seconds: now,
        peak_seconds: now + rise_seconds + hold / 2,
        end_seconds: now + rise_seconds + hold + fall_seconds,
        rest_degrees,
        peak_degrees: rest_degrees + (peak_degrees - rest_degrees) * vary() * depth,
        rise_seconds,
        fall_seconds,
        depth,
      })
      now += rise_seconds + hold + fall_seconds + pause_seconds
    }
  }
  return { exercise, seconds: now - pause_seconds + lead_seconds, repetitions }
}

/** The true angle of a side. Movements speed up and slow down like a cosine. */
export function degreesAt({ exercise, repetitions }: Performed, side: Side, seconds: number): number {
  const now = repetitions.find(
    (one) => seconds >= one.start_seconds && seconds < one.end_seconds && (one.side === side || one.side === 'both'),
  )
  if (!now) return exercise.rest_degrees
  const share = Math.min(
    1,
    (seconds - now.start_seconds) / now.rise_seconds,
    (now.end_seconds - seconds) / now.fall_seconds,
  )
  return now.rest_degrees + ((now.peak_degrees - now.rest_degrees) * (1 - Math.cos(Math.PI * share))) / 2
}
