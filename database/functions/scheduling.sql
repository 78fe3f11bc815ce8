-- Soft-deletes; returns null when there is no such row. Security definer: the deleted row is invisible to its writer, so a
-- plain update under row-level security fails.
create or replace function delete_service(p_id uuid) returns timestamptz
language sql security definer set search_path = public as $$
  with deleted as (
    update services set deleted_at = now()
    where organization_id = current_app_org_id() and id = p_id and deleted_at is null
      and current_app_has_permission('services', 'manage')
    returning deleted_at)
  select deleted_at from deleted
$$;
alter function delete_service(uuid) owner to tendon_definer;
grant execute on function delete_service(uuid) to tendon_app;

-- Security definer: see delete_service.
create or replace function delete_product(p_id uuid) returns timestamptz
language sql security definer set search_path = public as $$
  with deleted as (
    update products set deleted_at = now()
    where organization_id = current_app_org_id() and id = p_id and deleted_at is null
      and current_app_has_permission('services', 'manage')
    returning deleted_at)
  select deleted_at from deleted
$$;
alter function delete_product(uuid) owner to tendon_definer;
grant execute on function delete_product(uuid) to tendon_app;

-- Security definer: see delete_service.
create or replace function delete_service_plan(p_id uuid) returns timestamptz
language sql security definer set search_path = public as $$
  with deleted as (
    update service_plans set deleted_at = now()
    where organization_id = current_app_org_id() and id = p_id and deleted_at is null
      and current_app_has_permission('services', 'manage')
    returning deleted_at)
  select deleted_at from deleted
$$;
alter function delete_service_plan(uuid) owner to tendon_definer;
grant execute on function delete_service_plan(uuid) to tendon_app;

-- The public services of a clinic with who offers them where. Security definer: a visitor has no organization in context.
create or replace function public_services(p_slug text) returns table (service jsonb)
language sql stable security definer set search_path = public as $$
  select jsonb_build_object(
    'id', s.id, 'name', s.name, 'slug', s.slug, 'description', s.description, 'translations', s.translations,
    'duration_minutes', s.duration_minutes, 'modes', s.modes, 'requires_confirmation', s.requires_confirmation,
    'cancel_notice_minutes', s.cancel_notice_minutes, 'max_days_ahead', s.max_days_ahead, 'color', s.color,
    'price_cents', s.price_cents, 'currency', s.currency,
    'specialists', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'title', p.title) order by p.name, p.id), '[]')
      from specialists p
      where p.organization_id = s.organization_id and p.deleted_at is null and p.scheduling_active
        and (not exists (select 1 from service_specialists l where l.organization_id = s.organization_id and l.service_id = s.id)
          or exists (select 1 from service_specialists l
            where l.organization_id = s.organization_id and l.service_id = s.id and l.specialist_id = p.id))),
    'locations', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'city', c.address ->> 'city') order by c.name, c.id), '[]')
      from locations c
      where c.organization_id = s.organization_id and c.deleted_at is null
        and (not exists (select 1 from service_locations l where l.organization_id = s.organization_id and l.service_id = s.id)
          or exists (select 1 from service_locations l
            where l.organization_id = s.organization_id and l.service_id = s.id and l.location_id = c.id))))
  from organizations o join services s on s.organization_id = o.id
  where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null
  order by s.name, s.id
$$;
alter function public_services(text) owner to tendon_definer;
grant execute on function public_services(text) to tendon_app;
