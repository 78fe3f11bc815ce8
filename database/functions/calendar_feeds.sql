-- The content of a feed, by the hash of its token; null after the member, the specialist or the patient was deleted. Contains
-- names of services and initials only for specialists of clinics that enabled details, never for restricted patients.
-- Security definer (no context yet): a calendar that reads a feed has no organization in context.
create or replace function read_calendar_feed(p_token_hash bytea) returns jsonb
language sql stable security definer set search_path = public as $$
  select jsonb_build_object('owner', case when f.specialist_id is null then 'patient' else 'specialist' end,
    'clinic', o.name, 'language', o.language_code,
    'events', (select coalesce(jsonb_agg(jsonb_build_object('uid', a.calendar_uid, 'sequence', a.calendar_sequence,
        'starts_at', iso_time(a.starts_at), 'ends_at', iso_time(a.ends_at), 'is_pending', a.status = 'pending',
        'updated_at', iso_time(a.updated_at),
        'service_name', case when d.shown then (select coalesce(s.translations #>> array[o.language_code, 'name'], s.name) from services s
          where s.organization_id = a.organization_id and s.id = a.service_id) end,
        'initials', case when d.shown then (select left(p.first_name, 1) || '. ' || left(p.last_name, 1) || '.' from patients p
          where p.organization_id = a.organization_id and p.id = a.patient_id and p.restricted_at is null) end)
        order by a.starts_at, a.id), '[]')
      from appointments a cross join lateral (select f.specialist_id is not null and coalesce(t.feed_shows_details, false) as shown) d
      where a.organization_id = f.organization_id
        and (a.specialist_id = f.specialist_id or a.patient_profile_id = f.patient_profile_id)
        and a.status in ('pending', 'confirmed', 'checked_in', 'completed')
        and a.starts_at between now() - interval '90 days' and now() + interval '365 days'))
  from calendar_feeds f join organizations o on o.id = f.organization_id
  left join organization_settings t on t.organization_id = f.organization_id
  where f.token_hash = p_token_hash and (
    exists (select 1 from specialists s join organization_memberships m on m.organization_id = s.organization_id
      join role_permissions r on r.role_id = m.role_id and r.permission_code = 'appointments.view_org'
      where s.organization_id = f.organization_id and s.id = f.specialist_id and s.deleted_at is null
        and m.principal_id = f.principal_id)
    or exists (select 1 from patients p join patient_profiles h on h.organization_id = p.organization_id and h.id = p.patient_profile_id
      where p.organization_id = f.organization_id and p.patient_profile_id = f.patient_profile_id and p.deleted_at is null
        and h.human_id = f.principal_id))
$$;
alter function read_calendar_feed(bytea) owner to tendon_definer;
grant execute on function read_calendar_feed(bytea) to tendon_app;
