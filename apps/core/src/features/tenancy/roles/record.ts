import type { Role } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'

export const record = recorder({
  target: ({ id, name }: Role) => ({ type: 'role', id, label: name }),
  facts: ({ code, name, description, permissions }) => ({ code, name, description, permissions }),
  payload: ({ id }) => ({ role_id: id }),
  acts: {
    created: { action: 'roles.create', crud: 'C', event: 'role.created' },
    updated: { action: 'roles.update', crud: 'U', event: 'role.updated' },
    permissionsChanged: { action: 'roles.update_permissions', crud: 'U', event: 'role.permissions_changed' },
    deleted: { action: 'roles.delete', crud: 'D', event: 'role.deleted' },
  },
})
