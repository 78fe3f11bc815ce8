import { createHash } from 'node:crypto'
import type { CompositionManifest, CompositionSet } from '@tendon/contracts'

/** Bad field of a composition → why. */
export function requestProblems(
  manifest: CompositionManifest,
  language: string,
  sets: readonly CompositionSet[],
): Record<string, string> {
  const problems: Record<string, string> = {}
  if (!manifest.languages.includes(language)) problems.language = `must be one of ${manifest.languages.join(', ')}`
  const block = manifest.reps_per_video_block ?? 1
  for (const [n, { reps, side }] of sets.entries()) {
    if (reps % block !== 0) problems[`sets.${n}.reps`] = `must be a multiple of ${block}`
    if (manifest.laterality === 'bilateral' && side !== sets[0]?.side)
      problems[`sets.${n}.side`] = 'must be the side of the first set: the exercise is bilateral'
  }
  return problems
}

interface Fingerprinted {
  organizationId: string
  exerciseId: string
  assetVersion: number
  language: string
  sets: readonly CompositionSet[]
  seed: number
  profileVersion: number
}

/** Equal for requests that give the same video. */
export function fingerprintOf(request: Fingerprinted): string {
  const { organizationId, exerciseId, assetVersion, language, sets, seed, profileVersion } = request
  const facts = [organizationId, exerciseId, assetVersion, language, sets.map((set) => [set.side, set.reps]), seed]
  return createHash('sha256')
    .update(JSON.stringify([...facts, profileVersion]))
    .digest('hex')
}
