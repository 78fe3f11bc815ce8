export type MergeOutcome = 'merged' | 'restricted' | 'being_erased' | 'linked' | 'different_people'

export interface RecordToLink {
  deleted_at: string | null
  erased_at: string | null
  restricted_at: string | null
  merged_into_id: string | null
}

export interface Linking {
  /** Both records, as far as the clinic has them. */
  records: readonly RecordToLink[]
  isBeingErased: boolean
  /** Other records are linked to the one that is to be linked: groups have one level. */
  isMain: boolean
  /** Who has claimed the records of the resulting group; null: nobody. */
  humanIds: readonly (string | null)[]
}

/** Whether two records can be linked, or why not; null when one of them is not there. */
export function mergeOutcome({ records, isBeingErased, isMain, humanIds }: Linking): MergeOutcome | null {
  if (records.filter((one) => one.deleted_at === null && one.erased_at === null).length < 2) return null
  if (records.some((one) => one.restricted_at !== null)) return 'restricted'
  if (isBeingErased) return 'being_erased'
  if (isMain || records.some((one) => one.merged_into_id !== null)) return 'linked'
  if (new Set(humanIds.filter((one) => one !== null)).size > 1) return 'different_people'
  return 'merged'
}
