-- Executions without progress since then. While a rule is switched off, its executions are held for
-- 30 days longer (HELD_DAYS in rules.ts). Security definer (all organizations): covers every organization.
create or replace function list_stalled_automation_executions(p_before timestamptz, p_limit integer)
returns table (id uuid, organization_id uuid) language sql stable security definer set search_path = public as $$
  select e.id, e.organization_id from automation_executions e
  join automation_rules r on r.organization_id = e.organization_id and r.id = e.rule_id
  where e.status in ('queued', 'running', 'paused') and e.progressed_at < p_before
    and case when r.is_active then coalesce(r.switched_on_at < p_before, true) else e.progressed_at < p_before - interval '30 days' end
  order by e.progressed_at limit p_limit
$$;
alter function list_stalled_automation_executions(timestamptz, integer) owner to tendon_definer;
grant execute on function list_stalled_automation_executions(timestamptz, integer) to tendon_worker;

-- Executions 90 days after their end. Security definer (all organizations): covers every organization.
create or replace function delete_old_automation_executions(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  delete from automation_executions where finished_at < p_now - interval '90 days'
$$;
alter function delete_old_automation_executions(timestamptz) owner to tendon_definer;
grant execute on function delete_old_automation_executions(timestamptz) to tendon_worker;
