import type { Subscriber } from '../../../platform/outbox.ts'
import { insertEventAndDeliveries } from './delivery-queries.ts'
import { bodyOf, PUBLISHED, patientIn } from './webhook-events.ts'

/** Every published event of an organization becomes one body and a delivery for each subscription. */
export const webhookSubscribers: readonly Subscriber[] = [
  {
    type: '*',
    handle: async (tx, { id, type, payload, organization_id, occurred_at }) => {
      const published = PUBLISHED.get(type)
      if (!published || organization_id === null) return
      await insertEventAndDeliveries(tx, {
        id,
        event: published.event,
        body: bodyOf(published, payload, { id, organization_id, occurred_at: new Date(occurred_at).toISOString() }),
        occurred_at,
        // Events that are always delivered are stored without their patient, so that no restriction or erasure stops them.
        ...(published.always ? { patientId: null, patientProfileId: null } : patientIn(payload)),
      })
    },
  },
]
