import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { RUN_JOB } from './run-job.ts'

export type Skipped = RowOf<'automation_executions', 'id' | 'rule_id' | 'rule_version' | 'event'>

interface CreatedRange {
  since?: string | undefined
  until?: string | undefined
}

const skippedByQuota = (ruleId: string, { since, until }: CreatedRange) => sql`
  e.rule_id = ${ruleId} and e.status = 'skipped' and e.skip_reason = 'quota'
  and (${since ?? null}::timestamptz is null or e.created_at >= ${since ?? null}::timestamptz)
  and (${until ?? null}::timestamptz is null or e.created_at <= ${until ?? null}::timestamptz)
  and not exists (select 1 from automation_executions r
    where r.organization_id = e.organization_id and r.retried_from_id = e.id)`

/** Locks the oldest executions of a rule that the quota skipped and that were not retried. */
export async function listSkippedForUpdate(
  tx: TenantTx,
  ruleId: string,
  range: CreatedRange,
  limit: number,
): Promise<Skipped[]> {
  const { rows } = await sql<Skipped>`
    select e.id, e.rule_id, e.rule_version, e.event from automation_executions e
    where ${skippedByQuota(ruleId, range)} order by e.created_at, e.id limit ${limit} for no key update`.execute(tx)
  return rows
}

export async function countSkipped(tx: TenantTx, ruleId: string, range: CreatedRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from automation_executions e where ${skippedByQuota(ruleId, range)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Ends the oldest executions of a rule that have not ended, and publishes their end. */
export async function cancelExecutions(tx: TenantTx, ruleId: string, now: Date, limit: number): Promise<number> {
  const at = now.toISOString()
  const { rows } = await sql`
    with open as (
      select e.id from automation_executions e
      where e.rule_id = ${ruleId} and e.status in ('queued', 'running', 'paused')
      order by e.created_at, e.id limit ${limit} for no key update
    ),
    ended as (
      update automation_executions e set status = 'canceled', finished_at = ${at}::timestamptz, progressed_at = ${at}::timestamptz
      from open where e.id = open.id returning e.id, e.rule_id
    ),
    published as (
      insert into outbox_events (type, payload)
      select 'automation.execution_finished',
        jsonb_build_object('execution_id', ended.id, 'rule_id', ended.rule_id, 'status', 'canceled')
      from ended
    )
    select 1 from ended`.execute(tx)
  return rows.length
}

export async function countOpen(tx: TenantTx, ruleId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from automation_executions e
    where e.rule_id = ${ruleId} and e.status in ('queued', 'running', 'paused')`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Adds jobs for the executions that were due while the rule was switched off. */
export async function resumeExecutions(tx: TenantTx, ruleId: string, now: Date): Promise<void> {
  await sql`
    select ${addRunJob} from automation_executions added
    where added.rule_id = ${ruleId} and added.status in ('queued', 'running', 'paused')
      and added.progressed_at <= ${now.toISOString()}::timestamptz`.execute(tx)
}

const addRunJob = sql`add_job(${RUN_JOB}, jsonb_build_object('execution_id', added.id), added.id::text, null, null)`
