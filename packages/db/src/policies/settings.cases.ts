import { all, any, type Cases, inClinic, MEMBERS } from './case.ts'

const SETTINGS = all('organizations.update_settings')
const PATIENT_FACTS = any('patients.view_org', 'appointments.view_org', 'gdpr.export_data', 'gdpr.erase_data')

export const SETTINGS_CASES: Cases = {
  organization_settings: {
    row: inClinic,
    fresh: (of) => `(organization_id, brand_color) values ('${of.id}', '#112233')
      on conflict (organization_id) do update set brand_color = excluded.brand_color`,
    set: `brand_color = '#445566'`,
    select: MEMBERS,
    insert: SETTINGS,
    update: SETTINGS,
    delete: 'nobody',
  },
  clinic_images: {
    row: inClinic,
    fresh: (of) => `(organization_id, purpose, object_key, name, mime, size, width, height, sha256)
      values ('${of.id}', 'template', 'clinic-images/new.png', 'n.png', 'image/png', 1, 1, 1, '\\x00')`,
    set: 'width = 2',
    select: any('organizations.update_settings', 'documents.create', 'pdf_templates.manage', 'specialists.view_org'),
    insert: SETTINGS,
    update: 'nobody',
    delete: SETTINGS,
  },
  saved_views: {
    owner: 'human',
    row: inClinic,
    fresh: (of) => `(organization_id, principal_id, list, views) values ('${of.id}', '${of.human}', 'patients', '[]')
      on conflict (organization_id, principal_id, list) do update set views = excluded.views`,
    set: `views = '[]'`,
    select: MEMBERS,
    insert: MEMBERS,
    update: MEMBERS,
    delete: 'nobody',
  },
  attention_marks: {
    row: inClinic,
    fresh: (of) => `(organization_id, key, patient_profile_id, state, marked_at)
      values ('${of.id}', 'pain.' || gen_random_uuid(), '${of.profile}', 'done', now())`,
    set: `marked_at = now()`,
    select: PATIENT_FACTS,
    insert: PATIENT_FACTS,
    update: PATIENT_FACTS,
    delete: 'nobody',
    worker: ['delete'],
  },
}
