import { randomUUID } from 'node:crypto'
import { all, type Cases, inClinic } from './case.ts'

const MANAGE = all('organizations.manage_integrations')

export const CONNECTION_CASES: Cases = {
  organization_integrations: {
    row: inClinic,
    fresh: (of) => `(organization_id, service_slug, status, title, created_by_principal_id)
      values ('${of.id}', 'smtp', 'pending', '${randomUUID()}', null)`,
    set: 'failure_count = 1',
    select: MANAGE,
    insert: MANAGE,
    update: MANAGE,
    delete: 'nobody',
  },
  integration_events: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, integration_id, to_status, reason) values ('${of.id}', '${of.integration}', 'error', 'test')`,
    set: `reason = 'test'`,
    select: MANAGE,
    insert: MANAGE,
    update: 'nobody',
    delete: 'nobody',
  },
  integration_messages: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, integration_id, body_encrypted) values ('${of.id}', '${of.integration}', '\\x00')`,
    set: `body_encrypted = '\\x01'`,
    select: MANAGE,
    insert: MANAGE,
    update: 'nobody',
    delete: 'nobody',
  },
  oauth_states: {
    row: inClinic,
    fresh: (
      of,
    ) => `(organization_id, integration_id, state_hash, principal_id, cookie_hash, verifier_encrypted, redirect_uri,
      return_path, expires_at) values ('${of.id}', '${of.integration}', decode(md5('${randomUUID()}'), 'hex'), '${of.human}', '\\x00',
      '\\x00', '', '/', now())`,
    set: 'used_at = now()',
    select: 'nobody',
    insert: MANAGE,
    update: 'nobody',
    delete: 'nobody',
  },
}
