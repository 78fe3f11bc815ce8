import { COMPOSITION_REPS, type CompositionManifest, type CompositionSet, type Side } from '@tendon/contracts'

export interface Prescription {
  sets: number
  reps: number | null
  side: string | null
}

const MAX_SETS = 20

/** The sets of a composition for a prescription; undefined when no composition fits it. */
export function setsFor(
  manifest: CompositionManifest,
  { sets, reps, side }: Prescription,
): CompositionSet[] | undefined {
  if (manifest.kind !== 'reps_based' || reps === null || !COMPOSITION_REPS.some((allowed) => allowed === reps))
    return undefined
  const sides: Side[] =
    side === 'left' || side === 'right' ? [side] : manifest.laterality === 'unilateral' ? ['left', 'right'] : ['left']
  const wanted = Array.from({ length: sets }).flatMap(() => sides.map((one) => ({ side: one, reps })))
  return wanted.length <= MAX_SETS ? wanted : undefined
}
