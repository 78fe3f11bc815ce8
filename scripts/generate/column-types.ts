/** Contract types of JSON columns. A contract says what is inside; the compiler then checks queries against it. */
export const JSON_COLUMNS: Readonly<Record<string, string>> = {
  'appointment_notices.told': 'ToldVisit',
  'appointments.before_booking': 'TimeBeforeBooking',
  'appointments.custom_fields': 'ProfileValues',
  'appointments.booker': 'Booker',
  'appointments.freed_slot': "Appointment['freed_slot']",
  'appointments.wanted': "Appointment['wanted']",
  'automation_rule_versions.definition': 'AutomationDefinition',
  'automation_rules.actions': "AutomationRule['actions']",
  'automation_rules.conditions': "AutomationRule['conditions']",
  'calendar_overrides.windows': "CalendarOverride['windows']",
  'calendars.weekly_hours': "Calendar['weekly_hours']",
  'consent_purposes.translations': 'PurposeTranslations',
  'automation_rules.trigger_filter': "AutomationRule['trigger']['filter']",
  'consent_purpose_versions.body_translations': "ConsentPurposeVersion['body_translations']",
  'custom_field_values.value': 'ProfileValue',
  'custom_field_versions.fields_snapshot': "CustomFieldVersion['fields']",
  'custom_fields.draft': 'FieldContent',
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
  'integration_services.config_schema': "IntegrationService['config_schema']",
  'integration_services.credentials_schema': "IntegrationService['credentials_schema']",
  'locations.address': "Location['address']",
  'mail_outbox.data': 'Record<string, unknown>',
  'organization_integrations.config': "Integration['config']",
  'organizations.address': "Organization['address']",
  'pdf_template_versions.blocks': "PdfTemplate['blocks']",
  'pdf_templates.blocks': "PdfTemplate['blocks']",
  'patients.address': "Patient['address']",
  'platform_service_providers.config': "PlatformServiceProvider['config']",
  'privacy_requests.result': 'ExportManifest | ErasureCertificate',
  'renders.sets': 'CompositionSet[]',
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

/** Types of columns that PostgreSQL states too loosely: of views, and of texts that a trigger or a reference checks. */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  'consent_purpose_versions.purpose_code': "ConsentPurpose['code']",
  'exercise_tags.axis': "TaxonomyTag['axis']",
  'form_template_versions.type': "FormTemplate['type']",
  'forms.type': "Form['type']",
  'integration_events.from_status': "IntegrationEvent['from_status']",
  'integration_events.to_status': "IntegrationEvent['to_status']",
  'members.created_at': 'string',
  'members.email_verified': 'boolean',
  'members.principal_id': 'string',
  'members.role': "Member['role']",
  'members.role_id': 'string',
  'members.status': "Member['status']",
  'members.type': "Member['type']",
  'members.updated_at': 'string',
  'members.user_id': 'string',
  'organizations.plan': 'Generated<Plan>',
  'pdf_template_versions.kind': "PdfTemplate['kind']",
  'pdf_template_versions.language': "PdfTemplate['language']",
  'renders.stage': 'RenderStage | null',
  'taxonomy_tags.status': "Generated<TaxonomyTag['status']>",
}

/** Check constraints that list the allowed texts of a column, or the allowed items of an array of texts. */
export const TEXT_CHOICES = `
  select c.relname as "table", pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where k.contype = 'c' and c.relnamespace = 'public'::regnamespace
    and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^]]*\\]\\)\\)\\)$|\\w+ <@ '
  order by 1, 2`

export interface TextChoice {
  table: string
  definition: string
}

/** The column and its union of texts. An array with a condition beside it (other than null) keeps its type. */
function choiceOf({ table, definition }: TextChoice): [name: string, union: string][] {
  const [, column, list = ''] = /(\w+) (?:= ANY \(|<@ )(ARRAY\[[^\]]*\]|'\{[^}]*\}')/.exec(definition) ?? []
  if (column === undefined || definition.replace(`(${column} IS NULL) OR `, '').includes(' OR ')) return []
  const texts = list.startsWith('ARRAY')
    ? [...list.matchAll(/'([^']*)'::text/g)].map(([, text]) => text)
    : list.slice(2, -2).split(',')
  return [[`${table}.${column}`, texts.map((text) => `'${text}'`).join(' | ')]]
}

/** Narrows the generated types: texts to the choices of their check constraint, JSON to its contract. */
export function narrowColumns(generated: string, choices: readonly TextChoice[]): string {
  const tables = new Map([...generated.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, table, type]) => [type, table]))
  const texts = new Map(choices.flatMap(choiceOf))
  const used = new Set<string>()
  const narrowed = generated.replace(/^export interface (\w+) \{\n[\s\S]*?^\}$/gm, (block, type: string) =>
    block.replace(/^ {2}(\w+): (.*);$/gm, (line, column: string, old: string) => {
      const name = `${tables.get(type)}.${column}`
      const choice = texts.get(name)
      const contract = JSON_COLUMNS[name]
      const written = COLUMN_TYPES[name]
      if (contract || written) used.add(name)
      if (written) return `  ${column}: ${written};`
      if (choice)
        return `  ${column}: ${old.replace(/\bstring\b(\[\])?/, (_, isArray) => (isArray ? `(${choice})[]` : choice))};`
      if (contract) return `  ${column}: ${old.replace(/\bJson\b/, `JsonOf<NonNullable<${contract}>>`)};`
      return line
    }),
  )
  const unknown = Object.keys({ ...JSON_COLUMNS, ...COLUMN_TYPES }).filter((name) => !used.has(name))
  if (unknown.length > 0) throw new Error(`There is no column ${unknown.join(', ')}.`)
  const named = Object.values({ ...JSON_COLUMNS, ...COLUMN_TYPES }).flatMap((type) => type.match(/\b[A-Z]\w+/g) ?? [])
  const contracts = new Set(named.filter((type) => type !== 'Generated' && type !== 'Record'))
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
