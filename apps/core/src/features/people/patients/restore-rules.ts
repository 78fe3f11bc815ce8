export type RestoreOutcome = 'restored' | 'not_deleted' | 'expired' | 'final' | 'restricted'

export interface DeletedRecord {
  deleted_at: string | null
  /** Staff who deleted the record; null when the patient left or was erased. */
  deleted_by_principal_id: string | null
  erased_at: string | null
  restricted_at: string | null
  /** Deleted more than 30 days ago. */
  is_late: boolean
  is_being_erased: boolean
}

/** Only a deletion by staff can be undone, never leaving or erasure. */
export function restoreOutcome(record: DeletedRecord): RestoreOutcome {
  if (record.deleted_at === null) return 'not_deleted'
  if (record.erased_at !== null || record.deleted_by_principal_id === null || record.is_being_erased) return 'final'
  if (record.is_late) return 'expired'
  return record.restricted_at === null ? 'restored' : 'restricted'
}
