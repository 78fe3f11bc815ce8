import { type ExerciseChanges, type ExerciseStatus, TAXONOMY_AXES, type TaxonomyAxis } from '@tendon/contracts'

const NEXT: Readonly<Record<ExerciseStatus, readonly ExerciseStatus[]>> = {
  draft: ['published'],
  published: ['archived'],
  archived: ['published', 'draft'],
}

export const canBecome = (from: ExerciseStatus, to: ExerciseStatus): boolean => NEXT[from].includes(to)

/** What an exercise lacks to be published. A video is recommended, not required. */
export function missingForPublication({ name, instructions }: { name: string; instructions: number }): string[] {
  return [...(name.trim() === '' ? ['a name'] : []), ...(instructions === 0 ? ['at least one instruction'] : [])]
}

/** The tags that a body names, axis by axis. An axis that it leaves out stays as it is. */
export function namedTags(body: ExerciseChanges): { axis: TaxonomyAxis; ids: string[] }[] {
  return TAXONOMY_AXES.flatMap((axis) => {
    const ids = body[`${axis}_ids`]
    return ids === undefined ? [] : [{ axis, ids: [...new Set(ids.map((id) => id.toLowerCase()))] }]
  })
}

const COLUMNS = [
  'slug',
  'description',
  'instructions_summary',
  'default_dose',
  'progression',
  'regression',
  'source',
  'difficulty',
  'estimated_duration_seconds',
  'kind',
  'translations',
  'status',
] as const

const MAX_SLUG_LENGTH = 63

/** The slug of a copy that is given none: <slug>-copy, <slug>-copy-2 … */
export function slugOfClone(slug: string, count: number): string {
  const suffix = count === 1 ? '-copy' : `-copy-${count}`
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-+$/, '') + suffix
}

/** What a body says about the exercise itself, in one spelling: names composed, without blanks around them. */
export function ownColumns(body: ExerciseChanges) {
  const given = COLUMNS.filter((column) => body[column] !== undefined).map((column) => [column, body[column]])
  const columns: Pick<ExerciseChanges, (typeof COLUMNS)[number] | 'name'> = Object.fromEntries(given)
  if (body.name !== undefined) columns.name = body.name.normalize().trim()
  return columns
}
