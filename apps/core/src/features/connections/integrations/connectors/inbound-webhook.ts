import type { Connector } from './connector.ts'

/** Waits for messages: there is nothing to ask. */
export const inboundWebhook: Connector = {
  slug: 'inbound_webhook',
  destination: [],
  validateConfig: async () => undefined,
  validateCredentials: async () => undefined,
  healthcheck: async () => undefined,
  refreshToken: async () => undefined,
}
