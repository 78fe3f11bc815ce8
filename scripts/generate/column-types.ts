/** Contract types of JSON columns. A contract says what is inside; the compiler then checks queries against it. */
export const JSON_COLUMNS: Readonly<Record<string, string>> = {
  'appointments.custom_fields': 'ProfileValues',
  'automation_rule_versions.definition': 'AutomationDefinition',
  'automation_rules.actions': "AutomationRule['actions']",
  'automation_rules.conditions': "AutomationRule['conditions']",
  'consent_purposes.translations': 'PurposeTranslations',
  'automation_rules.trigger_filter': "AutomationRule['trigger']['filter']",
  'consent_purpose_versions.body_translations': "ConsentPurposeVersion['body_translations']",
  'custom_field_versions.fields_snapshot': "CustomFieldVersion['fields']",
  'exercise_contraindications.translations': "Contraindication['translations']",
  'exercise_instructions.translations': "Instruction['translations']",
  'exercise_pose_configs.config': "PoseConfigVersion['config']",
  'exercise_prerequisites.translations': "Prerequisite['translations']",
  'exercises.default_dose': "Exercise['default_dose']",
  'exercises.translations': "Exercise['translations']",
  'form_template_versions.fields': "FormTemplateVersion['fields']",
  'form_template_versions.translations': "FormTemplateVersion['translations']",
  'form_templates.fields': "FormTemplate['fields']",
  'form_templates.translations': "FormTemplate['translations']",
  'forms.consent_purposes': "Form['consent_purposes']",
  'forms.fields': "Form['fields']",
  'forms.translations': "Form['translations']",
  'forms.values': "Form['values']",
  'locations.address': "Location['address']",
  'organizations.address': "Organization['address']",
  'pdf_template_versions.blocks': "PdfTemplate['blocks']",
  'pdf_templates.blocks': "PdfTemplate['blocks']",
  'patients.address': "Patient['address']",
  'saved_views.views': 'SavedView[]',
  'privacy_notice_templates.body_with_placeholders': "PrivacyNoticeTemplate['body_with_placeholders']",
  'privacy_notice_templates.placeholders': "PrivacyNoticeTemplate['placeholders']",
  'privacy_notice_templates.toggleable_sections': "PrivacyNoticeTemplate['toggleable_sections']",
  'privacy_notices.assembled_body': "PrivacyNoticeTemplate['body_with_placeholders']",
  'privacy_notices.draft_included_sections': "PrivacyNoticeDraft['included_sections']",
  'privacy_notices.draft_placeholder_values': "PrivacyNoticeDraft['placeholder_values']",
  'privacy_notices.included_sections': "PrivacyNoticeDraft['included_sections']",
  'privacy_notices.placeholder_values': "PrivacyNoticeDraft['placeholder_values']",
  'segment_versions.rules': "SegmentVersion['rules']",
  'segments.rules': "Segment['rules']",
  'services.translations': "Service['translations']",
  'session_exercises.safety': 'SafetyFinding[]',
  'session_run_events.data': "ExerciseEvent['data']",
  'taxonomy_tags.translations': "TaxonomyTag['translations']",
}

/** Columns with a check constraint that lists the allowed texts. */
export const TEXT_CHOICES = `
  select c.relname as "table", a.attname as "column", pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
  where k.contype = 'c' and c.relnamespace = 'public'::regnamespace and cardinality(k.conkey) = 1
    and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^]]*\\]\\)\\)\\)$'
  order by 1, 2`

export interface TextChoice {
  table: string
  column: string
  definition: string
}

/** Narrows the generated types: texts to the choices of their check constraint, JSON to its contract. */
export function narrowColumns(generated: string, choices: readonly TextChoice[]): string {
  const tables = new Map([...generated.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, table, type]) => [type, table]))
  const texts = new Map(
    choices.map(({ table, column, definition }) => [
      `${table}.${column}`,
      [...definition.matchAll(/'([^']*)'::text/g)].map(([, text]) => `'${text}'`).join(' | '),
    ]),
  )
  const used = new Set<string>()
  const narrowed = generated.replace(/^export interface (\w+) \{\n[\s\S]*?^\}$/gm, (block, type: string) =>
    block.replace(/^ {2}(\w+): (.*);$/gm, (line, column: string, old: string) => {
      const name = `${tables.get(type)}.${column}`
      const choice = texts.get(name)
      const contract = JSON_COLUMNS[name]
      if (contract) used.add(name)
      if (choice) return `  ${column}: ${old.replace(/\bstring\b/, choice)};`
      if (contract) return `  ${column}: ${old.replace(/\bJson\b/, `JsonOf<NonNullable<${contract}>>`)};`
      return line
    }),
  )
  const unknown = Object.keys(JSON_COLUMNS).filter((name) => !used.has(name))
  if (unknown.length > 0) throw new Error(`There is no column ${unknown.join(', ')}.`)
  const contracts = new Set(Object.values(JSON_COLUMNS).map((type) => /^\w+/.exec(type)?.[0] ?? ''))
  return narrowed
    .replace(
      /^import type \{ ColumnType \} from "kysely";$/m,
      `import type { ${[...contracts].sort().join(', ')} } from '@tendon/contracts'\n$&`,
    )
    .replace(
      /^export interface /m,
      `/** Read as the contract says; written as that, or as its JSON text. */
export type JsonOf<Contract> = ColumnType<Contract, Contract | string, Contract | string>;

$&`,
    )
}
