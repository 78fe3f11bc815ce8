import { type PlatformTx, type ServiceTx, together } from '@tendon/db'
import { copyParts, insertClone, lockExerciseToClone } from './clone-queries.ts'
import { exerciseNotFound, slugExists } from './errors.ts'
import type { ExerciseRow } from './queries.ts'
import { slugOfClone } from './rules.ts'

/** Of one exercise without a slug of their own. */
const MAX_CLONES = 1_000

/** Copies an exercise into the clinic in context, or without one into the library of the platform, as a draft. */
export async function cloneExercise(
  tx: ServiceTx | PlatformTx,
  source: ExerciseRow,
  { name, slug }: { name?: string; slug?: string },
): Promise<string> {
  if (!(await lockExerciseToClone(tx, source.id))) throw exerciseNotFound()
  const insert = (free: string) => insertClone(tx, source.id, { name: name?.normalize().trim(), slug: free })
  const attempts = slug === undefined ? MAX_CLONES : 1
  let id: string | null = null
  for (let count = 1; id === null && count <= attempts; count += 1)
    id = await insert(slug ?? slugOfClone(source.slug, count))
  if (id === null) throw slugExists()
  await together(copyParts(tx, source.id, id))
  return id
}
