import { addJob } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { PUBLISHED, patientIn, thinDataOf } from '../webhooks/index.ts'
import { insertExecutions } from './execution-queries.ts'
import { RUN_JOB } from './running.ts'

/** Starts the rules of an event. Events of automations are not published, so no rule can trigger itself. */
export const automationSubscribers: readonly Subscriber[] = [
  {
    type: '*',
    handle: async (tx, { id, type, payload, organization_id }) => {
      const published = PUBLISHED.get(type)
      if (!published || organization_id === null) return
      const inserted = await insertExecutions(tx, {
        event_id: id,
        event: published.event,
        data: thinDataOf(published, payload),
        ...patientIn(payload),
        now: new Date(),
      })
      for (const { id: execution_id, status, due_at } of inserted) {
        if (status === 'queued')
          await addJob(tx, RUN_JOB, { execution_id }, { key: execution_id, runAt: new Date(due_at) })
      }
    },
  },
]
