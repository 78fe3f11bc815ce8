import type { Config } from '@tendon/config'
import type { Api, Json } from './api.ts'

// The clinic's mail server and the receiver of its webhooks are part of this start. They are found again by their names;
// when a port is another than last time, the clinic gets the new one.

const MAIL = 'Server de e-mail local'
const WEBHOOKS = 'Destinatar local'
const CREDENTIALS = { username: 'mladita', password: 'local-only' }

export async function seedReceivers(config: Config, api: Api, at: string, admin: string, from: string): Promise<void> {
  const { HOST: host, MAIL_RECEIVER_PORT: port } = config
  const integrations: Json[] = await api.get(`${at}/integrations?limit=100`, admin)
  const settings = { host, port, security: 'none', from_address: from }
  const mail = integrations.find(({ title }) => title === MAIL)
  if (integrations.length === 0)
    await api.post(`${at}/integrations`, admin, {
      service_slug: 'smtp',
      title: MAIL,
      config: settings,
      credentials: CREDENTIALS,
    })
  else if (mail?.config.host === host && mail.config.port !== port)
    await api.put(`${at}/integrations/${mail.id}/credentials`, admin, {
      credentials: CREDENTIALS,
      config: { ...mail.config, port },
    })

  const url = `http://${host}:${config.WEBHOOK_RECEIVER_PORT}/`
  const subscriptions: Json[] = await api.get('/v1/webhook-subscriptions?limit=100', admin)
  const own = subscriptions.find(({ description }) => description === WEBHOOKS)
  if (subscriptions.length === 0)
    await api.post('/v1/webhook-subscriptions', admin, { url, description: WEBHOOKS, events: ['*'] })
  else if (own && new URL(own.url).hostname === host && own.url !== url)
    await api.patch(`/v1/webhook-subscriptions/${own.uid}`, admin, { url })
}
