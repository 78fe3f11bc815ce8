import { all, any, type Cases, inClinic, service } from './case.ts'

const MANAGE = all('pdf_templates.manage')
const SEE_TEMPLATES = any('pdf_templates.manage', 'documents.create')

export const DOCUMENT_CASES: Cases = {
  appointment_files: {
    row: inClinic,
    fresh: (of) => `(organization_id, appointment_id, patient_profile_id, object_key, name, size, mime, sha256)
      values ('${of.id}', '${of.visit}', '${of.profile}', 'appointment-files/new.pdf', 'n.pdf', 1, 'application/pdf', '\\x00')`,
    set: 'appointment_id = appointment_id',
    select: all('appointments.view_org'),
    insert: all('appointments.manage'),
    update: service('appointments.view_org', 'appointments.manage'),
    delete: all('appointments.view_org', 'appointments.manage'),
  },
  pdf_templates: {
    row: inClinic,
    fresh: (of) => `(organization_id, name, kind, language, blocks) values ('${of.id}', 'New', 'form', 'en', '[]')`,
    set: `name = 'Other'`,
    select: SEE_TEMPLATES,
    insert: MANAGE,
    update: MANAGE,
    delete: 'nobody',
  },
  pdf_template_versions: {
    row: inClinic,
    fresh: (of) => `(organization_id, pdf_template_id, version, name, kind, language, blocks)
      values ('${of.id}', '${of.pdfTemplate}', 2, 'New', 'form', 'en', '[]')`,
    set: 'version = 3',
    select: SEE_TEMPLATES,
    insert: MANAGE,
    update: 'nobody',
    delete: 'nobody',
  },
  appointment_documents: {
    row: inClinic,
    fresh: (
      of,
    ) => `(organization_id, kind, appointment_id, patient_profile_id, template_version, language, input_hash, object_key,
        pages, size, sha256, verification_code)
      values ('${of.id}', 'appointment_letter', '${of.visit}', '${of.profile}', 0, 'en', '\\x01', 'documents/new.pdf', 1, 1, '\\x01', 'new')`,
    set: 'pages = 2',
    select: any('documents.view_org', 'documents.create'),
    insert: all('documents.create'),
    worker: ['delete'],
    update: 'nobody',
    delete: 'nobody',
  },
}
