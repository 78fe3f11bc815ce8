import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Movement } from './figure.ts'

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
}

/** Exercises that a standing figure can show. */
export const FILMED: readonly Filmed[] = [
  { slug: 'squat', laterality: 'bilateral' },
  { slug: 'sit-to-stand', laterality: 'bilateral' },
  { slug: 'heel-raise', laterality: 'bilateral' },
  { slug: 'standing-hip-abduction', laterality: 'unilateral' },
  { slug: 'shoulder-abduction', laterality: 'bilateral' },
  { slug: 'elbow-flexion', laterality: 'unilateral' },
]

const SEEDS = join(import.meta.dirname, '../../database/seed')

export function readLibrary(): Map<string, LibraryExercise> {
  const files = readdirSync(SEEDS).filter((name) => /^0016_exercise_library_\d/.test(name))
  const exercises = files.flatMap((name) => {
    const json = /\$json\$(\[.*?\])\$json\$/s.exec(readFileSync(join(SEEDS, name), 'utf8'))?.[1] ?? '[]'
    return JSON.parse(json) as LibraryExercise[]
  })
  return new Map(exercises.map((exercise) => [exercise.slug, exercise]))
}
