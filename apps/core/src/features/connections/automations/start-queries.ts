import type { AutomationDefinition } from '@tendon/contracts'
import { CLINIC, type RowOf, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { MAX_EXECUTIONS_PER_HOUR, type Usage } from './quota-rules.ts'

type Data = Readonly<Record<string, unknown>>

export interface TriggeredRule extends RowOf<'automation_rules', 'id' | 'name' | 'version' | 'delay_minutes'> {
  trigger: AutomationDefinition['trigger']
}

/** Lists the active rules that an event triggers. */
export async function listTriggered(tx: TenantTx, event: string): Promise<TriggeredRule[]> {
  const { rows } = await sql<TriggeredRule>`
    select r.id, r.name, r.version, r.delay_minutes,
      jsonb_strip_nulls(jsonb_build_object('event', r.trigger_event, 'filter', r.trigger_filter)) as trigger
    from automation_rules r
    where r.organization_id = (select current_app_org_id()) and r.is_active and r.trigger_event = ${event} order by r.id`.execute(
    tx,
  )
  return rows
}

export interface Occurrence {
  event_id: string
  event: string
  data: Data
  /** The rules whose actions caused the event. */
  causes: readonly string[]
  patientId: string | null
  patientProfileId: string | null
  now: Date
}

/**
 * Who starts executions of the clinic waits here for others who do, so that they do not pass the quota together. Taken
 * before the executions are locked.
 */
export async function lockQuota(tx: TenantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('automation_quota ' || current_app_org_id()::text, 0))`.execute(
    tx,
  )
}

/** What the rules of the clinic have started in the last hour. */
export async function readUsage(tx: TenantTx, now: Date): Promise<Usage[]> {
  const { rows } = await sql<Usage>`
    select e.rule_id, e.event, count(*)::integer as count from (
      select e.rule_id, e.event from automation_executions e where e.organization_id = (select current_app_org_id())
        and e.created_at > ${now.toISOString()}::timestamptz - interval '1 hour' and e.skip_reason is null
      limit ${MAX_EXECUTIONS_PER_HOUR}) e
    group by e.rule_id, e.event`.execute(tx)
  return rows
}

interface NewExecution {
  rule_id: string
  version: number
  due_at: string
  skip_reason: 'loop' | 'quota' | null
}

/** One execution for each rule and event; a repeated event inserts nothing. */
export async function insertExecutions(
  tx: TenantTx,
  executions: readonly NewExecution[],
  { event_id, event, data, causes, patientId, patientProfileId, now }: Occurrence,
): Promise<(Pick<NewExecution, 'rule_id' | 'due_at' | 'skip_reason'> & { id: string })[]> {
  const { rows } = await sql<Pick<NewExecution, 'rule_id' | 'due_at' | 'skip_reason'> & { id: string }>`
    with patient as (
      select p.patient_profile_id from patients p where p.organization_id = (select current_app_org_id())
        and (p.id = ${patientId}::uuid or p.patient_profile_id = ${patientProfileId}::uuid) limit 1
    )
    insert into automation_executions (rule_id, rule_version, event_id, event, data, cause_rule_ids, patient_profile_id, status,
      skip_reason, progressed_at, created_at)
    select n.rule_id, n.version, ${event_id}::uuid, ${event}, ${JSON.stringify(data)}::jsonb, ${[...causes]}::uuid[],
      (select patient_profile_id from patient), 'queued', n.skip_reason, n.due_at, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(executions)}::jsonb)
      as n (rule_id uuid, version integer, due_at timestamptz, skip_reason text)
    on conflict (rule_id, event_id) where retried_from_id is null do nothing
    returning id, rule_id, skip_reason, progressed_at as due_at`.execute(tx)
  return rows
}

/** Whether a mail of this template was written for the clinic in the last hour. */
export async function wasMailed(tx: TenantTx, template: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - 3_600_000)
  const found = await tx
    .selectFrom('mail_outbox')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('template', '=', template)
    .where('created_at', '>', since.toISOString())
    .executeTakeFirst()
  return found !== undefined
}
