-- Takes mails that are due and keeps them for the lease; a mail whose worker died is due again when its lease ends.
-- Security definer: the worker sends the mail of every organization.
create or replace function lease_mails(p_limit integer, p_now timestamptz, p_lease interval) returns setof uuid
language sql security definer set search_path = public as $$
  update mail_outbox m set status = 'sending', attempts = m.attempts + 1, locked_until = p_now + p_lease
  from (
    select id from mail_outbox
    where status in ('queued', 'sending') and next_attempt_at <= p_now and (locked_until is null or locked_until <= p_now)
    order by next_attempt_at, id limit p_limit for update skip locked
  ) due where m.id = due.id returning m.id
$$;
alter function lease_mails(integer, timestamptz, interval) owner to tendon_definer;
grant execute on function lease_mails(integer, timestamptz, interval) to tendon_worker;

-- Takes one mail of the organization in context to send it at once. Security definer: members may not update the outbox.
create or replace function claim_mail(p_id uuid, p_now timestamptz, p_lease interval) returns setof uuid
language sql security definer set search_path = public as $$
  update mail_outbox set status = 'sending', attempts = attempts + 1, locked_until = p_now + p_lease
  where id = p_id and organization_id = current_app_org_id() and current_app_has_permission('mails', 'manage')
    and status in ('queued', 'failed', 'suppressed') and to_address <> 'erased'
  returning id
$$;
alter function claim_mail(uuid, timestamptz, interval) owner to tendon_definer;
grant execute on function claim_mail(uuid, timestamptz, interval) to tendon_app;

-- Mails under a lease, with what decides whether they are sent now: consent and restriction are read here, not when the
-- mail was written. Security definer: see lease_mails; a member reads those of their organization.
create or replace function read_leased_mails(p_ids uuid[]) returns table (
  id uuid, organization_id uuid, to_address text, template text, language text, data jsonb, kind text, attempts integer,
  created_at timestamptz, organization_name text, contact_email text, time_zone text, restricted boolean, consented boolean
) language sql stable security definer set search_path = public as $$
  select m.id, m.organization_id, m.to_address, m.template, m.language, m.data, m.kind, m.attempts, m.created_at,
    o.name, o.contact_email, o.time_zone,
    exists (select 1 from patients p where p.organization_id = m.organization_id
      and p.patient_profile_id = m.patient_profile_id and p.restricted_at is not null),
    exists (select 1 from consents c where c.organization_id = m.organization_id
      and c.patient_profile_id = m.patient_profile_id and c.purpose_code = 'marketing_email' and c.withdrawn_at is null)
  from mail_outbox m left join organizations o on o.id = m.organization_id
  where m.id = any (p_ids) and m.status = 'sending'
    and (current_app_scope() is null or m.organization_id = current_app_scope())
    and current_app_has_permission('mails', 'manage')
$$;
alter function read_leased_mails(uuid[]) owner to tendon_definer;
grant execute on function read_leased_mails(uuid[]) to tendon_app;

-- What became of one attempt. A mail that was sent stays sent, whatever a slower worker says afterwards.
-- Security definer: see read_leased_mails.
create or replace function mark_mail(
  p_id uuid, p_attempt integer, p_status text, p_provider text, p_provider_message_id text, p_error text, p_at timestamptz
) returns void language sql security definer set search_path = public as $$
  update mail_outbox set status = p_status, locked_until = null,
    provider = coalesce(p_provider, provider), provider_message_id = coalesce(p_provider_message_id, provider_message_id),
    last_error = p_error,
    sent_at = case when p_status = 'sent' then p_at else sent_at end,
    next_attempt_at = case when p_status = 'queued' then p_at else next_attempt_at end
  where id = p_id and status <> 'sent' and (p_status = 'sent' or attempts = p_attempt)
    and (current_app_scope() is null or organization_id = current_app_scope())
    and current_app_has_permission('mails', 'manage')
$$;
alter function mark_mail(uuid, integer, text, text, text, text, timestamptz) owner to tendon_definer;
grant execute on function mark_mail(uuid, integer, text, text, text, text, timestamptz) to tendon_app;

-- Which of these fingerprints get no mail, and why. Security definer: suppressions belong to no organization.
create or replace function list_mail_suppressions(p_indexes bytea[]) returns table (address_index bytea, reason text)
language sql stable security definer set search_path = public as $$
  select s.address_index, s.reason from mail_suppressions s where s.address_index = any (p_indexes)
$$;
alter function list_mail_suppressions(bytea[]) owner to tendon_definer;
grant execute on function list_mail_suppressions(bytea[]) to tendon_app;

-- Security definer: see list_mail_suppressions.
create or replace function suppress_mail_address(p_index bytea, p_reason text) returns void
language sql security definer set search_path = public as $$
  insert into mail_suppressions (address_index, reason) values (p_index, p_reason) on conflict (address_index) do nothing
$$;
alter function suppress_mail_address(bytea, text) owner to tendon_definer;
grant execute on function suppress_mail_address(bytea, text) to tendon_app;

-- Whose consent the unsubscribe link of a mail withdraws. Security definer: the reader of a mail is not signed in; the
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
-- Security definer: covers every organization.
create or replace function clear_old_mails(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  update mail_outbox set to_address = 'erased', data = '{}'
  where data <> '{}' and created_at < p_now - interval '30 days'
    and status in ('sent', 'failed', 'suppressed') and coalesce(sent_at, next_attempt_at) < p_now - interval '30 days'
$$;
alter function clear_old_mails(timestamptz) owner to tendon_definer;
grant execute on function clear_old_mails(timestamptz) to tendon_worker;
