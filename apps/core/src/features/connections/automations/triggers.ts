import { PUBLISHED, type PublishedEvent } from '../webhooks/index.ts'

/** An event that can trigger rules: every event that webhooks send, and messages of inbound webhooks. */
type Trigger = Pick<PublishedEvent, 'event' | 'fields'>

export const MESSAGE_RECEIVED = 'integration.received'

const INBOUND: [string, Trigger] = [
  MESSAGE_RECEIVED,
  { event: MESSAGE_RECEIVED, fields: { integration_id: 'id', message_id: 'id' } },
]

/** Type of the event in the outbox → the trigger that rules see. */
export const TRIGGERS: ReadonlyMap<string, Trigger> = new Map<string, Trigger>([...PUBLISHED, INBOUND])

export const fieldsOf = (event: string): Trigger['fields'] | undefined =>
  [...TRIGGERS.values()].find((one) => one.event === event)?.fields

/** The types of outbox events that trigger a rule of this event. */
export const typesOf = (event: string): string[] =>
  [...TRIGGERS].filter(([, one]) => one.event === event).map(([type]) => type)
