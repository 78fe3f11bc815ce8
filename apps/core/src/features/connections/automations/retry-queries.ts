import type { AutomationExecution } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { RUN_JOB } from './run-job.ts'

/**
 * Inserts an execution of the same event for each of these and adds its job. The delay of the rule counts from the event,
 * also for a retry: one that has not passed yet still delays it.
 */
export async function insertRetries(tx: TenantTx, ids: readonly string[], now: Date): Promise<string[]> {
  const at = now.toISOString()
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into automation_executions (rule_id, rule_version, event_id, event, data, patient_profile_id, cause_rule_ids,
        retried_from_id, progressed_at)
      select e.rule_id, e.rule_version, e.event_id, e.event, e.data, e.patient_profile_id, e.cause_rule_ids, e.id,
        greatest(${at}::timestamptz, coalesce(o.created_at, e.created_at)
          + make_interval(mins => (v.definition ->> 'delay_minutes')::integer))
      from automation_executions e
      join automation_rule_versions v on v.organization_id = e.organization_id and v.rule_id = e.rule_id
        and v.version = e.rule_version
      left join automation_executions o on o.rule_id = e.rule_id and o.event_id = e.event_id and o.retried_from_id is null
      where e.id = any (${[...ids]}::uuid[])
      returning id, progressed_at
    )
    select added.id, add_job(${RUN_JOB}, jsonb_build_object('execution_id', added.id), added.id::text,
      added.progressed_at, null) from added`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Copies the steps that succeeded or were skipped to a retry, so that it continues after them. */
export async function copySteps(tx: TenantTx, from: string, to: string): Promise<void> {
  await sql`
    insert into automation_steps (execution_id, index, type, status, attempts, error, started_at, finished_at)
    select ${to}::uuid, s.index, s.type, s.status, s.attempts, s.error, s.started_at, s.finished_at from automation_steps s
    where s.execution_id = ${from} and s.status in ('succeeded', 'skipped')`.execute(tx)
}

/** The statuses of other retries of the event: of this execution, of those it retries, and of their retries. */
export async function listRetryStatuses(tx: TenantTx, id: string): Promise<AutomationExecution['status'][]> {
  const { rows } = await sql<{ status: AutomationExecution['status'] }>`
    with recursive up as (
      select e.id, e.retried_from_id from automation_executions e where e.id = ${id}
      union all
      select e.id, e.retried_from_id from up join automation_executions e on e.id = up.retried_from_id
    ),
    family as (
      select up.id from up
      union
      select e.id from family join automation_executions e
        on e.organization_id = (select current_app_org_id()) and e.retried_from_id = family.id
    )
    select distinct e.status from family join automation_executions e on e.id = family.id
    where family.id not in (select up.id from up)`.execute(tx)
  return rows.map(({ status }) => status)
}
