import type { Cases } from './case.ts'
import { CONNECTION_CASES } from './connections.cases.ts'
import { CORE_CASES } from './core.cases.ts'
import { CUSTOM_FIELD_CASES } from './custom-fields.cases.ts'
import { DOCUMENT_CASES } from './documents.cases.ts'
import { EXERCISE_CASES } from './exercises.cases.ts'
import { FORM_CASES } from './forms.cases.ts'
import { PATIENT_CASES } from './patients.cases.ts'
import { SCHEDULING_CASES } from './scheduling.cases.ts'
import { SEGMENT_CASES } from './segments.cases.ts'
import { SESSION_RUN_CASES } from './session-runs.cases.ts'
import { SETTINGS_CASES } from './settings.cases.ts'
import { SPECIALIST_CASES } from './specialists.cases.ts'
import { TAXONOMY_CASES } from './taxonomy.cases.ts'
import { TELEMETRY_CASES } from './telemetry.cases.ts'
import { TREATMENT_PLAN_CASES } from './treatment-plans.cases.ts'
import { UPLOAD_CASES } from './uploads.cases.ts'

export { type Case, inClinic, OPERATIONS, type Operation, type Right } from './case.ts'

/** Table × operation → who may. Others get no rows, or a refusal for writes. */
export const CASES: Cases = {
  ...EXERCISE_CASES,
  ...CONNECTION_CASES,
  ...CORE_CASES,
  ...CUSTOM_FIELD_CASES,
  ...DOCUMENT_CASES,
  ...FORM_CASES,
  ...PATIENT_CASES,
  ...SCHEDULING_CASES,
  ...SEGMENT_CASES,
  ...SESSION_RUN_CASES,
  ...SETTINGS_CASES,
  ...SPECIALIST_CASES,
  ...TAXONOMY_CASES,
  ...TELEMETRY_CASES,
  ...TREATMENT_PLAN_CASES,
  ...UPLOAD_CASES,
}

/** Tables without an organization: the restricted logins read some, and write none. */
export const PLATFORM_TABLES: Record<string, 'read' | 'refused'> = {
  plans: 'read',
  permissions: 'read',
  consent_purposes: 'read',
  privacy_notice_templates: 'read',
  audit_seals: 'read',
  audit_seal_entries: 'read',
  exercise_outcomes: 'refused',
  integration_services: 'read',
  mail_suppressions: 'refused',
  platform_service_providers: 'refused',
  identities: 'refused',
  platform_memberships: 'refused',
  migrations: 'refused',
  function_files: 'refused',
  web_sessions: 'refused',
}
