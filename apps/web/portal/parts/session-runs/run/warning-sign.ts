import type { NewPainReport } from '@tendon/sdk'

export type WarningSign = NonNullable<NewPainReport['warning_signs']>[number]

/** In the order of the pain sheet. */
export const WARNING_SIGNS = [
  'chest_pain',
  'breathless',
  'faint_or_dizzy',
  'sudden_weakness_or_numbness',
  'bladder_or_bowel',
  'calf_swelling',
  'fall',
] as const satisfies readonly WarningSign[]
