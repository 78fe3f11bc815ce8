-- Takes mails that are due and keeps them for the lease; a mail whose worker died is due again when its lease ends. Takes at
-- most p_per_clinic of one organization, less those in flight: p_busy names the organization of each mail in flight, once for
-- each mail. One whose mail server does not answer delays no other.
-- Security definer (all organizations): the worker sends the mail of every organization.
create or replace function lease_mails(
  p_limit integer, p_per_clinic integer, p_busy uuid[], p_now timestamptz, p_lease interval
) returns setof uuid language sql security definer set search_path = public as $$
  with busy as (select b.id, count(*) as mails from unnest(p_busy) as b (id) group by b.id)
  update mail_outbox m set status = 'sending', attempts = m.attempts + 1, locked_until = p_now + p_lease
  from (
    select o.id from mail_outbox o
    where o.id in (
        select c.id from (
          select d.id, d.organization_id, d.next_attempt_at,
            row_number() over (partition by d.organization_id order by d.next_attempt_at, d.id) as place
          from (
            select q.id, q.organization_id, q.next_attempt_at from mail_outbox q
            where q.status in ('queued', 'sending') and q.next_attempt_at <= p_now
              and (q.locked_until is null or q.locked_until <= p_now)
              and not exists (select 1 from busy where busy.id = q.organization_id and busy.mails >= p_per_clinic)
            order by q.next_attempt_at, q.id limit 10 * p_limit
          ) d
        ) c left join busy on busy.id = c.organization_id
        where c.organization_id is null or c.place + coalesce(busy.mails, 0) <= p_per_clinic
        order by c.next_attempt_at, c.id limit 2 * p_limit)
      and o.status in ('queued', 'sending') and (o.locked_until is null or o.locked_until <= p_now)
    order by o.next_attempt_at, o.id limit p_limit for update skip locked
  ) due where m.id = due.id returning m.id
$$;
alter function lease_mails(integer, integer, uuid[], timestamptz, interval) owner to tendon_definer;
grant execute on function lease_mails(integer, integer, uuid[], timestamptz, interval) to tendon_worker;

-- For metrics: mails that are due and not being sent. Security definer (all organizations): over all organizations.
create or replace function mail_backlog() returns table (waiting bigint, oldest_seconds double precision)
language sql stable security definer set search_path = public as $$
  select count(*), coalesce(extract(epoch from now() - min(next_attempt_at)), 0) from mail_outbox
  where status in ('queued', 'sending') and next_attempt_at <= now() and (locked_until is null or locked_until <= now())
$$;
alter function mail_backlog() owner to tendon_definer;
grant execute on function mail_backlog() to tendon_worker;

-- Leased mails, with the data that decides whether they are sent: consent, restriction and the appointment of a reminder are
-- read now, not when the mail was written. Security definer (all organizations): see lease_mails; a member reads those of their organization.
create or replace function read_mails_under_lease(p_ids uuid[]) returns table (
  id uuid, organization_id uuid, to_address text, template text, language text, data jsonb, kind text, attempts integer,
  created_at timestamptz, organization_name text, organization_slug text, contact_email text, time_zone text, restricted boolean,
  consented boolean, is_reminder boolean, visit jsonb, integration_id uuid, integration_version integer, integration_status text
) language sql stable security definer set search_path = public as $$
  select m.id, m.organization_id, m.to_address, m.template, m.language, m.data, m.kind, m.attempts, m.created_at,
    o.name, o.slug, o.contact_email, o.time_zone,
    exists (select 1 from patients p where p.organization_id = m.organization_id
      and p.patient_profile_id = m.patient_profile_id and p.restricted_at is not null),
    exists (select 1 from consents c where c.organization_id = m.organization_id
      and c.patient_profile_id = m.patient_profile_id and c.purpose_code = 'marketing_email' and c.withdrawn_at is null),
    m.appointment_reminder_id is not null,
    (select jsonb_build_object('reminded_starts_at', iso_time(r.starts_at), 'starts_at', iso_time(a.starts_at), 'status', a.status,
        'rescheduled_to_id', a.rescheduled_to_id)
      from appointment_reminders r join appointments a on a.organization_id = r.organization_id and a.id = r.appointment_id
      where r.organization_id = m.organization_id and r.id = m.appointment_reminder_id),
    i.id, i.version, i.status
  from mail_outbox m left join organizations o on o.id = m.organization_id
  left join lateral find_capable_integration(m.organization_id, 'email') i on true
  where m.id = any (p_ids) and m.status = 'sending'
    and (current_app_scope() is null or m.organization_id = current_app_scope())
    and current_app_has_permission('mails', 'manage')
$$;
alter function read_mails_under_lease(uuid[]) owner to tendon_definer;
grant execute on function read_mails_under_lease(uuid[]) to tendon_app;

-- Records the result of one attempt, and the state that it gives to the reminder of the mail. A later report of a slower worker
-- does not change a sent mail.
-- Security definer (all organizations): see read_mails_under_lease.
create or replace function mark_mail(
  p_id uuid, p_attempt integer, p_status text, p_provider text, p_provider_message_id text, p_error text, p_at timestamptz,
  p_reminder_status text, p_reminder_reason text
) returns void language sql security definer set search_path = public as $$
  with marked as (
    update mail_outbox set status = p_status, locked_until = null,
      provider = coalesce(p_provider, provider), provider_message_id = coalesce(p_provider_message_id, provider_message_id),
      last_error = p_error,
      sent_at = case when p_status = 'sent' then p_at else sent_at end,
      next_attempt_at = case when p_status = 'queued' then p_at else next_attempt_at end
    where id = p_id and status <> 'sent' and (p_status = 'sent' or attempts = p_attempt)
      and (current_app_scope() is null or organization_id = current_app_scope())
      and current_app_has_permission('mails', 'manage')
    returning organization_id, appointment_reminder_id
  )
  update appointment_reminders r set status = p_reminder_status, reason = p_reminder_reason from marked m
  where r.organization_id = m.organization_id and r.id = m.appointment_reminder_id and r.status <> 'sent'
$$;
alter function mark_mail(uuid, integer, text, text, text, text, timestamptz, text, text) owner to tendon_definer;
grant execute on function mark_mail(uuid, integer, text, text, text, text, timestamptz, text, text) to tendon_app;

-- Which of these fingerprints get no mail, and why. Security definer (all organizations): suppressions belong to no organization.
create or replace function list_mail_suppressions(p_indexes bytea[]) returns table (address_index bytea, reason text)
language sql stable security definer set search_path = public as $$
  select s.address_index, s.reason from mail_suppressions s where s.address_index = any (p_indexes)
$$;
alter function list_mail_suppressions(bytea[]) owner to tendon_definer;
grant execute on function list_mail_suppressions(bytea[]) to tendon_app;

-- Security definer (all organizations): see list_mail_suppressions.
create or replace function suppress_mail_address(p_index bytea, p_reason text) returns void
language sql security definer set search_path = public as $$
  insert into mail_suppressions (address_index, reason) values (p_index, p_reason) on conflict (address_index) do nothing
$$;
alter function suppress_mail_address(bytea, text) owner to tendon_definer;
grant execute on function suppress_mail_address(bytea, text) to tendon_app;

-- Whose consent the unsubscribe link of a mail withdraws. Security definer (no context yet): the reader of a mail is not signed in; the
-- link carries a signature that the server checks first.
create or replace function find_mail_recipient(p_id uuid) returns table (
  organization_id uuid, organization_name text, patient_profile_id uuid, language text
) language sql stable security definer set search_path = public as $$
  select m.organization_id, o.name, m.patient_profile_id, m.language
  from mail_outbox m join organizations o on o.id = m.organization_id
  where m.id = p_id and m.kind = 'marketing' and m.patient_profile_id is not null
$$;
alter function find_mail_recipient(uuid) owner to tendon_definer;
grant execute on function find_mail_recipient(uuid) to tendon_app;

-- Thirty days after the last thing that happened to a mail, its address and data are cleared; the row stays as proof.
-- Security definer (all organizations): covers every organization.
create or replace function clear_old_mails(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  update mail_outbox set to_address = 'erased', data = '{}'
  where (data <> '{}' or to_address <> 'erased') and created_at < p_now - interval '30 days'
    and status in ('sent', 'failed', 'suppressed') and coalesce(sent_at, next_attempt_at) < p_now - interval '30 days'
$$;
alter function clear_old_mails(timestamptz) owner to tendon_definer;
grant execute on function clear_old_mails(timestamptz) to tendon_worker;

-- The integration of an organization that offers a capability; the newest where there are several.
-- Security definer (all organizations): the worker and every member's mail need it, also without permission to manage integrations.
create or replace function find_capable_integration(p_organization_id uuid, p_capability text) returns table (
  id uuid, version integer, status text
) language sql stable security definer set search_path = public as $$
  select i.id, i.version, i.status from organization_integrations i
  join integration_services s on s.slug = i.service_slug
  where i.organization_id = p_organization_id and p_capability = any (s.capabilities)
    and i.status in ('connected', 'expired', 'error')
  order by i.created_at desc, i.id desc limit 1
$$;
alter function find_capable_integration(uuid, text) owner to tendon_definer;

-- Takes the refresh of a token that ends soon for one caller; a caller after the refresh gets nothing. Security definer (all organizations): used by the worker in any organization.
create or replace function claim_token_refresh(p_id uuid, p_now timestamptz, p_lease interval, p_before timestamptz) returns boolean
language sql security definer set search_path = public as $$
  with claimed as (
    update organization_integrations set token_locked_until = p_now + p_lease
    where id = p_id and organization_id = current_app_org_id() and status in ('connected', 'error')
      and current_app_has_permission('organizations', 'manage_integrations')
      and token_expires_at <= p_before and (token_locked_until is null or token_locked_until <= p_now)
    returning 1
  ) select exists (select 1 from claimed)
$$;
alter function claim_token_refresh(uuid, timestamptz, interval, timestamptz) owner to tendon_definer;
grant execute on function claim_token_refresh(uuid, timestamptz, interval, timestamptz) to tendon_app;

-- Integrations whose token ends soon. Security definer (all organizations): covers every organization.
create or replace function list_tokens_to_refresh(p_before timestamptz, p_limit integer) returns table (
  id uuid, organization_id uuid
) language sql stable security definer set search_path = public as $$
  select i.id, i.organization_id from organization_integrations i
  where i.status = 'connected' and i.token_expires_at is not null and i.token_expires_at <= p_before
  order by i.token_expires_at limit p_limit
$$;
alter function list_tokens_to_refresh(timestamptz, integer) owner to tendon_definer;
grant execute on function list_tokens_to_refresh(timestamptz, integer) to tendon_worker;

-- Integrations that were not checked since. Security definer (all organizations): covers every organization.
create or replace function list_integrations_to_check(p_before timestamptz, p_limit integer) returns table (
  id uuid, organization_id uuid
) language sql stable security definer set search_path = public as $$
  select i.id, i.organization_id from organization_integrations i
  where i.status in ('connected', 'error') and (i.last_health_check_at is null or i.last_health_check_at < p_before)
  order by i.last_health_check_at nulls first limit p_limit
$$;
alter function list_integrations_to_check(timestamptz, integer) owner to tendon_definer;
grant execute on function list_integrations_to_check(timestamptz, integer) to tendon_worker;

-- Pending integrations after 30 minutes, states that ended a day ago, messages after 30 days.
-- Security definer (all organizations): covers every organization.
create or replace function delete_expired_integration_rows(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  delete from organization_integrations where status = 'pending' and created_at < p_now - interval '30 minutes';
  delete from oauth_states where expires_at < p_now - interval '1 day';
  delete from integration_messages where received_at < p_now - interval '30 days';
$$;
alter function delete_expired_integration_rows(timestamptz) owner to tendon_definer;
grant execute on function delete_expired_integration_rows(timestamptz) to tendon_worker;

-- Spends a state: the first caller gets it, every other gets nothing. With the permission that its principal holds now.
-- Security definer (no context yet): the browser that comes back from a provider carries no session.
create or replace function spend_oauth_state(p_state_hash bytea, p_cookie_hash bytea, p_now timestamptz) returns table (
  organization_id uuid, integration_id uuid, principal_id uuid, verifier_encrypted bytea, redirect_uri text,
  return_path text, service_slug text, holds boolean
) language plpgsql security definer set search_path = public as $$
declare
  v oauth_states;
begin
  update oauth_states s set used_at = p_now
    where s.state_hash = p_state_hash and s.cookie_hash = p_cookie_hash and s.used_at is null and s.expires_at > p_now
    returning s.* into v;
  if not found then
    return;
  end if;
  return query select v.organization_id, v.integration_id, v.principal_id, v.verifier_encrypted, v.redirect_uri,
    v.return_path, i.service_slug,
    exists (select 1 from organization_memberships m join role_permissions r on r.role_id = m.role_id
      where m.organization_id = v.organization_id and m.principal_id = v.principal_id
        and r.permission_code = 'organizations.manage_integrations')
  from organization_integrations i where i.id = v.integration_id;
end
$$;
alter function spend_oauth_state(bytea, bytea, timestamptz) owner to tendon_definer;
grant execute on function spend_oauth_state(bytea, bytea, timestamptz) to tendon_app;

-- The integration behind the token of an inbound URL. Security definer (no context yet): the sender is not signed in.
create or replace function find_inbound_integration(p_token_hash bytea) returns table (
  id uuid, organization_id uuid, config jsonb, credentials_encrypted bytea
) language sql stable security definer set search_path = public as $$
  select i.id, i.organization_id, i.config, i.credentials_encrypted from organization_integrations i
  where i.inbound_token_hash = p_token_hash and i.status in ('connected', 'error')
$$;
alter function find_inbound_integration(bytea) owner to tendon_definer;
grant execute on function find_inbound_integration(bytea) to tendon_app;

-- The provider of the platform for a capability; an inactive one is not seen.
-- Security definer (all organizations): every clinic's mail needs it; the credentials are sealed.
create or replace function find_platform_provider(p_capability text) returns table (
  id uuid, provider text, credentials_encrypted bytea, config jsonb, status text, updated_at timestamptz
) language sql stable security definer set search_path = public as $$
  select p.id, p.provider, p.credentials_encrypted, p.config, p.status, p.updated_at from platform_service_providers p
  where p.capability = p_capability and p.status in ('active', 'error')
$$;
alter function find_platform_provider(text) owner to tendon_definer;
grant execute on function find_platform_provider(text) to tendon_app;

-- Security definer (all organizations): see find_platform_provider.
create or replace function list_platform_providers_to_check(p_before timestamptz) returns table (capability text)
language sql stable security definer set search_path = public as $$
  select p.capability from platform_service_providers p
  where p.status in ('active', 'error') and (p.last_health_check_at is null or p.last_health_check_at < p_before)
$$;
alter function list_platform_providers_to_check(timestamptz) owner to tendon_definer;
grant execute on function list_platform_providers_to_check(timestamptz) to tendon_worker;

-- The result of a health check: an error, or null for success. Security definer (all organizations): see find_platform_provider.
create or replace function record_platform_provider_check(p_id uuid, p_error text, p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  update platform_service_providers set last_health_check_at = p_now,
    status = case when p_error is null then 'active' else 'error' end,
    last_error = coalesce(p_error, last_error),
    last_error_at = case when p_error is null then last_error_at else p_now end
  where id = p_id and status <> 'inactive'
$$;
alter function record_platform_provider_check(uuid, text, timestamptz) owner to tendon_definer;
grant execute on function record_platform_provider_check(uuid, text, timestamptz) to tendon_worker;

-- The row of a capability that the settings decide (storage, auth): shown and checked, never edited.
-- Security definer (all organizations): see find_platform_provider.
create or replace function mirror_platform_provider(p_capability text, p_provider text, p_config jsonb) returns void
language plpgsql security definer set search_path = public as $$
begin
  update platform_service_providers set provider = p_provider, config = p_config, updated_at = now()
    where capability = p_capability and status <> 'inactive' and (provider, config) is distinct from (p_provider, p_config);
  insert into platform_service_providers (capability, provider, config) values (p_capability, p_provider, p_config)
    on conflict (capability) where status <> 'inactive' do nothing;
end
$$;
alter function mirror_platform_provider(text, text, jsonb) owner to tendon_definer;
grant execute on function mirror_platform_provider(text, text, jsonb) to tendon_worker;
