import { addJob } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { patientIn, thinDataOf } from '../webhooks/index.ts'
import { mailAboutQuota } from './quota-mail.ts'
import { admit } from './quota-rules.ts'
import { isLoop, passesFilter } from './rules.ts'
import { RUN_JOB } from './run-job.ts'
import { insertExecutions, listTriggered, lockQuota, readUsage } from './start-queries.ts'
import { TRIGGERS } from './triggers.ts'

/** Starts the rules of an event. */
export const automationSubscribers: readonly Subscriber[] = [
  {
    type: '*',
    handle: async (tx, { id, type, payload, organization_id, automation_rule_ids: causes }) => {
      const trigger = TRIGGERS.get(type)
      if (!trigger || organization_id === null) return
      const { event } = trigger
      const data = thinDataOf(trigger, payload)
      const triggered = (await listTriggered(tx, event)).filter((rule) => passesFilter(rule.trigger, data))
      if (triggered.length === 0) return
      await lockQuota(tx)
      const now = new Date()
      const wanted = triggered.filter((rule) => !isLoop(rule.id, causes)).map(({ id: rule_id }) => ({ rule_id, event }))
      const started = new Set(admit(wanted, await readUsage(tx, now)).map(({ rule_id }) => rule_id))
      const executions = triggered.map((rule) => {
        const skip_reason = isLoop(rule.id, causes)
          ? ('loop' as const)
          : started.has(rule.id)
            ? null
            : ('quota' as const)
        const delay = skip_reason === null ? rule.delay_minutes * 60_000 : 0
        const due_at = new Date(now.getTime() + delay).toISOString()
        return { rule_id: rule.id, version: rule.version, due_at, skip_reason }
      })
      const occurrence = { event_id: id, event, data, causes, ...patientIn(payload), now }
      const inserted = await insertExecutions(tx, executions, occurrence)
      for (const { id: execution_id, due_at } of inserted)
        await addJob(tx, RUN_JOB, { execution_id }, { key: execution_id, runAt: new Date(due_at) })
      const skipped = inserted.find(({ skip_reason }) => skip_reason === 'quota')
      const rule = triggered.find((one) => one.id === skipped?.rule_id)
      if (rule) await mailAboutQuota(tx, rule, now)
    },
  },
]
