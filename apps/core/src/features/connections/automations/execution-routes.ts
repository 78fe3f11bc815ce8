import {
  AutomationExecution,
  automationExecutionList,
  ById,
  ExecutionRetry,
  listParameters,
  Many,
  One,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import {
  executionEnded,
  executionNotFound,
  executionQuotaReached,
  executionRetried,
  executionRunning,
  quotaReached,
} from './errors.ts'
import { updateExecution } from './execution-queries.ts'
import { publishFinished } from './finishing.ts'
import { mustHoldCodes } from './permissions.ts'
import { findDefinition, findExecution, findRule, listExecutions, lockExecution } from './queries.ts'
import { admit } from './quota-rules.ts'
import { record } from './record.ts'
import { copySteps, insertRetries, listRetryStatuses } from './retry-queries.ts'
import { lockQuota, readUsage } from './start-queries.ts'

const view = permission('automations.view_org')
const manage = permission('automations.manage')
const OPEN = ['queued', 'running', 'paused']

async function lockedExecution(tx: TenantTx, id: string) {
  await lockExecution(tx, id)
  const execution = await findExecution(tx, id)
  const rule = execution && (await findRule(tx, execution.rule_id))
  if (!execution || !rule) throw executionNotFound()
  return { execution, rule }
}

export const executionRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/automation-executions',
    {
      config: { access: view, patientData: true, latency: 'complex_read', summary: 'List automation executions' },
      schema: { querystring: listParameters(automationExecutionList), response: { 200: Many(AutomationExecution) } },
    },
    async (request) => {
      const list = parseList(automationExecutionList, request.query)
      const { rows, total } = await request.findPage((tx) => listExecutions(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/automation-executions/:id',
    {
      config: {
        access: view,
        patientData: true,
        latency: 'simple_read',
        summary: 'Get an automation execution',
        refusals: [executionNotFound],
      },
      schema: { params: ById, response: { 200: One(AutomationExecution) } },
    },
    async (request) => {
      const found = await request.find((tx) => findExecution(tx, request.params.id))
      if (!found) throw executionNotFound()
      return { data: found }
    },
  )

  app.post(
    '/v1/automation-executions/:id/retry',
    {
      config: {
        access: manage,
        patientData: true,
        latency: 'simple_write',
        idempotent: true,
        operationId: 'retryAutomationExecution',
        summary: 'Run an automation execution again',
        description:
          'Creates an execution of the same version. `failed_step` keeps the completed steps. A delay of the rule that has not passed since the event still delays it. Refused while another retry of the same event runs, and after one has succeeded: retry that one then. Needs the permissions of the rule. Counts as one of the executions that a clinic can start in an hour.',
        refusals: [executionNotFound, executionRunning, executionRetried, executionQuotaReached],
      },
      schema: { params: ById, body: ExecutionRetry, response: { 201: One(AutomationExecution) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        await lockQuota(tx)
        const { execution, rule } = await lockedExecution(tx, request.params.id)
        const others = await listRetryStatuses(tx, execution.id)
        if ([execution.status, ...others].some((status) => OPEN.includes(status))) throw executionRunning()
        if (others.includes('succeeded')) throw executionRetried()
        const definition = await findDefinition(tx, execution.rule_id, execution.rule_version)
        if (definition) mustHoldCodes(request, definition)
        if (admit([execution], await readUsage(tx, now())).length === 0) throw quotaReached()
        const [id = ''] = await insertRetries(tx, [execution.id], now())
        if (request.body.from === 'failed_step') await copySteps(tx, execution.id, id)
        await record.retried(request, tx, rule)
        return { data: (await lockedExecution(tx, id)).execution }
      }),
  )

  app.post(
    '/v1/automation-executions/:id/cancel',
    {
      config: {
        access: manage,
        patientData: true,
        latency: 'simple_write',
        operationId: 'cancelAutomationExecution',
        summary: 'Cancel an automation execution',
        description: 'Completed steps are not undone.',
        refusals: [executionNotFound, executionEnded],
      },
      schema: { params: ById, response: { 200: One(AutomationExecution) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { execution, rule } = await lockedExecution(tx, request.params.id)
        if (!OPEN.includes(execution.status)) throw executionEnded()
        const at = now().toISOString()
        await updateExecution(tx, execution.id, { status: 'canceled', finished_at: at, progressed_at: at })
        await record.canceled(request, tx, rule)
        await publishFinished(tx, execution, 'canceled')
        return { data: (await lockedExecution(tx, execution.id)).execution }
      }),
  )
}
