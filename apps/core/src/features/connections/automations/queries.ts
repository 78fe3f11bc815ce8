import {
  type AutomationDefinition,
  type AutomationExecution,
  type List,
  PLATFORM_PERMISSIONS,
  type StoredAutomationRule,
} from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'name',
  'is_active',
  'version',
  sql<
    StoredAutomationRule['trigger']
  >`jsonb_strip_nulls(jsonb_build_object('event', trigger_event, 'filter', trigger_filter))`.as('trigger'),
  'conditions',
  'actions',
  'delay_minutes',
  'created_at',
  'updated_at',
] as const

export function listRules(tx: TenantTx, list: List) {
  return readPage(tx.selectFrom('automation_rules').select(COLUMNS), list, { search: ['name'] })
}

/** Rules created at the same time wait for each other, so that they do not pass the limit together. */
export async function countRules(tx: TenantTx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('automation_rules:' || current_app_org_id()::text, 0))`.execute(
    tx,
  )
  const { count } = await tx
    .selectFrom('automation_rules')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findRule(tx: TenantTx, id: string): Promise<StoredAutomationRule | undefined> {
  return tx.selectFrom('automation_rules').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export function findRuleForUpdate(tx: TenantTx, id: string): Promise<StoredAutomationRule | undefined> {
  const found = tx.selectFrom('automation_rules').select(COLUMNS).where('id', '=', id)
  return found.forNoKeyUpdate().executeTakeFirst()
}

type RuleRow = AutomationDefinition & { is_active: boolean }

const columnsOf = ({ trigger, conditions, actions, name, delay_minutes, is_active }: RuleRow) => ({
  name,
  delay_minutes,
  is_active,
  trigger_event: trigger.event,
  trigger_filter: trigger.filter ? JSON.stringify(trigger.filter) : null,
  conditions: JSON.stringify(conditions),
  actions: JSON.stringify(actions),
})

export async function insertRule(tx: TenantTx, row: RuleRow): Promise<StoredAutomationRule> {
  const created = await tx
    .insertInto('automation_rules')
    .values(columnsOf(row))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  await insertVersion(tx, created)
  return created
}

/** `renewed`: something changes, so a version is inserted; existing executions keep their version. */
export async function updateRule(
  tx: TenantTx,
  before: StoredAutomationRule,
  row: RuleRow,
  { renewed, switchedOnAt }: { renewed: boolean; switchedOnAt: Date | undefined },
): Promise<StoredAutomationRule> {
  const after = await tx
    .updateTable('automation_rules')
    .set({
      ...columnsOf(row),
      version: before.version + (renewed ? 1 : 0),
      ...(switchedOnAt ? { switched_on_at: switchedOnAt.toISOString() } : {}),
    })
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  if (renewed) await insertVersion(tx, after)
  return after
}

export const definitionOf = ({ name, trigger, conditions, actions, delay_minutes }: AutomationDefinition) => ({
  name,
  trigger,
  conditions,
  actions,
  delay_minutes,
})

async function insertVersion(tx: TenantTx, rule: StoredAutomationRule): Promise<void> {
  await tx
    .insertInto('automation_rule_versions')
    .values({ rule_id: rule.id, version: rule.version, definition: JSON.stringify(definitionOf(rule)) })
    .execute()
}

export async function deleteRule(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('automation_rules').where('id', '=', id).execute()
}

export async function findDefinition(
  tx: TenantTx,
  ruleId: string,
  version: number,
): Promise<AutomationDefinition | undefined> {
  const found = await tx
    .selectFrom('automation_rule_versions')
    .select('definition')
    .where('rule_id', '=', ruleId)
    .where('version', '=', version)
    .executeTakeFirst()
  return found?.definition
}

export function listVersions(tx: TenantTx, ruleId: string, list: List) {
  const rows = tx
    .selectFrom('automation_rule_versions')
    .select(['version', 'definition', 'created_at'])
    .where('rule_id', '=', ruleId)
  return readPage(rows, list, { id: 'version' })
}

const EXECUTION_COLUMNS = [
  'id',
  'rule_id',
  'rule_version',
  'event_id',
  'event',
  'status',
  'skip_reason',
  'patient_profile_id',
  'started_at',
  'finished_at',
  'retried_from_id',
  sql<boolean>`status in ('queued', 'running', 'paused') and exists (select 1 from automation_rules r
    where r.organization_id = automation_executions.organization_id and r.id = automation_executions.rule_id
      and not r.is_active)`.as('is_held'),
  'created_at',
  sql<AutomationExecution['steps']>`coalesce((
    select jsonb_agg(jsonb_build_object('index', s.index, 'type', s.type, 'status', s.status, 'attempts', s.attempts,
      'error', s.error, 'started_at', to_char(s.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'finished_at', to_char(s.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by s.index)
    from automation_steps s where s.organization_id = automation_executions.organization_id
      and s.execution_id = automation_executions.id), '[]')`.as('steps'),
] as const

export function listExecutions(tx: TenantTx, list: List) {
  return readPage(tx.selectFrom('automation_executions').select(EXECUTION_COLUMNS), list)
}

export function findExecution(tx: TenantTx, id: string): Promise<AutomationExecution | undefined> {
  return tx.selectFrom('automation_executions').select(EXECUTION_COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function lockExecution(tx: TenantTx, id: string): Promise<void> {
  await tx.selectFrom('automation_executions').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Of these permissions those that a role can grant, and whether a member holds them. */
export async function listKnownPermissions(tx: TenantTx, codes: readonly string[]): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ code: string; is_held: boolean }>`
    select p.code, exists (select 1 from role_permissions g join organization_memberships m on m.role_id = g.role_id
      where m.organization_id = (select current_app_org_id()) and g.permission_code = p.code) as is_held
    from permissions p where p.code = any (${[...codes]}) and p.code <> all (${[...PLATFORM_PERMISSIONS]})`.execute(tx)
  return new Map(rows.map(({ code, is_held }) => [code, is_held]))
}
