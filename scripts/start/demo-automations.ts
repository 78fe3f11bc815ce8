import type { Api } from './api.ts'

/** A rule that notifies the admins of severe pain. */
export async function seedAutomations(api: Api, admin: string): Promise<void> {
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
