import { all, any, type Cases, inClinic } from './case.ts'

const MANAGE = all('form_templates.manage')
const SEE_TEMPLATES = any('form_templates.manage', 'forms.create', 'forms.view_org')

// What is changed or deleted must also be seen.
export const FORM_CASES: Cases = {
  form_templates: {
    row: (of) => `id = '${of.formTemplate}'`,
    fresh: (of) => `(organization_id, title, type, fields) values ('${of.id}', 'New', 'survey', '[]')`,
    set: `title = 'Other'`,
    select: SEE_TEMPLATES,
    insert: MANAGE,
    update: MANAGE,
    delete: 'nobody',
  },
  form_template_versions: {
    row: inClinic,
    fresh: (of) => `(organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
      values ('${of.id}', '${of.formTemplate}', 2, 'New', 'survey', '[]', '{}', '{}')`,
    set: 'version = 3',
    select: SEE_TEMPLATES,
    insert: MANAGE,
    update: 'nobody',
    delete: 'nobody',
  },
  forms: {
    row: (of) => `id = '${of.form}'`,
    fresh: (of) => `(organization_id, form_template_id, template_version, patient_profile_id, title, type, fields)
      values ('${of.id}', '${of.formTemplate}', 1, '${of.profile}', 'New', 'survey', '[]')`,
    set: `values = '{"field_a": 1}'`,
    select: all('forms.view_org'),
    insert: all('forms.create'),
    update: all('forms.view_org', 'forms.fill_org'),
    delete: all('forms.view_org', 'forms.delete'),
  },
  form_files: {
    row: inClinic,
    fresh: (of) => `(organization_id, form_id, patient_profile_id, field_key, object_key, name, size, mime, sha256)
      values ('${of.id}', '${of.form}', '${of.profile}', 'field_new', 'form-files/new.pdf', 'n.pdf', 1, 'application/pdf', '\\x00')`,
    set: `name = 'other.pdf'`,
    select: all('forms.view_org'),
    insert: all('forms.fill_org'),
    update: all('forms.view_org', 'forms.fill_org'),
    delete: all('forms.view_org', 'forms.fill_org'),
  },
}
