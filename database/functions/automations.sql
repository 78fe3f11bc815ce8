-- Events of the organization in context, for a simulation. Security definer: members may not read the outbox; those who
-- manage automations get ids, as their rules would.
create or replace function list_events_to_simulate(p_types text[], p_since timestamptz, p_limit integer) returns table (
  id uuid, type text, payload jsonb, occurred_at timestamptz
) language sql stable security definer set search_path = public as $$
  select e.id, e.type, e.payload, e.occurred_at from outbox_events e
  where e.organization_id = current_app_org_id() and current_app_has_permission('automations', 'manage')
    and e.type = any (p_types) and e.occurred_at >= p_since
  order by e.occurred_at desc limit p_limit
$$;
alter function list_events_to_simulate(text[], timestamptz, integer) owner to tendon_definer;
grant execute on function list_events_to_simulate(text[], timestamptz, integer) to tendon_app;

-- Executions without progress for a day. Security definer: covers every organization.
create or replace function time_out_automation_executions(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  update automation_executions set status = 'timed_out', finished_at = p_now
  where status in ('queued', 'running') and progressed_at < p_now - interval '24 hours'
$$;
alter function time_out_automation_executions(timestamptz) owner to tendon_definer;
grant execute on function time_out_automation_executions(timestamptz) to tendon_worker;
