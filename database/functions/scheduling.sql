-- The public services of a clinic with who offers them where. Security definer (no context yet): a visitor has no organization in context.
create or replace function public_services(p_slug text) returns table (service jsonb)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select jsonb_build_object(
      'id', s.id, 'name', s.name, 'slug', s.slug, 'description', s.description, 'translations', s.translations,
      'duration_minutes', s.duration_minutes, 'modes', s.modes, 'requires_confirmation', s.requires_confirmation,
      'cancel_notice_minutes', s.cancel_notice_minutes, 'reschedule_notice_minutes', s.reschedule_notice_minutes,
      'max_days_ahead', s.max_days_ahead, 'color', s.color,
      'price_cents', s.price_cents, 'currency', s.currency, 'time_zone', o.time_zone,
      'specialists', (
        select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'title', p.title) order by p.name, p.id), '[]')
        from specialists p
        where p.organization_id = s.organization_id and p.deleted_at is null and p.scheduling_active
          and (not exists (select 1 from service_specialists l where l.organization_id = s.organization_id and l.service_id = s.id)
            or exists (select 1 from service_specialists l
              where l.organization_id = s.organization_id and l.service_id = s.id and l.specialist_id = p.id))),
      'locations', (
        select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'city', c.address ->> 'city',
          'address', c.address, 'phone', c.phone) order by c.name, c.id), '[]')
        from locations c
        where c.organization_id = s.organization_id and c.deleted_at is null
          and (not exists (select 1 from service_locations l where l.organization_id = s.organization_id and l.service_id = s.id)
            or exists (select 1 from service_locations l
              where l.organization_id = s.organization_id and l.service_id = s.id and l.location_id = c.id))))
    from organizations o join services s on s.organization_id = o.id
    where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null
    order by s.name, s.id;
end
$$;
alter function public_services(text) owner to tendon_definer;
grant execute on function public_services(text) to tendon_app;

-- The time zone in which a specialist's hours are written. Security definer (expression in a list): readers of calendars need it,
-- also without the permission to see specialists.
create or replace function specialist_time_zone(p_id uuid) returns text
language plpgsql stable security definer set search_path = public as $$
begin
  return (select scheduling_timezone from specialists where organization_id = current_app_org_id() and id = p_id);
end
$$;
alter function specialist_time_zone(uuid) owner to tendon_definer;
grant execute on function specialist_time_zone(uuid) to tendon_app;

-- Everything that availability of one service is computed from, in one statement: the service, active calendars with their
-- hours and overrides, closures, taken time (holds that have not expired, appointments, busy times) as milliseconds, busy times alone, and the
-- starts of appointments and active holds of a service with a limit per day, without the visit p_moves (see count_booked). As json, not jsonb: no query reads inside it. Taken time is an array of starts and
-- one of ends, and date_part gives doubles where extract gives numerics: half the time for thousands of claims.
-- In PL/pgSQL, which keeps the plan, for one role: planning takes longer than the statement. Only the two functions below call it.
create or replace function find_availability(p_organization uuid, p_service uuid, p_specialist uuid, p_location uuid,
  p_from timestamptz, p_to timestamptz, p_moves uuid default null)
returns json language plpgsql stable set search_path = public set plan_cache_mode = force_generic_plan as $$
begin return (
  with service as (
    select * from services where organization_id = p_organization and id = p_service and deleted_at is null),
  open as (
    select c.*, p.scheduling_timezone from service v
    join calendars c on c.organization_id = v.organization_id and c.is_active
    join specialists p on p.organization_id = c.organization_id and p.id = c.specialist_id
      and p.deleted_at is null and p.scheduling_active
    where (p_specialist is null or c.specialist_id = p_specialist)
      and (p_location is null or c.location_id = p_location)
      and (c.location_id is null or not exists (select 1 from locations l
        where l.organization_id = c.organization_id and l.id = c.location_id and l.deleted_at is not null))
      and (not exists (select 1 from calendar_services s where s.organization_id = c.organization_id and s.calendar_id = c.id)
        or exists (select 1 from calendar_services s
          where s.organization_id = c.organization_id and s.calendar_id = c.id and s.service_id = v.id))
      and (not exists (select 1 from service_specialists s where s.organization_id = v.organization_id and s.service_id = v.id)
        or exists (select 1 from service_specialists s
          where s.organization_id = v.organization_id and s.service_id = v.id and s.specialist_id = c.specialist_id))
      and (c.location_id is null
        or not exists (select 1 from service_locations s where s.organization_id = v.organization_id and s.service_id = v.id)
        or exists (select 1 from service_locations s
          where s.organization_id = v.organization_id and s.service_id = v.id and s.location_id = c.location_id))),
  people as (select distinct specialist_id from open)
  select json_build_object(
    'service', (select json_build_object('id', id, 'duration_minutes', duration_minutes,
      'buffer_before_minutes', buffer_before_minutes, 'buffer_after_minutes', buffer_after_minutes,
      'slot_interval_minutes', slot_interval_minutes, 'min_notice_minutes', min_notice_minutes,
      'max_days_ahead', max_days_ahead, 'max_per_day', max_per_day, 'modes', modes, 'status', status, 'is_public', is_public,
      'requires_confirmation', requires_confirmation, 'price_cents', price_cents, 'currency', currency) from service),
    'calendars', (select coalesce(json_agg(json_build_object('id', o.id, 'specialist_id', o.specialist_id,
        'location_id', o.location_id, 'time_zone', o.scheduling_timezone, 'weekly_hours', o.weekly_hours,
        'overrides', (select coalesce(json_agg(json_build_object('date', v.date, 'date_to', v.date_to, 'windows', v.windows,
            'service_id', v.service_id) order by v.created_at, v.id), '[]')
          from calendar_overrides v where v.organization_id = o.organization_id and v.calendar_id = o.id
            and coalesce(v.date_to, v.date) >= (p_from - interval '2 days')::date
            and v.date <= (p_to + interval '2 days')::date))), '[]') from open o),
    'closures', (select coalesce(json_agg(json_build_object('date', date, 'date_to', date_to, 'location_id', location_id)), '[]')
      from closures where organization_id = p_organization and coalesce(date_to, date) >= (p_from - interval '2 days')::date
        and date <= (p_to + interval '2 days')::date),
    'taken', (select coalesce(json_object_agg(specialist_id, spans), '{}') from (
      select t.specialist_id, json_build_array(array_agg((date_part('epoch', t.starts_at) * 1000)::bigint),
          array_agg((date_part('epoch', t.ends_at) * 1000)::bigint)) as spans
      from (
        select c.specialist_id, c.starts_at, c.ends_at from time_claims c join people using (specialist_id)
        where c.organization_id = p_organization and c.starts_at < p_to + interval '1 day'
          and c.starts_at > p_from - interval '2 days' and c.ends_at > p_from - interval '1 day'
          and (c.kind = 'appointment' or c.expires_at > clock_timestamp())
        union all
        select b.specialist_id, b.starts_at, b.ends_at from busy_times b join people using (specialist_id)
        where b.organization_id = p_organization and b.starts_at < p_to + interval '1 day' and b.ends_at > p_from - interval '1 day'
      ) t group by t.specialist_id) s),
    'busy', (select coalesce(json_object_agg(specialist_id, spans), '{}') from (
      select b.specialist_id, json_build_array(array_agg((date_part('epoch', b.starts_at) * 1000)::bigint),
          array_agg((date_part('epoch', b.ends_at) * 1000)::bigint)) as spans
      from busy_times b join people using (specialist_id)
      where b.organization_id = p_organization and b.starts_at < p_to + interval '1 day' and b.ends_at > p_from - interval '1 day'
      group by b.specialist_id) s),
    'booked', (select coalesce(json_object_agg(specialist_id, starts), '{}') from (
      select b.specialist_id, array_agg((date_part('epoch', b.starts_at) * 1000)::bigint) as starts
      from (
        select a.specialist_id, a.starts_at from appointments a
        where a.organization_id = p_organization and a.service_id = p_service and (select max_per_day from service) is not null
          and (a.status in ('pending', 'confirmed') and a.calendar_uid is distinct from p_moves
            or a.status in ('checked_in', 'completed', 'no_show'))
          and a.starts_at between p_from - interval '2 days' and p_to + interval '2 days'
        union all
        select h.specialist_id, h.starts_at from holds h
        where h.organization_id = p_organization and h.service_id = p_service and (select max_per_day from service) is not null
          and h.status = 'active' and h.expires_at > clock_timestamp()
          and h.starts_at between p_from - interval '2 days' and p_to + interval '2 days'
          and (h.moves_calendar_uid is null or not exists (select 1 from appointments a join specialists p
              on p.organization_id = a.organization_id and p.id = a.specialist_id
            where a.organization_id = h.organization_id and a.service_id = h.service_id and a.specialist_id = h.specialist_id
              and a.calendar_uid = h.moves_calendar_uid and a.status in ('pending', 'confirmed')
              and (a.starts_at at time zone p.scheduling_timezone)::date = (h.starts_at at time zone p.scheduling_timezone)::date))
      ) b join people using (specialist_id)
      group by b.specialist_id) s)));
end
$$;
alter function find_availability(uuid, uuid, uuid, uuid, timestamptz, timestamptz, uuid) owner to tendon_definer;

-- For the service of the clinic in context. Security definer (lock or index): with the policies of nine tables the statement
-- is planned for longer than it runs.
create or replace function find_service_availability(p_service uuid, p_specialist uuid, p_location uuid, p_from timestamptz, p_to timestamptz)
returns json language plpgsql stable security definer set search_path = public as $$
begin
  return (select find_availability(current_app_org_id(), p_service, p_specialist, p_location, p_from, p_to)
    where current_app_is_service());
end
$$;
alter function find_service_availability(uuid, uuid, uuid, timestamptz, timestamptz) owner to tendon_definer;
grant execute on function find_service_availability(uuid, uuid, uuid, timestamptz, timestamptz) to tendon_app;

-- For visitors and patients: public, active services of the clinic with this slug. Security definer (no context yet): no organization is in
-- context. The answer names no patient; the API gives free times alone.
create or replace function find_public_availability(p_slug text, p_service uuid, p_specialist uuid, p_location uuid,
  p_from timestamptz, p_to timestamptz, p_moves uuid)
returns json language plpgsql stable security definer set search_path = public as $$
begin
  return (select find_availability(o.id, s.id, p_specialist, p_location, p_from, p_to, p_moves)
    from organizations o join services s on s.organization_id = o.id and s.id = p_service
    where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null);
end
$$;
alter function find_public_availability(text, uuid, uuid, uuid, timestamptz, timestamptz, uuid) owner to tendon_definer;
grant execute on function find_public_availability(text, uuid, uuid, uuid, timestamptz, timestamptz, uuid) to tendon_app;

-- Appointments as forms show them. "offset 0" makes the planner find each by its id instead of reading all appointments
-- of the clinic. Security definer (expression in a list): a reader of the form also sees its appointment.
create or replace function appointments_of_forms(p_ids uuid[]) returns setof jsonb
language plpgsql stable security definer set search_path = public as $$
declare
  v_clinic uuid := current_app_org_id();
begin
  return query select jsonb_build_object('id', a.id, 'patient_profile_id', a.patient_profile_id, 'status', a.status,
      'starts_at', to_char(a.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'service', jsonb_build_object('id', s.id, 'name', s.name))
    from (select distinct unnest(p_ids)) i (id)
    cross join lateral (
      select * from appointments where organization_id = v_clinic and id = i.id and patient_profile_id is not null offset 0) a
    join services s on s.organization_id = a.organization_id and s.id = a.service_id;
end
$$;
alter function appointments_of_forms(uuid[]) owner to tendon_definer;
grant execute on function appointments_of_forms(uuid[]) to tendon_app;

-- Security definer: nobody writes busy times directly.
create or replace function forget_busy_times() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from busy_times where organization_id = new.organization_id and integration_id = new.id;
  return null;
end
$$;
alter function forget_busy_times() owner to tendon_definer;

-- The connected calendars to read busy times from, with their specialists: those after this id. Security definer (all organizations): covers every organization.
create or replace function list_connected_calendars_after(p_after uuid, p_limit integer) returns table (
  id uuid, organization_id uuid, specialist_id uuid
) language sql stable security definer set search_path = public as $$
  select i.id, i.organization_id, s.id from organization_integrations i
  join specialists s on s.organization_id = i.organization_id and s.id::text = i.config ->> 'specialist_id' and s.deleted_at is null
  where i.service_slug = 'google_calendar' and i.status = 'connected' and (p_after is null or i.id > p_after)
  order by i.id limit p_limit
$$;
alter function list_connected_calendars_after(uuid, integer) owner to tendon_definer;
grant execute on function list_connected_calendars_after(uuid, integer) to tendon_worker;
