-- How much of a plan's limits an organization uses. The counter's row lock makes caps exact under parallel creates.

create table organization_usage (
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null check (name in ('max_specialists')),
  current integer not null default 0 check (current >= 0),
  primary key (organization_id, name)
);
alter table organization_usage enable row level security;
alter table organization_usage force row level security;
create policy organization_usage_select on organization_usage for select using (organization_id = (select current_app_org_id()));
grant select on organization_usage to tendon_app;

-- The cap of an organization's plan; null: unlimited.
create function plan_limit(p_organization_id uuid, p_name text) returns integer
language sql stable security definer set search_path = public as $$
  select case p_name when 'max_specialists' then p.max_specialists end
  from organizations o join plans p on p.code = o.plan where o.id = p_organization_id
$$;
alter function plan_limit(uuid, text) owner to tendon_definer;

-- Takes `p_change` from a limit (negative gives back). Called by triggers of the counted tables.
create function use_limit(p_organization_id uuid, p_name text, p_change integer) returns void
language plpgsql security definer set search_path = public as $$
declare
  v_current integer;
begin
  insert into organization_usage (organization_id, name, current) values (p_organization_id, p_name, 0) on conflict do nothing;
  update organization_usage set current = current + p_change
    where organization_id = p_organization_id and name = p_name returning current into v_current;
  if p_change > 0 and v_current > plan_limit(p_organization_id, p_name) then
    raise exception 'limit % reached', p_name
      using errcode = 'check_violation', constraint = 'organization_usage_limit_check', column = p_name;
  end if;
end
$$;
alter function use_limit(uuid, text, integer) owner to tendon_definer;
