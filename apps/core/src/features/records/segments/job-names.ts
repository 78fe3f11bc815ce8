/** The background work of this feature, as its job rows name it. */
export const REBUILD_JOB = 'segments.rebuild'
export const EVALUATE_PATIENT_JOB = 'segments.evaluate_patient'
export const FOLLOW_CALENDAR_JOB = 'segments.follow_calendar'
export const RESUME_JOB = 'segments.take_up'
