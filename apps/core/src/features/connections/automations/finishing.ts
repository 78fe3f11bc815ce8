import { publish, systemContext } from '@tendon/access'
import type { AutomationExecution } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { JobTools } from '../../../platform/jobs.ts'
import { findRunningForUpdate, listStalled, type Running, updateExecution } from './execution-queries.ts'
import { HELD_DAYS } from './rules.ts'

export const publishFinished = (
  tx: TenantTx,
  { id, rule_id }: Pick<Running, 'id' | 'rule_id'>,
  status: AutomationExecution['status'],
): Promise<void> => publish(tx, 'automation.execution_finished', { execution_id: id, rule_id, status })

/** Ends an execution. Writes an audit entry of the system and an event that no webhook sends. */
export async function finish(
  tx: TenantTx,
  execution: Running,
  { services, audit }: Pick<JobTools, 'services' | 'audit'>,
  status: 'succeeded' | 'failed' | 'skipped' | 'timed_out',
  skip_reason: AutomationExecution['skip_reason'] = execution.skip_reason,
): Promise<false> {
  const { id, rule_id, definition, patient_profile_id } = execution
  const at = services.now().toISOString()
  await updateExecution(tx, id, { status, skip_reason, finished_at: at, progressed_at: at })
  await audit(tx, {
    action: 'automations.execute',
    crud: 'E',
    target: { type: 'automation_rule', id: rule_id, label: definition.name },
    outcome: status === 'failed' || status === 'timed_out' ? 'failure' : 'success',
    ...(patient_profile_id === null ? {} : { patientProfileId: patient_profile_id }),
  })
  await publishFinished(tx, execution, status)
  return false
}

const DAY_MS = 24 * 3_600_000
const MAX_BATCH = 100

/** The same condition as in list_stalled_automation_executions. */
function isStalled({ progressed_at, is_active, switched_on_at }: Running, before: Date): boolean {
  const since = new Date(progressed_at).getTime()
  if (!is_active) return since < before.getTime() - HELD_DAYS * DAY_MS
  return Math.max(since, Date.parse(switched_on_at ?? progressed_at)) < before.getTime()
}

/** Ends executions, of all clinics, that made no progress for a day. */
export async function timeOutExecutions(tools: JobTools): Promise<void> {
  const { services, audit, signal } = tools
  const before = new Date(services.now().getTime() - DAY_MS)
  for (let more = true; more && !signal.aborted; ) {
    const stalled = await tools.tenant((tx) => listStalled(tx, before, MAX_BATCH), { queries: 1 })
    for (const { id, organization_id } of stalled) {
      await services.db.tenant(systemContext(organization_id), async (tx) => {
        const execution = await findRunningForUpdate(tx, id)
        if (!execution || !isStalled(execution, before)) return
        await finish(tx, execution, { services, audit: (_tx, entry) => audit(tx, entry, organization_id) }, 'timed_out')
      })
    }
    more = stalled.length === MAX_BATCH
  }
}
