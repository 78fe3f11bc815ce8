import { type AutomationAction, todayIn } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { failureName } from '../../../platform/failure-name.ts'
import { addJob, type JobTools } from '../../../platform/jobs.ts'
import { afterWait, carryOut, type Result } from './actions.ts'
import {
  type ContextRow,
  findRunningForUpdate,
  listSteps,
  type Running,
  readContext,
  saveStep,
  updateExecution,
} from './execution-queries.ts'
import { finish } from './finishing.ts'
import { endedByAppointment } from './lateness.ts'
import { conditionsHold, retryStepAt } from './rules.ts'
import { RUN_JOB } from './run-job.ts'
import { fieldsOf } from './triggers.ts'
import { appointmentIn, valuesFor } from './values.ts'

// Each step is one transaction: it locks the execution, writes the rows of the action and marks the step. After a crash
// another worker continues with the first step that is not marked.

export async function runExecution(id: string, tools: JobTools): Promise<void> {
  let more = true
  while (more && !tools.signal.aborted) {
    const failed = { index: -1 }
    try {
      more = await tools.tenant((tx) => runStep(tx, id, tools, failed))
    } catch (error) {
      if (failed.index < 0) throw error
      more = await tools.tenant((tx) => markFailure(tx, id, failed.index, failureName(error), tools))
    }
  }
}

/** Runs the next step. Returns whether there may be another. */
async function runStep(tx: TenantTx, id: string, tools: JobTools, failed: { index: number }): Promise<boolean> {
  const execution = await findRunningForUpdate(tx, id)
  if (!execution) return false
  if (execution.skip_reason !== null) return finish(tx, execution, tools, 'skipped')
  // Held: switching the rule on adds a job.
  if (!execution.is_active) return false
  const now = tools.services.now()
  const context = await readContext(tx, execution.patient_profile_id, appointmentIn(execution.data))
  const { actions } = execution.definition
  if (context.restricted) return finish(tx, execution, tools, 'skipped', 'patient_restricted')
  const steps = await listSteps(tx, id)
  const isNew = execution.status === 'queued' && steps.length === 0
  if (isNew && !(await applies(tx, execution, context, tools)))
    return finish(tx, execution, tools, 'skipped', 'conditions')
  const known = new Map(steps.map((step) => [step.index, step]))
  const index = actions.findIndex((_action, at) => !isDone(known.get(at)?.status))
  const action = actions[index]
  if (!action) return finish(tx, execution, tools, 'succeeded')
  const endedBy = endedByAppointment({ ...dueOf(execution, context), actions, index, now })
  if (endedBy !== null) return finish(tx, execution, tools, 'skipped', endedBy)
  failed.index = index
  const before = known.get(index)
  const at = now.toISOString()
  await updateExecution(tx, id, {
    status: 'running',
    progressed_at: at,
    ...(execution.status === 'queued' ? { started_at: at } : {}),
  })
  const waited = before?.status === 'waiting'
  const work = { execution, context, index, now, tools }
  const result: Result = waited ? afterWait(action, work) : await carryOut(tx, action, work)
  return saveResult(
    tx,
    execution,
    { index, action, attempts: (before?.attempts ?? 0) + (waited ? 0 : 1), result },
    tools,
  )
}

const timeOf = (at: string | null) => (at === null ? null : new Date(at))

const dueOf = (execution: Running, context: ContextRow) => ({
  dueAt: new Date(execution.progressed_at),
  switchedOnAt: timeOf(execution.switched_on_at),
  startsAt: timeOf(context.appointment_starts_at),
  appointmentStatus: context.appointment_status,
})

function applies(
  tx: TenantTx,
  { event, data, definition }: Running,
  context: ContextRow,
  { services }: JobTools,
): Promise<boolean> {
  const { conditions } = definition
  const options = { fields: fieldsOf(event) ?? {}, today: todayIn(context.time_zone, services.now()) }
  return valuesFor(tx, services.box, { conditions, data: data ?? {}, context }).then((values) =>
    conditionsHold(conditions, values, options),
  )
}

const isDone = (status: string | undefined) => status === 'succeeded' || status === 'skipped' || status === 'failed'

interface Tried {
  index: number
  action: AutomationAction
  attempts: number
  result: Result
}

async function saveResult(tx: TenantTx, execution: Running, tried: Tried, tools: JobTools): Promise<boolean> {
  const { index, action, attempts, result } = tried
  const now = tools.services.now()
  const step = { index, type: action.type, attempts, finished_at: now.toISOString() }
  if ('waitUntil' in result) {
    await saveStep(tx, execution.id, { ...step, status: 'waiting', finished_at: null })
    await updateExecution(tx, execution.id, { status: 'paused', progressed_at: result.waitUntil.toISOString() })
    await addJob(tx, RUN_JOB, { execution_id: execution.id }, { key: execution.id, runAt: result.waitUntil })
    return false
  }
  if ('failed' in result) return failStep(tx, execution, { ...tried, error: result.failed }, tools)
  const skipped = 'skipped' in result
  await saveStep(tx, execution.id, {
    ...step,
    status: skipped ? 'skipped' : 'succeeded',
    error: skipped ? result.skipped : null,
  })
  return true
}

/** Called after a step threw and its transaction was rolled back. */
async function markFailure(tx: TenantTx, id: string, index: number, error: string, tools: JobTools): Promise<boolean> {
  const execution = await findRunningForUpdate(tx, id)
  const action = execution?.definition.actions[index]
  if (!execution || !action) return false
  const before = (await listSteps(tx, id)).find((step) => step.index === index)
  return failStep(tx, execution, { index, action, attempts: (before?.attempts ?? 0) + 1, error }, tools)
}

async function failStep(
  tx: TenantTx,
  execution: Running,
  { index, action, attempts, error }: Omit<Tried, 'result'> & { error: string },
  tools: JobTools,
): Promise<boolean> {
  const now = tools.services.now()
  const again = retryStepAt(attempts, action.max_retries ?? 0, now)
  const step = { index, type: action.type, attempts, error }
  if (again) {
    await saveStep(tx, execution.id, { ...step, status: 'running', finished_at: null })
    await updateExecution(tx, execution.id, { status: 'running', progressed_at: now.toISOString() })
    await addJob(tx, RUN_JOB, { execution_id: execution.id }, { key: execution.id, runAt: again })
    return false
  }
  await saveStep(tx, execution.id, { ...step, status: 'failed', finished_at: now.toISOString() })
  return action.on_error === 'continue' || finish(tx, execution, tools, 'failed')
}
