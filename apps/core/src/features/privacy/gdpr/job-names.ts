/** The background work of this feature, as its job rows name it. */
export const JOB_OF = { export: 'gdpr.export', erase: 'gdpr.erase' } as const
export const FINISH_ERASURE_JOB = 'gdpr.finish_erasure'
export const ERASE_ACCOUNT_RECORD_JOB = 'gdpr.erase_account_record'
export const CLEANUP_JOB = 'gdpr.tidy'

/** Over about an hour; what still fails then is an error for people to look at. */
export const MAX_REQUEST_ATTEMPTS = 9
/** Every few hours, for years: the patient is erased already, and only the store keeps their files from going. */
export const MAX_FINISH_ATTEMPTS = 10_000
