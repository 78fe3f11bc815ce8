import type { Operation } from './case.ts'

/** A patient of a clinic, as the owner of rows. */
export interface Owner {
  clinic: string
  profile: string
  patient: string
}

/** The outcome for the owner of a row, at any clinic. Everybody else gets no rows, or a refusal for writes. */
export type Outcome = 'rows' | 'none' | 'refused'

export interface OwnerCase extends Record<Operation, Outcome> {
  row: (of: Owner) => string
  fresh: (of: Owner) => string
  set: string
}

const NOTHING = { select: 'none', insert: 'refused', update: 'refused', delete: 'refused' } as const
const consent = (source: string) => (of: Owner) =>
  `(organization_id, patient_profile_id, purpose_code, purpose_version, source)
   values ('${of.clinic}', '${of.profile}', 'telerehab', 1, '${source}')`

/** Table × operation → outcome, for the patient whose row it is and who holds no permission. */
export const OWNER_CASES: Record<string, OwnerCase> = {
  patient_profiles: {
    row: (of) => `id = '${of.profile}'`,
    fresh: (of) => `(organization_id) values ('${of.clinic}')`,
    set: 'invited_at = now()',
    select: 'rows',
    insert: 'refused',
    update: 'none',
    delete: 'refused',
  },
  patients: {
    row: (of) => `id = '${of.patient}'`,
    fresh: (of) => `(organization_id, patient_profile_id, first_name, last_name)
      values ('${of.clinic}', '${of.profile}', 'Ion', 'Pop')`,
    set: `notes = 'Other'`,
    select: 'rows',
    insert: 'refused',
    update: 'none',
    delete: 'refused',
  },
  consents: {
    row: (of) => `patient_profile_id = '${of.profile}' and withdrawn_at is null`,
    fresh: consent('self_toggle'),
    set: `withdrawn_at = now(), ended_as = 'withdrawn'`,
    select: 'rows',
    insert: 'rows',
    update: 'rows',
    delete: 'refused',
  },
  'consents that have ended': {
    row: (of) => `patient_profile_id = '${of.profile}' and withdrawn_at is not null`,
    fresh: consent('staff_action'),
    set: `withdrawal_reason = 'Other'`,
    select: 'rows',
    insert: 'refused',
    update: 'none',
    delete: 'refused',
  },
  privacy_requests: {
    ...NOTHING,
    row: (of) => `patient_profile_id = '${of.profile}'`,
    fresh: (of) => `(organization_id, kind, patient_id, patient_profile_id)
      values ('${of.clinic}', 'export', '${of.patient}', '${of.profile}')`,
    set: 'progress = 50',
    update: 'none',
  },
  break_glass_grants: {
    ...NOTHING,
    row: (of) => `patient_id = '${of.patient}'`,
    fresh: (of) =>
      `(organization_id, patient_id, reason, expires_at) values ('${of.clinic}', '${of.patient}', 'x', now())`,
    set: 'ended_at = now()',
  },
  impersonations: {
    ...NOTHING,
    row: (of) => `patient_id = '${of.patient}'`,
    fresh: (of) => `(organization_id, patient_id, principal_id, hash, expires_at)
      values ('${of.clinic}', '${of.patient}', current_app_principal_id(), '\\x01', now())`,
    set: 'expires_at = now()',
    select: 'refused',
  },
}

/** What a patient reads through functions instead of tables. */
export const OWNER_FUNCTIONS: Record<string, (of: Owner) => string> = {
  'my_patient_records()': (of) => `patient_id = '${of.patient}'`,
  'my_access_log(null)': (of) => `organization_id = '${of.clinic}'`,
}
