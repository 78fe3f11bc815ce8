/** What booking, moving and cancelling read and write for staff, whose own permissions may not reach so far. */
export const AS_STAFF = {
  codes: [
    'appointments.manage',
    'appointments.view_org',
    'calendars.view_org',
    'data.view_deleted',
    'forms.fill_org',
    'forms.view_org',
    'patients.view_org',
    'services.view_org',
    'specialists.view_org',
  ],
  why: 'People who may book need not see services, specialists, calendars or forms; only the service writes holds.',
} as const

/** A certificate of attendance says that a visit took place: its status stays. */
export const CHANGING_STATUS = { codes: [...AS_STAFF.codes, 'documents.view_org'], why: AS_STAFF.why } as const

/** For patients: nothing about other patients, whose appointments the policies keep away from this request. */
export const AS_PATIENT = {
  codes: ['data.view_deleted', 'services.view_org', 'specialists.view_org'],
  why: 'Patients see neither services nor specialists; only the service writes holds and a patient’s own appointments.',
} as const

/** For visitors, who are known by a hold or a link only. */
export const AS_VISITOR = {
  codes: AS_STAFF.codes,
  why: 'Visitors have no permissions; the id of a hold or the link of a booking is the capability.',
} as const
