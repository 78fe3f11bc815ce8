import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Movement, SEATED_DEGREES, SPLAY_DEGREES } from './pose.ts'

/** An exercise of the library, from the seed. */
export interface LibraryExercise {
  slug: string
  /** Name, description, summary. */
  en: [string, string, string]
  ro: [string, string, string]
  pose: {
    joint: Movement['joint']
    camera: 'side' | 'front'
    side: string
    down: number
    up: number
    target: [number, number]
  }
}

export interface Filmed {
  slug: string
  laterality: 'bilateral' | 'unilateral'
  /** The angle of the joint between repetitions and at its furthest, as the text of the exercise says. */
  rest: number
  peak: number
  with?: NonNullable<Movement['with']>
}

/** Exercises that a standing figure can show. */
export const FILMED: readonly Filmed[] = [
  { slug: 'squat', laterality: 'bilateral', rest: 172, peak: 95 },
  { slug: 'sit-to-stand', laterality: 'bilateral', rest: SEATED_DEGREES, peak: 176, with: 'seat' },
  { slug: 'heel-raise', laterality: 'bilateral', rest: 108, peak: 136, with: 'support' },
  {
    slug: 'standing-hip-abduction',
    laterality: 'unilateral',
    rest: 178 - SPLAY_DEGREES,
    peak: 150 - SPLAY_DEGREES,
    with: 'support',
  },
  { slug: 'shoulder-abduction', laterality: 'bilateral', rest: 12 + SPLAY_DEGREES, peak: 90 + SPLAY_DEGREES },
  { slug: 'elbow-flexion', laterality: 'unilateral', rest: 172, peak: 35, with: 'weight' },
]

/** Four seconds a repetition, most of them for the way back: "slowly", say the texts. */
export const TEMPO = { rise_seconds: 1, hold_seconds: 0.2, fall_seconds: 2.5, pause_seconds: 0.3 }

export const movementOf = (
  { pose }: Pick<LibraryExercise, 'pose'>,
  filmed: Filmed,
  side: Movement['side'],
): Movement => ({
  joint: pose.joint,
  view: pose.camera,
  side,
  ...(filmed.with ? { with: filmed.with } : {}),
})

const SEEDS = join(import.meta.dirname, '../../database/seed')

export function readLibrary(): Map<string, LibraryExercise> {
  const files = readdirSync(SEEDS).filter((name) => /^0016_exercise_library_\d/.test(name))
  const exercises = files.flatMap((name) => {
    const json = /\$json\$(\[.*?\])\$json\$/s.exec(readFileSync(join(SEEDS, name), 'utf8'))?.[1] ?? '[]'
    return JSON.parse(json) as LibraryExercise[]
  })
  return new Map(exercises.map((exercise) => [exercise.slug, exercise]))
}
