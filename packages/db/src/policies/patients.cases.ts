import { all, any, type Cases, inClinic, MEMBERS } from './case.ts'

const PRIVACY_WORK = any('gdpr.export_data', 'gdpr.erase_data')
const MANAGE_NOTICE = all('organizations.manage_privacy_notice')

// What is changed must also be seen: an update needs the right to view besides its own.
export const PATIENT_CASES: Cases = {
  patient_profiles: {
    row: (of) => `id = '${of.profile}'`,
    fresh: (of) => `(organization_id) values ('${of.id}')`,
    set: 'invited_at = now()',
    select: all('patients.view_org'),
    insert: all('patients.onboard'),
    update: all('patients.view_org', 'patients.update'),
    delete: 'nobody',
  },
  patients: {
    row: (of) => `id = '${of.patient}'`,
    fresh: (of) => `(organization_id, patient_profile_id, first_name, last_name)
      values ('${of.id}', '${of.spareProfile}', 'Ion', 'Pop')`,
    set: `notes = 'Other'`,
    select: all('patients.view_org'),
    insert: all('patients.onboard'),
    update: all('patients.view_org', 'patients.update'),
    delete: 'nobody',
  },
  consent_purpose_versions: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, purpose_code, version, body_translations) values ('${of.id}', 'analytics', 2, '{}')`,
    set: 'version = 3',
    select: MEMBERS,
    insert: MANAGE_NOTICE,
    update: 'nobody',
    delete: 'nobody',
    shared: true,
  },
  consents: {
    row: inClinic,
    fresh: (of) => `(organization_id, patient_profile_id, purpose_code, purpose_version, source)
      values ('${of.id}', '${of.profile}', 'telerehab', 1, 'staff_action')`,
    set: `withdrawn_at = now(), ended_as = 'withdrawn'`,
    select: any('consents.view_org', 'consents.manage', 'patients.onboard', 'forms.sign'),
    insert: any('consents.manage', 'patients.onboard'),
    update: all('consents.manage'),
    delete: 'nobody',
  },
  privacy_notices: {
    row: inClinic,
    fresh: (of) => `(organization_id, draft_template_version) values ('${of.id}', ${of.template})
      on conflict (organization_id) do update set updated_at = now()`,
    set: `draft_placeholder_values = '{}'`,
    select: MEMBERS,
    insert: MANAGE_NOTICE,
    update: MANAGE_NOTICE,
    delete: 'nobody',
  },
  privacy_requests: {
    row: inClinic,
    fresh: (of) => `(organization_id, kind, patient_id, patient_profile_id)
      values ('${of.id}', 'export', '${of.patient}', '${of.profile}')`,
    set: 'progress = 50',
    select: PRIVACY_WORK,
    insert: all('gdpr.export_data'),
    update: PRIVACY_WORK,
    delete: 'nobody',
  },
  break_glass_grants: {
    row: inClinic,
    fresh: (of) => `(principal_id, organization_id, reason, expires_at) values ('${of.human}', '${of.id}', 'x', now())`,
    set: `reason = repeat('why ', 11)`,
    select: all('audit_log.view_org'),
    worker: ['update'],
    insert: 'nobody',
    update: 'nobody',
    delete: 'nobody',
  },
  impersonations: {
    row: inClinic,
    fresh: (of) => `(organization_id, patient_id, principal_id, hash, expires_at)
      values ('${of.id}', '${of.patient}', current_app_principal_id(), '\\x01', now())`,
    set: 'expires_at = now()',
    worker: ['select', 'delete'],
    select: 'nobody',
    insert: all('patients.impersonate'),
    update: 'nobody',
    delete: 'nobody',
  },
}
