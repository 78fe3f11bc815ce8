import { randomUUID } from 'node:crypto'
import { all, any, type Cases, inClinic } from './case.ts'

const MANAGE = all('organizations.manage_integrations')
const WEBHOOKS = all('webhooks.manage')
const WEBHOOK_READERS = any('webhooks.view_org', 'webhooks.manage')

const AUTOMATIONS = all('automations.manage')
const AUTOMATION_READERS = any('automations.view_org', 'automations.manage')

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
  webhook_subscriptions: {
    row: inClinic,
    fresh: (of) => `(organization_id, url, events, secret_encrypted, secret_hint, created_by_principal_id)
      values ('${of.id}', 'https://a.example', '{*}', '\\x00', '', null)`,
    set: 'rate_limit_per_second = 1',
    select: WEBHOOK_READERS,
    insert: WEBHOOKS,
    update: WEBHOOKS,
    delete: WEBHOOKS,
  },
  webhook_events: {
    row: inClinic,
    fresh: (of) => `(organization_id, event) values ('${of.id}', 'webhook.test')`,
    set: 'body = null',
    select: WEBHOOK_READERS,
    insert: WEBHOOKS,
    worker: ['update'],
    update: 'nobody',
    delete: 'nobody',
  },
  webhook_deliveries: {
    row: inClinic,
    fresh: (of) => `(organization_id, subscription_id, event_id, next_attempt_at)
      values ('${of.id}', '${of.webhook}', '${of.spareWebhookEvent}', now())`,
    set: 'retry_count = 1',
    select: WEBHOOK_READERS,
    insert: WEBHOOKS,
    update: WEBHOOKS,
    delete: 'nobody',
  },
  webhook_attempts: {
    row: inClinic,
    fresh: (of) => `(organization_id, delivery_id, attempt_number, trigger, requested_at, duration_ms)
      values ('${of.id}', '${of.webhookDelivery}', 2, 'manual', now(), 1)`,
    set: 'duration_ms = 2',
    select: WEBHOOK_READERS,
    insert: 'nobody',
    update: 'nobody',
    delete: 'nobody',
  },
  automation_rules: {
    row: inClinic,
    fresh: (of) => `(organization_id, name, trigger_event, conditions, actions, created_by_principal_id)
      values ('${of.id}', 'Second', 'form.signed', '{}', '[]', null)`,
    set: 'delay_minutes = 1',
    select: AUTOMATION_READERS,
    insert: AUTOMATIONS,
    update: AUTOMATIONS,
    delete: AUTOMATIONS,
  },
  automation_rule_versions: {
    row: inClinic,
    fresh: (of) => `(organization_id, rule_id, version, definition) values ('${of.id}', '${of.rule}', 2, '{}')`,
    set: `definition = '{}'`,
    select: AUTOMATION_READERS,
    insert: AUTOMATIONS,
    update: 'nobody',
    delete: 'nobody',
  },
  automation_executions: {
    row: inClinic,
    fresh: (of) => `(organization_id, rule_id, rule_version, event_id, event, data)
      values ('${of.id}', '${of.rule}', 1, '${randomUUID()}', 'form.signed', '{}')`,
    set: 'progressed_at = now()',
    select: AUTOMATION_READERS,
    insert: AUTOMATIONS,
    update: AUTOMATIONS,
    delete: 'nobody',
  },
  automation_steps: {
    row: inClinic,
    fresh: (of) => `(organization_id, execution_id, index, type, status)
      values ('${of.id}', '${of.execution}', 1, 'wait', 'running')`,
    set: 'attempts = 1',
    select: AUTOMATION_READERS,
    insert: AUTOMATIONS,
    update: AUTOMATIONS,
    delete: 'nobody',
  },
}
