-- Bookings without an account have no patient until they are linked, by staff or by the person with the booker's e-mail address.

-- The verified address of the caller. Security definer (one person across clinics): people do not see themselves in every clinic,
-- and the policies of appointments stay small, which are planned with each statement.
create or replace function current_app_email() returns citext
language plpgsql stable security definer set search_path = public as $$
begin
  return (select email from humans where id = current_app_principal_id() and email_verified);
end
$$;
alter function current_app_email() owner to tendon_definer;
grant execute on function current_app_email() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry;

-- 30 days after an appointment, the link in the booker's mail ends; contacts and notes are cleared, unless it was linked.
-- Security definer (all organizations): covers every organization.
create or replace function clear_bookers() returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  update appointments set booker = null, patient_note = null
    where patient_id is null and booker is not null and ends_at < now() - interval '30 days';
  get diagnostics v_count = row_count;
  delete from booking_links l using appointments a
    where a.organization_id = l.organization_id and a.id = l.appointment_id and a.ends_at < now() - interval '30 days';
  return v_count;
end
$$;
alter function clear_bookers() owner to tendon_definer;
grant execute on function clear_bookers() to tendon_worker;

-- Bookings at the clinic in context with the caller's verified address that are linked to nobody, for the erasure of the account:
-- afterwards nobody could tell whose they were. Security definer (one person across clinics): patients see no bookings that are not
-- linked to them.
create or replace function my_booked_ids() returns uuid[]
language sql stable security definer set search_path = public as $$
  select array(select id from appointments
    where organization_id = current_app_org_id() and patient_id is null
      and (booker ->> 'email')::citext = (select current_app_email())
      and exists (select 1 from patient_profiles where organization_id = current_app_org_id()
        and human_id = current_app_principal_id())
    order by id)
$$;
alter function my_booked_ids() owner to tendon_definer;
grant execute on function my_booked_ids() to tendon_app;

-- Bookings at the clinic in context with the caller's verified address, for "Is this your booking?". Only for patients of the
-- clinic. Security definer (one person across clinics): patients see no bookings that are not linked to them.
create or replace function my_unlinked_bookings() returns setof jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return query select jsonb_build_object('id', a.id, 'organization_id', a.organization_id, 'starts_at', iso_time(a.starts_at),
      'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone, 'mode', a.mode, 'status', a.status,
      'service', jsonb_build_object('id', s.id, 'name', s.name))
    from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
    where a.organization_id = current_app_org_id() and a.patient_id is null and a.source = 'public'
      and a.status in ('pending', 'confirmed', 'checked_in', 'completed') and a.booker ->> 'dismissed_by' is null
      and (a.booker ->> 'email')::citext = (select current_app_email())
      and exists (select 1 from patients p where p.organization_id = a.organization_id and p.deleted_at is null
        and p.patient_profile_id = any (current_app_profile_ids()))
    order by a.starts_at desc, a.id limit 50;
end
$$;
alter function my_unlinked_bookings() owner to tendon_definer;
grant execute on function my_unlinked_bookings() to tendon_app;
