interface Keeper {
  principal_id: string
  managesSpecialists: boolean
}

/** A specialist may keep their own feed, members who manage specialists any feed. */
export const mayKeepFeed = (of: { human_id: string | null }, { principal_id, managesSpecialists }: Keeper): boolean =>
  of.human_id === principal_id || managesSpecialists
