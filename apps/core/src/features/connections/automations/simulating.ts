import { type SimulatedEvent, type StoredAutomationRule, todayIn } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import { patientIn, thinDataOf } from '../webhooks/index.ts'
import {
  findProfileOf,
  listEventsToSimulate,
  readContext,
  type SimulatedRange,
  type StoredEvent,
} from './execution-queries.ts'
import { conditionsHold, isLoop, passesFilter } from './rules.ts'
import { fieldsOf, TRIGGERS, typesOf } from './triggers.ts'
import { appointmentIn, valuesFor } from './values.ts'

const MAX_SIMULATED_EVENTS = 200

interface SimulationTools {
  box: SecretBox
  now: Date
}

/** Lists what the rule would do for past events, using current patients and appointments. Writes nothing. */
export async function simulate(
  tx: TenantTx,
  rule: StoredAutomationRule,
  range: Pick<SimulatedRange, 'since' | 'patient'>,
  tools: SimulationTools,
): Promise<SimulatedEvent[]> {
  const types = typesOf(rule.trigger.event)
  const events = await listEventsToSimulate(tx, { ...range, types, limit: MAX_SIMULATED_EVENTS })
  const results: SimulatedEvent[] = []
  for (const event of events) {
    const skip_reason = await skipReason(tx, rule, event, tools)
    if (skip_reason === 'filter') continue
    results.push({ event_id: event.id, occurred_at: event.occurred_at, would_run: skip_reason === null, skip_reason })
  }
  return results
}

async function skipReason(
  tx: TenantTx,
  { id, trigger, conditions }: StoredAutomationRule,
  { type, payload, automation_rule_ids }: StoredEvent,
  { box, now }: SimulationTools,
): Promise<SimulatedEvent['skip_reason'] | 'filter'> {
  const known = TRIGGERS.get(type)
  const data = known ? thinDataOf(known, payload) : {}
  if (!passesFilter(trigger, data)) return 'filter'
  if (isLoop(id, automation_rule_ids)) return 'loop'
  const profileId = await findProfileOf(tx, patientIn(payload))
  const context = await readContext(tx, profileId, appointmentIn(data))
  if (context.restricted) return 'patient_restricted'
  const options = { fields: fieldsOf(trigger.event) ?? {}, today: todayIn(context.time_zone, now) }
  const values = await valuesFor(tx, box, { conditions, data, context })
  return conditionsHold(conditions, values, options) ? null : 'conditions'
}
