import { type AutomationRule, todayIn } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { PUBLISHED, patientIn, thinDataOf } from '../webhooks/index.ts'
import { listEventsToSimulate, readContext } from './execution-queries.ts'
import { conditionsHold } from './rules.ts'
import { appointmentIn, fieldsOf, pathValues } from './running.ts'

const MAX_SIMULATED_EVENTS = 200

/** What the rule would do with past events, with patients and appointments as they are now. */
export async function simulate(tx: TenantTx, { trigger, conditions }: AutomationRule, since: string, now: Date) {
  const types = [...PUBLISHED].filter(([, one]) => one.event === trigger.event)
  const events = await listEventsToSimulate(
    tx,
    types.map(([type]) => type),
    since,
    MAX_SIMULATED_EVENTS,
  )
  const results = []
  for (const { id, type, payload, occurred_at } of events) {
    const published = PUBLISHED.get(type)
    const data = published ? thinDataOf(published, payload) : {}
    const context = await readContext(tx, patientIn(payload).patientProfileId, appointmentIn(data))
    const options = { fields: fieldsOf(trigger.event) ?? {}, today: todayIn(context.time_zone, now) }
    const held = conditionsHold(conditions, pathValues(data, context), options)
    const skip_reason = context.restricted ? ('patient_restricted' as const) : held ? null : ('conditions' as const)
    results.push({ event_id: id, occurred_at, would_run: skip_reason === null, skip_reason })
  }
  return results
}
