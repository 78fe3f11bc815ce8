import { addJob } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { patientIn, thinDataOf } from '../webhooks/index.ts'
import { insertExecutions, listTriggered } from './execution-queries.ts'
import { isLoop, passesFilter } from './rules.ts'
import { RUN_JOB } from './running.ts'
import { TRIGGERS } from './triggers.ts'

/** Starts the rules of an event. */
export const automationSubscribers: readonly Subscriber[] = [
  {
    type: '*',
    handle: async (tx, { id, type, payload, organization_id, automation_rule_ids: causes }) => {
      const trigger = TRIGGERS.get(type)
      if (!trigger || organization_id === null) return
      const triggered = await listTriggered(tx, trigger.event)
      const data = thinDataOf(trigger, payload)
      const now = new Date()
      const executions = triggered
        .filter((rule) => passesFilter(rule.trigger, data))
        .map((rule) => ({
          rule_id: rule.id,
          version: rule.version,
          due_at: new Date(now.getTime() + rule.delay_minutes * 60_000).toISOString(),
          skip_reason: isLoop(rule.id, causes) ? ('loop' as const) : null,
        }))
      if (executions.length === 0) return
      const occurrence = { event_id: id, event: trigger.event, data, causes, ...patientIn(payload), now }
      for (const { id: execution_id, due_at } of await insertExecutions(tx, executions, occurrence))
        await addJob(tx, RUN_JOB, { execution_id }, { key: execution_id, runAt: new Date(due_at) })
    },
  },
]
