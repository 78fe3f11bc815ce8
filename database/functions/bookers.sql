-- Bookings without an account have no patient until they are linked, by staff or by the person with the booker's e-mail address.

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

-- Erasure of an account: what eraseBookings does at one clinic (features/scheduling/appointments/erasure.ts), at each clinic of the
-- person, before their address is gone. What is still to come is cancelled, so that its time is free and subscribers learn it, and
-- deleted: a booking that is linked to nobody has neither forms nor a review. Granted to nobody.
-- Security definer (one person across clinics): erase_account calls it.
create or replace function erase_bookings(p_organization uuid, p_email citext) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_ids uuid[] := array(select id from appointments
    where organization_id = p_organization and patient_id is null and (booker ->> 'email')::citext = p_email
      and starts_at > now() and status in ('waitlist', 'pending', 'confirmed', 'cancelled', 'entered_in_error')
    order by id for update);
  v_cancelled uuid[];
  v_count integer;
  v_cleared integer;
begin
  with cancelled as (
    update appointments set status = 'cancelled', cancelled_at = now(), cancelled_by = 'system', cancellation_reason = null
      where organization_id = p_organization and id = any (v_ids) and status in ('waitlist', 'pending', 'confirmed')
      returning id)
  select array_agg(id order by id) into v_cancelled from cancelled;
  perform free_appointment(p_organization, id) from unnest(v_cancelled) id;
  insert into outbox_events (organization_id, type, payload)
    select p_organization, 'appointment.cancelled',
      jsonb_build_object('appointment_id', id, 'patient_id', null, 'patient_profile_id', null)
    from unnest(v_cancelled) id;
  update appointments set rescheduled_to_id = null where organization_id = p_organization and rescheduled_to_id = any (v_ids);
  update appointments set rescheduled_from_id = null where organization_id = p_organization and rescheduled_from_id = any (v_ids);
  delete from appointments where organization_id = p_organization and id = any (v_ids);
  get diagnostics v_count = row_count;
  delete from booking_links l using appointments a
    where l.organization_id = p_organization and a.organization_id = l.organization_id and a.id = l.appointment_id
      and a.patient_id is null and (a.booker ->> 'email')::citext = p_email;
  delete from appointment_documents d using appointments a
    where d.organization_id = p_organization and a.organization_id = d.organization_id and a.id = d.appointment_id
      and a.patient_id is null and (a.booker ->> 'email')::citext = p_email;
  delete from appointment_files f using appointments a
    where f.organization_id = p_organization and a.organization_id = f.organization_id and a.id = f.appointment_id
      and a.patient_id is null and (a.booker ->> 'email')::citext = p_email;
  update appointments set booker = null, notes = null, patient_note = null, title = null, cancellation_reason = null,
      custom_fields = '{}'
    where organization_id = p_organization and patient_id is null and (booker ->> 'email')::citext = p_email;
  get diagnostics v_cleared = row_count;
  delete from mail_outbox where organization_id = p_organization and lower(to_address) = lower(p_email::text)
    and patient_profile_id is null and template in ('booking_updated', 'appointment_reminder');
  return v_count + v_cleared;
end
$$;
alter function erase_bookings(uuid, citext) owner to tendon_definer;
revoke execute on function erase_bookings(uuid, citext) from public;

-- Bookings at the clinic in context with the caller's verified address, for "Is this your booking?". Only for patients of the
-- clinic. Security definer (one person across clinics): patients see no bookings that are not linked to them.
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
