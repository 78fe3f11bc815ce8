import type { WebhookSubscription } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'

const CHANGED = [{ field: 'secret', before: 'set', after: 'changed' }]

export const record = recorder({
  target: ({ uid, url }: WebhookSubscription) => ({ type: 'webhook_subscription', id: uid, label: hostOf(url) }),
  payload: ({ uid }) => ({ webhook_uid: uid }),
  acts: {
    created: { action: 'webhooks.create', crud: 'C' },
    updated: { action: 'webhooks.update', crud: 'U' },
    deleted: { action: 'webhooks.delete', crud: 'D' },
    disabled: { action: 'webhooks.disable', crud: 'U', event: 'webhook.disabled' },
    secretRotated: { action: 'webhooks.rotate_secret', crud: 'U' },
    tested: { action: 'webhooks.test', crud: 'E' },
    replayed: { action: 'webhooks.replay', crud: 'E' },
    recovered: { action: 'webhooks.recover', crud: 'E' },
  },
})

export const secretChanged = { changes: CHANGED }

const hostOf = (url: string) => URL.parse(url)?.host ?? null
