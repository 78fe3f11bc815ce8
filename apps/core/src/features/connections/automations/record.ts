import type { StoredAutomationRule } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'

export const record = recorder({
  target: ({ id, name }: StoredAutomationRule) => ({ type: 'automation_rule', id, label: name }),
  payload: ({ id }) => ({ rule_id: id }),
  acts: {
    created: { action: 'automations.create', crud: 'C' },
    updated: { action: 'automations.update', crud: 'U' },
    deleted: { action: 'automations.delete', crud: 'D' },
    retried: { action: 'automations.retry', crud: 'E' },
    canceled: { action: 'automations.cancel', crud: 'E' },
  },
})
