import type { AutomationDefinition, AutomationExecution } from '@tendon/contracts'
import { asService, type RowOf, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Occurrence } from './start-queries.ts'

type Data = Readonly<Record<string, unknown>>

export interface Running
  extends RowOf<
      'automation_executions',
      | 'id'
      | 'organization_id'
      | 'rule_id'
      | 'event_id'
      | 'event'
      | 'status'
      | 'skip_reason'
      | 'patient_profile_id'
      | 'progressed_at'
    >,
    RowOf<'automation_rules', 'is_active' | 'switched_on_at'> {
  data: Data | null
  definition: AutomationDefinition
}

/**
 * Locks the execution, so that no other worker runs the same step, and its rule, so that it is not switched off meanwhile:
 * the rule first, as everywhere. What this transaction publishes from here on carries the rule as a cause.
 */
export async function findRunningForUpdate(tx: TenantTx, id: string): Promise<Running | undefined> {
  const { rows } = await sql<Running>`
    with rule as materialized (
      select r.id, r.is_active, r.switched_on_at from automation_rules r
      where r.id = (select o.rule_id from automation_executions o where o.id = ${id}) for share)
    select e.id, e.organization_id, e.rule_id, e.event_id, e.event, e.data, e.status, e.skip_reason, e.patient_profile_id,
      e.progressed_at, v.definition, rule.is_active, rule.switched_on_at,
      set_config('app.automation_rule_ids', (e.cause_rule_ids || e.rule_id)::text, true) as causes
    from rule join automation_executions e on e.rule_id = rule.id
    join automation_rule_versions v on v.organization_id = e.organization_id
      and v.rule_id = e.rule_id and v.version = e.rule_version
    where e.id = ${id} and e.status in ('queued', 'running', 'paused') for no key update of e`.execute(tx)
  return rows[0]
}

export interface Step {
  index: number
  status: AutomationExecution['steps'][number]['status']
  attempts: number
}

export function listSteps(tx: TenantTx, executionId: string): Promise<Step[]> {
  return tx
    .selectFrom('automation_steps')
    .select(['index', 'status', 'attempts'])
    .where('execution_id', '=', executionId)
    .orderBy('index')
    .execute()
}

interface StepRow {
  index: number
  type: string
  status: Step['status']
  attempts: number
  error?: string | null
  finished_at: string | null
}

export async function saveStep(tx: TenantTx, executionId: string, step: StepRow): Promise<void> {
  const { status, attempts, error = null, finished_at } = step
  await tx
    .insertInto('automation_steps')
    .values({ execution_id: executionId, ...step, error })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'execution_id', 'index'])
        .doUpdateSet({ status, attempts, error, finished_at }),
    )
    .execute()
}

export async function updateExecution(
  tx: TenantTx,
  id: string,
  changes: {
    status: AutomationExecution['status']
    skip_reason?: AutomationExecution['skip_reason']
    started_at?: string
    finished_at?: string
    progressed_at: string
  },
): Promise<void> {
  await tx.updateTable('automation_executions').set(changes).where('id', '=', id).execute()
}

export interface ContextRow {
  time_zone: string
  clinic_name: string
  language_code: string
  patient_id: string | null
  patient_first_name: string | null
  patient_last_name: string | null
  patient_email: string | null
  patient_language: string | null
  patient_sex: string | null
  patient_birth_date: string | null
  restricted: boolean
  marketing: boolean
  appointment_starts_at: string | null
  appointment_starts_on: string | null
  appointment_status: string | null
  appointment_mode: string | null
}

/** The current data that conditions and texts read. */
export async function readContext(
  tx: TenantTx,
  profileId: string | null,
  appointmentId: string | null,
): Promise<ContextRow> {
  const { rows } = await sql<ContextRow>`
    select o.time_zone, o.name as clinic_name, o.language_code, p.id as patient_id, p.first_name as patient_first_name,
      p.last_name as patient_last_name, p.email::text as patient_email, p.language_code as patient_language,
      p.sex as patient_sex, p.birth_date::text as patient_birth_date,
      coalesce(p.restricted_at is not null or p.erased_at is not null or p.deleted_at is not null, false) as restricted,
      exists (select 1 from consents c where c.organization_id = o.id and c.patient_profile_id = ${profileId}::uuid
        and c.purpose_code = 'marketing_email' and c.withdrawn_at is null) as marketing,
      a.starts_at as appointment_starts_at, (a.starts_at at time zone o.time_zone)::date::text as appointment_starts_on,
      a.status as appointment_status, a.mode as appointment_mode
    from organizations o
    left join patients p on p.organization_id = o.id and p.patient_profile_id = ${profileId}::uuid
    left join appointments a on a.organization_id = o.id and a.id = ${appointmentId}::uuid
    where o.id = (select current_app_org_id())`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('no organization')
  return row
}

/** The profile of the clinic's patient that an event is about. */
export async function findProfileOf(
  tx: TenantTx,
  { patientId, patientProfileId }: Pick<Occurrence, 'patientId' | 'patientProfileId'>,
): Promise<string | null> {
  if (patientId === null) return patientProfileId
  const found = tx.selectFrom('patients').select('patient_profile_id').where('id', '=', patientId)
  return (await found.executeTakeFirst())?.patient_profile_id ?? patientProfileId
}

export interface Member extends RowOf<'humans', 'preferred_language'> {
  to_address: string
}

export async function listMembersWith(tx: TenantTx, permission: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select distinct h.email::text as to_address, h.preferred_language
    from organization_memberships m
    join humans h on h.id = m.principal_id and h.email_verified
    join role_permissions p on p.role_id = m.role_id and p.permission_code = ${permission}
    where m.organization_id = (select current_app_org_id())`.execute(tx)
  return rows
}

export async function findClinicLanguage(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ language_code: string }>`
    select language_code from organizations where id = (select current_app_org_id())`.execute(tx)
  return rows[0]?.language_code ?? 'en'
}

export interface StoredEvent {
  id: string
  type: string
  payload: Record<string, string>
  occurred_at: string
  automation_rule_ids: string[]
}

export interface SimulatedRange {
  types: string[]
  since: string
  patient: { id: string; patient_profile_id: string } | undefined
  limit: number
}

/** What the route that simulates declares. */
export const READING_EVENTS = {
  codes: ['automations.manage'],
  why: 'Members cannot read events. Who manages automations gets the ids of those that a rule runs for.',
}

/** The newest, optionally only those about a patient. */
export async function listEventsToSimulate(tx: TenantTx, { types, since, patient, limit }: SimulatedRange) {
  const isAbout = patient
    ? sql`payload ->> 'patient_id' = ${patient.id} or payload ->> 'patient_profile_id' = ${patient.patient_profile_id}`
    : sql`true`
  const { rows } = await asService(tx, READING_EVENTS.codes, (own) =>
    sql<StoredEvent>`
      select id, type, payload, occurred_at, automation_rule_ids from outbox_events
      where organization_id = (select current_app_org_id()) and type = any (${types}::text[])
        and occurred_at >= ${since}::timestamptz and (${isAbout})
      order by occurred_at desc limit ${limit}`.execute(own),
  )
  return rows
}

/** Deletes old executions of all clinics. */
export async function deleteOldExecutions(tx: TenantTx, now: Date): Promise<void> {
  await sql`select delete_old_automation_executions(${now.toISOString()})`.execute(tx)
}

/** Executions of all clinics. */
export async function listStalled(tx: TenantTx, before: Date, limit: number) {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    select * from list_stalled_automation_executions(${before.toISOString()}, ${limit})`.execute(tx)
  return rows
}
