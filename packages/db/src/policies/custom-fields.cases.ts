import { all, any, type Cases } from './case.ts'

const MANAGE = all('custom_fields.manage')
const WRITE_VALUES = any('patients.update', 'forms.fill_own', 'forms.fill_org')

export const CUSTOM_FIELD_CASES: Cases = {
  custom_fields: {
    row: (of) => `id = '${of.field}'`,
    fresh: (of) =>
      `(organization_id, entity_type, key, label, field_type) values ('${of.id}', 'patient', 'new', 'New', 'text')`,
    set: `draft = '{}'`,
    select: any(
      'custom_fields.view',
      'custom_fields.manage',
      'patients.view_org',
      'specialists.view_org',
      'specialists.manage',
      'form_templates.manage',
      'forms.create',
      'forms.fill_own',
      'forms.fill_org',
      'segments.view',
      'segments.manage',
    ),
    insert: MANAGE,
    update: MANAGE,
    delete: 'nobody',
  },
  custom_field_versions: {
    row: (of) => `custom_field_id = '${of.field}'`,
    fresh: (of) =>
      `(organization_id, custom_field_id, version, fields_snapshot) values ('${of.id}', '${of.field}', 2, '{}')`,
    set: `fields_snapshot = '{}'`,
    select: any('custom_fields.view', 'custom_fields.manage'),
    insert: 'nobody',
    update: 'nobody',
    delete: 'nobody',
  },
  custom_field_values: {
    row: (of) => `entity_id = '${of.patient}'`,
    fresh: (of) => `(organization_id, custom_field_id, entity_id, value)
      values ('${of.id}', '${of.spareField}', '${of.patient}', '"x"')`,
    set: `value = '"y"'`,
    select: any('patients.view_org', 'patients.update', 'forms.create', 'forms.fill_own', 'forms.fill_org'),
    insert: WRITE_VALUES,
    update: WRITE_VALUES,
    delete: WRITE_VALUES,
  },
}
