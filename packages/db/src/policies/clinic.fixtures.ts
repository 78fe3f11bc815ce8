import { randomBytes, randomUUID } from 'node:crypto'
import type { TestDatabase } from '@tendon/testing'
import { createFields } from './custom-fields.fixtures.ts'
import { createDeleted } from './deleted.fixtures.ts'
import { createDocuments } from './documents.fixtures.ts'
import { createExercises } from './exercises.fixtures.ts'
import { createForms } from './forms.fixtures.ts'
import { createScheduling } from './scheduling.fixtures.ts'
import { createSegments } from './segments.fixtures.ts'
import { createSessionRuns } from './session-runs.fixtures.ts'
import { createSpecialist } from './specialists.fixtures.ts'
import { createRuns } from './telemetry.fixtures.ts'
import { createPlans } from './treatment-plans.fixtures.ts'
import { createAutomations, createWebhooks } from './webhooks.fixtures.ts'

type Query = TestDatabase['query']
type Insert = (text: string, values: unknown[]) => Promise<string>

/** An organization with one row in every table that belongs to organizations. */
export interface Clinic {
  id: string
  /** A custom role that somebody has, and one that nobody has. */
  role: string
  spareRole: string
  /** Members, and principals that are not members; the spare human is the patient. */
  human: string
  service: string
  spareHuman: string
  spareService: string
  location: string
  deletedLocation: string
  auditKey: string
  /** An integration that is being connected. */
  integration: string
  /** A webhook with a delivery, and an event without a delivery. */
  webhook: string
  webhookDelivery: string
  spareWebhookEvent: string
  /** An automation rule with an execution. */
  rule: string
  execution: string
  /** A profile with a patient record, and one without. */
  profile: string
  patient: string
  spareProfile: string
  /** The version of a template of privacy notices. */
  template: number
  /** The manifests of two runs of the patient, one with everything that telemetry keeps. */
  run: string
  spareRun: string
  /** A specialist with a specialty, and a specialty that nobody has. */
  specialist: string
  spareSpecialty: string
  /** A category of exercises. */
  tag: string
  /** A published exercise with everything, and one with nothing. */
  exercise: string
  spareExercise: string
  /** A condition that is a contraindication of the exercise, and one that is not. */
  condition: string
  spareCondition: string
  program: string
  /** A draft without sessions, and an active plan: a session with an exercise and one without. */
  plan: string
  givenPlan: string
  session: string
  emptySession: string
  sessionExercise: string
  /** A session of the active plan with an exercise, and a run of it in progress. */
  runSession: string
  runExercise: string
  sessionRun: string
  /** A field of patients that the patient has a value of, and one without. */
  field: string
  spareField: string
  /** A template with a version, and a form with a file. */
  formTemplate: string
  form: string
  /** A segment with everything, and one with nothing. */
  segment: string
  spareSegment: string
  /** A service with everything, and rows of scheduling without links. */
  offered: string
  otherService: string
  spareProduct: string
  spareCalendar: string
  servicePlan: string
  visit: string
  spareVisit: string
  /** A template of documents with a version; the visit has a document of it. */
  pdfTemplate: string
}

export async function createClinic(database: TestDatabase): Promise<Clinic> {
  const query: Query = (text, values) => database.query(text, values)
  const insert: Insert = async (text, values) => {
    const [row] = await query<{ id: string }>(`insert into ${text} returning id`, values)
    if (!row) throw new Error(`nothing was inserted: ${text}`)
    return row.id
  }
  const id = await insert(`organizations (name, slug) values ('Clinic', $1)`, [`clinic-${randomUUID()}`])
  const newRole = (code: string) => insert(`roles (organization_id, code, name) values ($1, $2, $2)`, [id, code])
  const [role, spareRole] = await Promise.all([newRole('busy'), newRole('spare')])
  await query(
    `insert into role_permissions (organization_id, role_id, permission_code) values ($1, $2, 'data.view_deleted')`,
    [id, spareRole],
  )

  const newHuman = async () => {
    const human = await insert(`principals (kind) values ('human')`, [])
    await query(`insert into humans (id, name, email, linked_at) values ($1, 'Ana', $2, now())`, [
      human,
      `${human}@mail.example`,
    ])
    return human
  }
  const newService = () => insert(`principals (kind, organization_id) values ('service', $1)`, [id])
  const [human, spareHuman] = await Promise.all([newHuman(), newHuman()])
  const [service, spareService] = await Promise.all([newService(), newService()])
  await query(`insert into service_accounts (id, organization_id, name) values ($1, $2, 'Robot')`, [service, id])
  await query(
    `insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $4, now()), ($1, $3, $4, now())`,
    [id, human, service, role],
  )
  await query(
    `insert into api_keys (organization_id, service_account_id, name, prefix, hash) values ($1, $2, 'Key', 'tk_', $3)`,
    [id, service, randomBytes(32)],
  )

  await query(
    `insert into organization_domains (organization_id, domain, challenge) values ($1, 'clinic.example', 'c')`,
    [id],
  )
  const location = await insert(`locations (organization_id, name) values ($1, 'Open')`, [id])
  const deletedLocation = await insert(`locations (organization_id, name, deleted_at) values ($1, 'Closed', now())`, [
    id,
  ])
  await query(
    `insert into unclaimed_objects (object_key, organization_id, delete_after) values ('tests/' || $1::text, $1::uuid, now())`,
    [id],
  )
  await query(`insert into organization_usage (organization_id, name) values ($1, 'max_specialists')`, [id])

  const tag = await insert(`taxonomy_tags (organization_id, axis, slug, name) values ($1, 'category', 'own', 'Own')`, [
    id,
  ])

  const auditKey = await insert(`audit_keys (id, organization_id, wrapped_key) values ($1, $2, '\\x00')`, [
    randomUUID(),
    id,
  ])
  await query(
    `insert into audit_log (id, organization_id, actor_type, action, crud, target_type, key_id, personal)
     values ($1, $2, 'system', 'a.b', 'C', 'thing', $3, '\\x00')`,
    [randomUUID(), id, auditKey],
  )
  await query(`insert into outbox_events (organization_id, type, payload) values ($1, 'a.b', '{}')`, [id])
  await query(
    `insert into mail_outbox (organization_id, to_address, template, language, data) values ($1, 'a@mail.example', 't', 'en', '{}')`,
    [id],
  )
  await query(
    `insert into idempotency_keys (organization_id, path, key, principal_id, fingerprint) values ($1, '/v1/x', 'first', $2, '\\x00')`,
    [id, human],
  )
  const integration = await insert(
    `organization_integrations (organization_id, service_slug, status, title) values ($1, 'smtp', 'pending', 'First')`,
    [id],
  )
  const ofIntegration = [id, integration]
  await query(
    `insert into integration_events (organization_id, integration_id, to_status, reason) values ($1, $2, 'pending', 'test')`,
    ofIntegration,
  )
  await query(
    `insert into integration_messages (organization_id, integration_id, body_encrypted) values ($1, $2, '\\x00')`,
    ofIntegration,
  )
  await query(
    `insert into oauth_states (organization_id, integration_id, state_hash, principal_id, cookie_hash, verifier_encrypted,
       redirect_uri, return_path, expires_at) values ($1, $2, decode(md5($3), 'hex'), $4, '\\x00', '\\x00', '', '/', now())`,
    [...ofIntegration, randomUUID(), human],
  )
  const webhooks = await createWebhooks(query, insert, id)
  const people = {
    human,
    spareHuman,
    service,
    spareService,
    ...(await createPatient(query, insert, { id, human, spareHuman })),
  }
  const directory = await createSpecialist(query, insert, id)
  const fields = await createFields(query, id, people.patient)
  const forms = await createForms(query, { id, profile: people.profile, human })
  const segments = await createSegments(query, id, people.patient)
  const library = await createExercises(query, insert, { id, tag, human })
  const plans = await createPlans(query, { id, profile: people.profile, ...library })
  const sessionRuns = await createSessionRuns(query, { id, profile: people.profile, ...library, ...plans })
  const runs = await createRuns(query, id, people.profile)
  const scheduling = await createScheduling(query, {
    id,
    profile: people.profile,
    patient: people.patient,
    specialist: directory.specialist,
    location,
    spareHuman,
  })
  await createDeleted(query, id)
  return {
    id,
    role,
    spareRole,
    location,
    deletedLocation,
    auditKey,
    integration,
    tag,
    ...webhooks,
    ...(await createAutomations(query, insert, id)),
    ...people,
    ...directory,
    ...fields,
    ...forms,
    ...library,
    ...plans,
    ...segments,
    ...scheduling,
    ...(await createDocuments(query, { id, profile: people.profile, visit: scheduling.visit })),
    ...sessionRuns,
    ...runs,
  }
}

async function createPatient(
  query: Query,
  insert: Insert,
  { id, human, spareHuman }: Pick<Clinic, 'id' | 'human' | 'spareHuman'>,
) {
  const newProfile = () => insert('patient_profiles (organization_id) values ($1)', [id])
  const [profile, spareProfile] = await Promise.all([newProfile(), newProfile()])
  await query('update patient_profiles set human_id = $2, claimed_at = now() where id = $1', [profile, spareHuman])
  const patient = await insert(
    `patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Maria', 'Pop')`,
    [id, profile],
  )
  await query(
    `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
     values ($1, $2, 'analytics', 1, 'self_toggle')`,
    [id, profile],
  )
  await query(
    `insert into consent_purpose_versions (organization_id, purpose_code, version, body_translations) values ($1, 'analytics', 1, '{}')`,
    [id],
  )
  const template = 999
  await query(
    `insert into privacy_notice_templates (version, body_with_placeholders, placeholders, toggleable_sections)
     values ($1, '{}', '[]', '[]') on conflict do nothing`,
    [template],
  )
  await query('insert into privacy_notices (organization_id, draft_template_version) values ($1, $2)', [id, template])
  await query(
    `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, status) values ($1, 'erase', $2, $3, 'completed')`,
    [id, patient, profile],
  )
  await query(
    `insert into break_glass_grants (principal_id, organization_id, reason, expires_at) values ($1, $2, repeat('why ', 10), now())`,
    [human, id],
  )
  await query(
    `insert into impersonations (organization_id, patient_id, principal_id, hash, expires_at) values ($1, $2, $3, $4, now())`,
    [id, patient, human, randomBytes(32)],
  )
  return { profile, spareProfile, patient, template }
}
