import {
  ById,
  CanceledExecutions,
  ExecutionBulkRetry,
  MAX_BULK_EXECUTIONS,
  One,
  RetriedExecutions,
} from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { cancelExecutions, countOpen, countSkipped, listSkippedForUpdate } from './bulk-queries.ts'
import { executionQuotaReached, quotaReached, ruleNotFound } from './errors.ts'
import { mustHoldCodes } from './permissions.ts'
import { findDefinition, findRule, findRuleForUpdate } from './queries.ts'
import { admit } from './quota-rules.ts'
import { record } from './record.ts'
import { insertRetries } from './retry-queries.ts'
import { lockQuota, readUsage } from './start-queries.ts'

const manage = permission('automations.manage')

const counted = (field: string, count: number) => ({ changes: [{ field, before: null, after: count }] })

export const bulkRoutes: Routes = (app, { now }) => {
  app.post(
    '/v1/automation-rules/:id/executions/retry',
    {
      config: {
        access: manage,
        latency: 'complex_write',
        operationId: 'retrySkippedAutomationExecutions',
        summary: 'Retry the executions of a rule that the quota skipped',
        description: `Retries the oldest first, each once, at most ${MAX_BULK_EXECUTIONS} in a request and as many as the quota allows now; \`remaining\` are left for the next request. Each runs the version of the rule that it was skipped in, at once or when the delay of the rule, counted from the event, has passed. Needs the permissions of the rule.`,
        refusals: [ruleNotFound, executionQuotaReached],
      },
      schema: { params: ById, body: ExecutionBulkRetry, response: { 200: One(RetriedExecutions) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const rule = await findRuleForUpdate(tx, request.params.id)
        if (!rule) throw ruleNotFound()
        await lockQuota(tx)
        const skipped = await listSkippedForUpdate(tx, rule.id, request.body, MAX_BULK_EXECUTIONS)
        if (skipped.length === 0) return { data: { retried: 0, remaining: 0 } }
        for (const version of new Set(skipped.map(({ rule_version }) => rule_version))) {
          const definition = await findDefinition(tx, rule.id, version)
          if (definition) mustHoldCodes(request, definition)
        }
        const admitted = admit(skipped, await readUsage(tx, now()))
        if (admitted.length === 0) throw quotaReached()
        const ids = admitted.map(({ id }) => id)
        const { length: retried } = await insertRetries(tx, ids, now())
        await record.retried(request, tx, rule, counted('executions_retried', retried))
        return { data: { retried, remaining: await countSkipped(tx, rule.id, request.body) } }
      }),
  )

  app.post(
    '/v1/automation-rules/:id/executions/cancel',
    {
      config: {
        access: manage,
        latency: 'complex_write',
        operationId: 'cancelAutomationExecutions',
        summary: 'Cancel the executions of a rule that have not ended',
        description: `Cancels queued, running and paused executions, the oldest first, at most ${MAX_BULK_EXECUTIONS} in a request; \`remaining\` are left for the next request. Completed steps are not undone. Switch the rule off first, so that no new ones start.`,
        refusals: [ruleNotFound],
      },
      schema: { params: ById, response: { 200: One(CanceledExecutions) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const rule = await findRule(tx, request.params.id)
        if (!rule) throw ruleNotFound()
        const canceled = await cancelExecutions(tx, rule.id, now(), MAX_BULK_EXECUTIONS)
        if (canceled > 0) await record.canceled(request, tx, rule, counted('executions_canceled', canceled))
        return { data: { canceled, remaining: await countOpen(tx, rule.id) } }
      }),
  )
}
