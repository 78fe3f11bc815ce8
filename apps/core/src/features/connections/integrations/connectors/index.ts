import type { Connector } from './connector.ts'
import { googleCalendar } from './google-calendar.ts'
import { inboundWebhook } from './inbound-webhook.ts'
import { smtp } from './smtp.ts'

/** The connectors by slug. A service of the catalogue without one is not available. */
export const connectors: ReadonlyMap<string, Connector> = new Map(
  [smtp, inboundWebhook, googleCalendar].map((connector) => [connector.slug, connector]),
)
