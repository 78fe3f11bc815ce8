import type { Config } from '@tendon/config'
import type { createApi } from './api.ts'

type Api = ReturnType<typeof createApi>

/** A webhook to the local receiver, and a rule that notifies the admins of severe pain. */
export async function seedAutomations(config: Config, api: Api, admin: string): Promise<void> {
  if ((await api.count('/v1/webhook-subscriptions', admin)) === 0) {
    await api.post('/v1/webhook-subscriptions', admin, {
      url: `http://${config.HOST}:${config.WEBHOOK_RECEIVER_PORT}/`,
      description: 'Destinatar local',
      events: ['*'],
    })
  }
  if ((await api.count('/v1/automation-rules', admin)) === 0) {
    await api.post('/v1/automation-rules', admin, {
      name: 'Durere puternică',
      trigger: { event: 'pain.reported' },
      conditions: { mode: 'all', rules: [{ path: 'data.severity_band', op: 'eq', value: 'severe' }] },
      actions: [
        {
          type: 'notify_members',
          params: { permission: 'automations.manage', text: 'Un pacient a raportat o durere puternică.' },
        },
      ],
    })
  }
}
