-- Takes deliveries that are due and keeps them for the lease. Starts from the endpoints that have something waiting (a loose
-- index scan), and takes from each at most what it has room for: 4 at a time, 1 after ten failures in a row, and no more
-- than its rate limit. So an endpoint that does not answer delays no other. The organization with the fewest requests in
-- progress is next, and none has more than 32. A delivery whose worker died is due again when its lease ends.
-- Security definer (all organizations): the worker delivers for every organization.
create or replace function lease_webhook_deliveries(p_limit integer, p_now timestamptz, p_lease interval) returns table (
  id uuid, organization_id uuid, subscription_id uuid, event_id uuid, attempt integer, retry_count integer, url text, body bytea,
  secret_encrypted bytea, previous_secret_encrypted bytea, discard_reason text, automation_rule_ids uuid[]
) language sql security definer set search_path = public as $$
  with recursive waiting as (
    (select d.subscription_id from webhook_deliveries d where d.status in ('pending', 'delivering', 'retrying')
      order by d.subscription_id limit 1)
    union all
    select (select d.subscription_id from webhook_deliveries d where d.status in ('pending', 'delivering', 'retrying')
      and d.subscription_id > w.subscription_id order by d.subscription_id limit 1)
    from waiting w where w.subscription_id is not null
  ),
  endpoint as (
    select s.id, s.organization_id, b.busy, greatest(0, least(
      case when s.consecutive_failures >= 10 then 1 else 4 end - b.busy,
      case when s.rate_limit_per_second is null then 4
        when s.rate_window_started_at > p_now - interval '1 second' then s.rate_limit_per_second - s.rate_window_count
        else s.rate_limit_per_second end)) as room
    from webhook_subscriptions s
    cross join lateral (
      select count(*) as busy from webhook_deliveries d
      where d.subscription_id = s.id and d.status = 'delivering' and d.next_attempt_at > p_now
    ) b
    where s.is_active and s.id in (select w.subscription_id from waiting w)
    for no key update of s skip locked
  ),
  candidate as (
    select d.*, e.organization_id from endpoint e cross join lateral (
      select w.id, w.subscription_id, w.next_attempt_at from webhook_deliveries w
      where w.subscription_id = e.id and w.status in ('pending', 'delivering', 'retrying') and w.next_attempt_at <= p_now
      order by w.next_attempt_at, w.id limit e.room for update skip locked
    ) d
  ),
  ranked as (
    select c.*, row_number() over (partition by c.organization_id order by c.next_attempt_at, c.id)
      + (select sum(e.busy) from endpoint e where e.organization_id = c.organization_id) as place
    from candidate c
  ),
  due as (
    select r.id, r.subscription_id from ranked r where r.place <= 32 order by r.place, r.next_attempt_at, r.id limit p_limit
  ),
  counted as (
    update webhook_subscriptions s set
      rate_window_count = n.taken
        + case when s.rate_window_started_at > p_now - interval '1 second' then s.rate_window_count else 0 end,
      rate_window_started_at =
        case when s.rate_window_started_at > p_now - interval '1 second' then s.rate_window_started_at else p_now end
    from (select due.subscription_id, count(*)::integer as taken from due group by 1) n
    where s.id = n.subscription_id and s.rate_limit_per_second is not null
  )
  update webhook_deliveries d set status = 'delivering', attempt_count = d.attempt_count + 1, next_attempt_at = p_now + p_lease
  from due join webhook_subscriptions s on s.id = due.subscription_id, webhook_events e
  where d.id = due.id and e.id = d.event_id
  returning d.id, d.organization_id, d.subscription_id, d.event_id, d.attempt_count, d.retry_count, s.url, e.body, s.secret_encrypted,
    case when s.previous_secret_expires_at > p_now then s.previous_secret_encrypted end,
    case when e.body is null then 'patient_erased' else (
      select case when p.erased_at is not null then 'patient_erased' when p.restricted_at is not null then 'patient_restricted' end
      from patients p where p.organization_id = e.organization_id and p.patient_profile_id = e.patient_profile_id) end,
    e.automation_rule_ids
$$;
alter function lease_webhook_deliveries(integer, timestamptz, interval) owner to tendon_definer;
grant execute on function lease_webhook_deliveries(integer, timestamptz, interval) to tendon_worker;

-- For metrics: deliveries that are due and not being sent. Security definer (all organizations): over all organizations.
create or replace function webhook_backlog() returns table (waiting bigint, oldest_seconds double precision)
language sql stable security definer set search_path = public as $$
  select count(*), coalesce(extract(epoch from now() - min(next_attempt_at)), 0) from webhook_deliveries
  where status in ('pending', 'delivering', 'retrying') and next_attempt_at <= now()
$$;
alter function webhook_backlog() owner to tendon_definer;
grant execute on function webhook_backlog() to tendon_worker;

-- Records the results of attempts. A delivered delivery stays delivered, whatever a slower worker reports later; one that was
-- discarded with its subscription stays discarded.
-- A failed test counts neither as a failure of the subscription nor towards its deactivation.
-- Subscriptions are locked in the order of their ids, to avoid deadlocks.
-- Security definer (all organizations): the worker delivers for every organization; a member marks those of their own.
create or replace function mark_webhook_attempts(p_outcomes jsonb) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from webhook_subscriptions s
    where s.id in (select (o ->> 'subscription_id')::uuid from jsonb_array_elements(p_outcomes) o)
    order by s.id for no key update;
  with outcome as materialized (
    select o.*, d.organization_id, d.trigger, e.event = 'webhook.test' as is_test from jsonb_to_recordset(p_outcomes) as o (
      id uuid, subscription_id uuid, attempt integer, status text, next_attempt_at timestamptz, discard_reason text,
      requested_at timestamptz, duration_ms integer, response_status integer, response_body text, error text)
    join webhook_deliveries d on d.id = o.id and d.subscription_id = o.subscription_id
    join webhook_events e on e.id = d.event_id
    where (current_app_scope() is null or d.organization_id = current_app_scope())
      and current_app_has_permission('webhooks', 'manage')
  ),
  tried as (
    insert into webhook_attempts (organization_id, delivery_id, attempt_number, trigger, requested_at, duration_ms,
      response_status, response_body, error)
    select o.organization_id, o.id, o.attempt, o.trigger, o.requested_at, o.duration_ms, o.response_status, o.response_body, o.error
    from outcome o where o.status <> 'discarded'
    on conflict (delivery_id, attempt_number) do nothing
  ),
  marked as (
    update webhook_deliveries d set status = o.status, next_attempt_at = o.next_attempt_at, discard_reason = o.discard_reason,
      retry_count = d.retry_count + 1, trigger = 'scheduled',
      delivered_at = case when o.status = 'delivered' then o.requested_at else d.delivered_at end
    from outcome o where d.id = o.id and d.status <> 'delivered'
      and (o.status = 'delivered' or (d.attempt_count = o.attempt and d.status <> 'discarded'))
  )
  update webhook_subscriptions s set
    last_success_at = coalesce(n.succeeded_at, s.last_success_at),
    consecutive_failures = case when n.succeeded_at is not null then 0 else s.consecutive_failures + n.failures end,
    first_failure_at = case when n.succeeded_at is not null then null else coalesce(s.first_failure_at, n.failed_at) end,
    last_failure_at = coalesce(n.failed_at, s.last_failure_at)
  from (
    select o.subscription_id, max(o.requested_at) filter (where o.status = 'delivered') as succeeded_at,
      max(o.requested_at) filter (where o.status <> 'delivered') as failed_at,
      (count(*) filter (where o.status <> 'delivered'))::integer as failures
    from outcome o where o.status <> 'discarded' and (o.status = 'delivered' or not o.is_test) group by o.subscription_id
  ) n where s.id = n.subscription_id;
end
$$;
alter function mark_webhook_attempts(jsonb) owner to tendon_definer;
grant execute on function mark_webhook_attempts(jsonb) to tendon_app;

-- Records the results of attempts, then takes deliveries that are due: one commit instead of two.
create or replace function mark_and_lease_webhook_deliveries(
  p_outcomes jsonb, p_limit integer, p_now timestamptz, p_lease interval
) returns table (
  id uuid, organization_id uuid, subscription_id uuid, event_id uuid, attempt integer, retry_count integer, url text, body bytea,
  secret_encrypted bytea, previous_secret_encrypted bytea, discard_reason text, automation_rule_ids uuid[]
) language plpgsql as $$
begin
  if p_outcomes <> '[]' then
    perform mark_webhook_attempts(p_outcomes);
  end if;
  return query select * from lease_webhook_deliveries(p_limit, p_now, p_lease);
end
$$;
grant execute on function mark_and_lease_webhook_deliveries(jsonb, integer, timestamptz, interval) to tendon_worker;

-- Active subscriptions whose attempts all failed for this long. Security definer (all organizations): covers every organization.
create or replace function list_dead_webhooks(p_failing interval, p_limit integer) returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public as $$
  select s.id, s.organization_id from webhook_subscriptions s
  where s.is_active and s.first_failure_at is not null and s.first_failure_at <= s.last_failure_at - p_failing
  order by s.first_failure_at limit p_limit
$$;
alter function list_dead_webhooks(interval, integer) owner to tendon_definer;
grant execute on function list_dead_webhooks(interval, integer) to tendon_worker;

-- Deletes deliveries after 30 days, failed ones after 90, events without a delivery, and old secrets after their rotation.
-- Security definer (all organizations): covers every organization.
create or replace function delete_old_webhook_rows(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  delete from webhook_deliveries where created_at < p_now - interval '90 days'
    or (created_at < p_now - interval '30 days' and status in ('delivered', 'discarded'));
  delete from webhook_events e where e.created_at < p_now - interval '30 days'
    and not exists (select 1 from webhook_deliveries d where d.organization_id = e.organization_id and d.event_id = e.id);
  update webhook_subscriptions set previous_secret_encrypted = null, previous_secret_expires_at = null
    where previous_secret_encrypted is not null and previous_secret_expires_at <= p_now;
$$;
alter function delete_old_webhook_rows(timestamptz) owner to tendon_definer;
grant execute on function delete_old_webhook_rows(timestamptz) to tendon_worker;
