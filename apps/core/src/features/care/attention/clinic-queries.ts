import { CLINIC } from '@tendon/db'
import { sql } from 'kysely'
import { type FactSource, onlyIds, stamp } from './fact-queries.ts'

// Facts about the clinic: they concern no patient, and there are few.

const NOBODY = sql`false as is_warning, null::uuid as patient_profile_id`
const OF_CLINIC = { patients: 'any', params: () => sql`f.params` } as const

/** Since the change to this state. */
export const brokenIntegrations: FactSource = {
  ...OF_CLINIC,
  kind: 'integration_broken',
  due: (asked) => sql`
    select 'integration_broken.' || i.id || '.' || ${stamp(sql`e.since`)} as key, e.since as at, ${NOBODY},
      jsonb_build_object('integration_id', i.id, 'title', i.title, 'status', i.status, 'service_slug', i.service_slug,
        'error', i.last_error_code) as params
    from organization_integrations i
    cross join lateral (select coalesce((select c.occurred_at from integration_events c
      where c.organization_id = ${CLINIC} and c.integration_id = i.id and c.to_status = i.status
      order by c.occurred_at desc limit 1), i.last_error_at, i.created_at) as since) e
    where i.organization_id = ${CLINIC} and i.status in ('expired', 'error') ${onlyIds(sql`i.id`, asked)}`,
}

/** Failing several times in a row, or switched off because of that. */
export const failingWebhooks: FactSource = {
  ...OF_CLINIC,
  kind: 'webhook_failing',
  due: (asked) => sql`
    select 'webhook_failing.' || w.id || '.' || ${stamp(sql`w.since`)} as key, w.since as at, ${NOBODY},
      jsonb_build_object('webhook_subscription_id', w.id, 'count', w.consecutive_failures,
        'host', substring(w.url from '^https?://(?:[^/@]*@)?([^/?#]+)'), 'status', coalesce(w.disabled_reason, 'active')) as params
    from (select v.*, coalesce(case when v.is_active then v.first_failure_at else v.last_failure_at end, v.updated_at) as since
      from webhook_subscriptions v where v.organization_id = ${CLINIC}) w
    where (w.disabled_reason in ('gone', 'failing') or w.is_active and w.first_failure_at is not null
      and w.consecutive_failures >= ${asked.webhookFailures}) ${onlyIds(sql`w.id`, asked)}`,
}

/** One fact for all mails; another failed mail makes it a new one. */
export const failedMails: FactSource = {
  ...OF_CLINIC,
  kind: 'mails_failed',
  due: (asked) => sql`
    select 'mails_failed.' || ${stamp(sql`max(m.next_attempt_at)`)} as key, max(m.next_attempt_at) as at, ${NOBODY},
      jsonb_build_object('count', count(*)) as params
    from mail_outbox m
    where m.organization_id = ${CLINIC} and m.status = 'failed' and m.next_attempt_at >= ${asked.mailsSince}
    having count(*) > 0`,
}

/** Published from a template that has a newer version. */
export const outdatedNotice: FactSource = {
  ...OF_CLINIC,
  kind: 'notice_outdated',
  due: () => sql`
    select 'notice_outdated.' || t.version as key, t.published_at as at, ${NOBODY},
      jsonb_build_object('version', t.version) as params
    from privacy_notices n
    join (select version, published_at from privacy_notice_templates order by version desc limit 1) t
      on t.version > n.source_template_version
    where n.organization_id = ${CLINIC}`,
}

/** Whose record is missing, or that are not in use because of that. */
export const failingDomains: FactSource = {
  ...OF_CLINIC,
  kind: 'domain_failing',
  due: (asked) => sql`
    select 'domain_failing.' || d.id || '.' || d.status || '.' || ${stamp(sql`d.since`)} as key, d.since as at, ${NOBODY},
      jsonb_build_object('domain_id', d.id, 'domain', d.domain, 'status', d.status) as params
    from (select o.*, coalesce(o.record_missing_since, o.last_checked_at, o.created_at) as since
      from organization_domains o where o.organization_id = ${CLINIC}) d
    where (d.status = 'failed' or d.record_missing_since is not null) ${onlyIds(sql`d.id`, asked)}`,
}

/** Nobody notes when a limit was reached. */
export const reachedLimits: FactSource = {
  ...OF_CLINIC,
  kind: 'limit_reached',
  due: () => sql`
    select 'limit_reached.' || u.name || '.' || (to_jsonb(l) ->> u.name) as key, null::timestamptz as at, ${NOBODY},
      jsonb_build_object('limit', u.name, 'max', (to_jsonb(l) ->> u.name)::integer, 'current', u.current) as params
    from organization_usage u
    join organizations o on o.id = u.organization_id
    join plans l on l.code = o.plan
    where u.organization_id = ${CLINIC} and u.current > 0 and u.current >= (to_jsonb(l) ->> u.name)::integer`,
}
