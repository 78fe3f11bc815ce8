-- Bookings without an account belong to nobody until they are linked: staff link them, or the person with the booker's address.

-- Clears contacts and notes of bookers 30 days after their appointment, unless it was linked. The link in their mail ends too.
-- Security definer: covers every organization.
create or replace function clear_bookers() returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  with cleared as (
    update appointments set booker = null, patient_note = null
    where patient_id is null and booker is not null and ends_at < now() - interval '30 days'
    returning organization_id, id)
  delete from booking_links l using cleared c where l.organization_id = c.organization_id and l.appointment_id = c.id;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function clear_bookers() owner to tendon_definer;
grant execute on function clear_bookers() to tendon_worker;

-- Bookings of the clinic in context that are linked to nobody and have the address of this patient. An address can be mistyped:
-- the answer holds no name, telephone number or note. Security definer: read by exports.
create or replace function unlinked_bookings(p_patient uuid) returns table (
  id uuid, starts_at timestamptz, ends_at timestamptz, time_zone text, mode text, status text, created_at timestamptz
) language sql stable security definer set search_path = public as $$
  select a.id, a.starts_at, a.ends_at, a.time_zone, a.mode, a.status, a.created_at from appointments a
  where a.organization_id = current_app_org_id() and a.patient_id is null and a.booker is not null
    and (a.booker ->> 'email')::citext in (
      select p.email from patients p where p.organization_id = current_app_org_id() and p.id = p_patient
      union all
      select h.email from patients p join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
      join humans h on h.id = f.human_id and h.email_verified
      where p.organization_id = current_app_org_id() and p.id = p_patient)
$$;
alter function unlinked_bookings(uuid) owner to tendon_definer;
grant execute on function unlinked_bookings(uuid) to tendon_worker;

-- Erasure: those to come are cancelled, all lose contacts and notes. Security definer: see erase_appointments.
create or replace function erase_unlinked_bookings(p_patient uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_ids uuid[];
begin
  select array_agg(id) into v_ids from unlinked_bookings(p_patient);
  perform cancel_appointment(organization_id, id, 'system', null) from appointments
    where organization_id = current_app_org_id() and id = any (v_ids) and starts_at > now();
  update appointments set booker = null, patient_note = null where organization_id = current_app_org_id() and id = any (v_ids);
  delete from booking_links where organization_id = current_app_org_id() and appointment_id = any (v_ids);
  return coalesce(cardinality(v_ids), 0);
end
$$;
alter function erase_unlinked_bookings(uuid) owner to tendon_definer;
grant execute on function erase_unlinked_bookings(uuid) to tendon_worker;

-- Bookings at the clinic in context with the caller's verified address, for "Is this your booking?". Only for patients of the
-- clinic. Security definer: patients see no bookings that are not linked to them.
create or replace function my_unlinked_bookings() returns setof jsonb
language sql stable security definer set search_path = public as $$
  select jsonb_build_object('id', a.id, 'organization_id', a.organization_id, 'starts_at', iso_time(a.starts_at),
    'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone, 'mode', a.mode, 'status', a.status,
    'service', jsonb_build_object('id', s.id, 'name', s.name))
  from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
  where a.organization_id = current_app_org_id() and a.patient_id is null and a.source = 'public'
    and a.status in ('pending', 'confirmed', 'checked_in', 'completed') and a.booker ->> 'dismissed_by' is null
    and (a.booker ->> 'email')::citext = (select email from humans where id = current_app_principal_id() and email_verified)
    and exists (select 1 from patients p where p.organization_id = a.organization_id and p.deleted_at is null
      and p.patient_profile_id = any (current_app_profile_ids()))
  order by a.starts_at desc, a.id limit 50
$$;
alter function my_unlinked_bookings() owner to tendon_definer;
grant execute on function my_unlinked_bookings() to tendon_app;

-- Links such a booking to a record of the caller. {outcome: linked | not_found | patient_not_found | restricted}
-- Security definer: see my_unlinked_bookings.
create or replace function link_my_booking(p_id uuid, p_patient uuid) returns text
language plpgsql security definer set search_path = public as $$
declare
  v_patient patients;
begin
  if not exists (select 1 from my_unlinked_bookings() b where b ->> 'id' = p_id::text) then
    return 'not_found';
  end if;
  select * into v_patient from patients
    where organization_id = current_app_org_id() and deleted_at is null and patient_profile_id = any (current_app_profile_ids())
      and (p_patient is null or id = p_patient)
    order by created_at limit 1;
  if v_patient.id is null then
    return 'patient_not_found';
  elsif v_patient.restricted_at is not null then
    return 'restricted';
  end if;
  update appointments set patient_id = v_patient.id, patient_profile_id = v_patient.patient_profile_id,
      missing_consents = missing_consents_for(organization_id, v_patient.id, mode), version = version + 1
    where organization_id = current_app_org_id() and id = p_id and patient_id is null;
  return case when found then 'linked' else 'not_found' end;
end
$$;
alter function link_my_booking(uuid, uuid) owner to tendon_definer;
grant execute on function link_my_booking(uuid, uuid) to tendon_app;

-- "No": the caller is not asked again. Security definer: see my_unlinked_bookings.
create or replace function dismiss_my_booking(p_id uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update appointments set booker = booker || jsonb_build_object('dismissed_by', current_app_principal_id())
    where organization_id = current_app_org_id() and id = p_id
      and exists (select 1 from my_unlinked_bookings() b where b ->> 'id' = p_id::text);
  return found;
end
$$;
alter function dismiss_my_booking(uuid) owner to tendon_definer;
grant execute on function dismiss_my_booking(uuid) to tendon_app;
