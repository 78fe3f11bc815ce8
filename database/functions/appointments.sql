-- Holds and appointments claim time in one table with one exclusion constraint. The rules of booking, moving and cancelling are
-- code (apps/core/src/features/scheduling); here is what needs a lock or an index over rows that the caller may not see.

-- Claims the time, or answers false when it is taken. A hold that has expired gives way. "on conflict do nothing" instead of
-- a plain insert: overlapping inserts would wait for each other and deadlock. Security definer (lock or index): nobody writes claims directly.
create or replace function claim_time(p_organization uuid, p_specialist uuid, p_starts timestamptz, p_ends timestamptz,
  p_hold uuid, p_appointment uuid, p_expires timestamptz)
returns boolean language plpgsql security definer set search_path = public as $$
begin
  delete from time_claims
    where organization_id = p_organization and specialist_id = p_specialist and kind = 'hold'
      and during && tstzrange(p_starts, p_ends) and expires_at <= clock_timestamp();
  insert into time_claims (organization_id, specialist_id, starts_at, ends_at, kind, hold_id, appointment_id, expires_at)
    values (p_organization, p_specialist, p_starts, p_ends, case when p_expires is null then 'appointment' else 'hold' end,
      p_hold, p_appointment, p_expires)
    on conflict do nothing;
  return found;
end
$$;
alter function claim_time(uuid, uuid, timestamptz, timestamptz, uuid, uuid, timestamptz) owner to tendon_definer;
revoke execute on function claim_time(uuid, uuid, timestamptz, timestamptz, uuid, uuid, timestamptz) from public;

create or replace function hold_json(p_hold holds) returns jsonb language plpgsql stable set search_path = public as $$
begin
  return jsonb_build_object('id', p_hold.id, 'service_id', p_hold.service_id, 'specialist_id', p_hold.specialist_id,
    'location_id', p_hold.location_id, 'mode', p_hold.mode, 'starts_at', iso_time(p_hold.starts_at),
    'ends_at', iso_time(p_hold.ends_at), 'status',
    case when p_hold.status = 'active' and p_hold.expires_at <= clock_timestamp() then 'expired' else p_hold.status end,
    'expires_at', iso_time(p_hold.expires_at), 'created_at', iso_time(p_hold.created_at));
end
$$;
alter function hold_json(holds) owner to tendon_definer;
revoke execute on function hold_json(holds) from public;

create or replace function iso_time(p_time timestamptz) returns text language plpgsql immutable as $$
begin
  return to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;
alter function iso_time(timestamptz) owner to tendon_definer;
grant execute on function iso_time(timestamptz) to tendon_app;

-- Takes a hold: {outcome: held | taken | too_many | day_full, hold}. The limits count active holds of visitors, one after the
-- other within a clinic, so that no two take the last one. p_max_per_day: how many appointments and active holds of the service
-- the specialist may have between p_day_starts and p_day_ends. p_moves: the calendar_uid of the visit that the hold moves, and
-- nothing else. Security definer (lock or index), granted to nobody.
create or replace function take_hold(p_organization uuid, p_service uuid, p_specialist uuid, p_location uuid, p_calendar uuid,
  p_mode text, p_starts timestamptz, p_life interval, p_client bytea, p_max_per_client integer, p_max_per_clinic integer,
  p_max_per_day integer default null, p_day_starts timestamptz default null, p_day_ends timestamptz default null,
  p_moves uuid default null)
returns jsonb language plpgsql security definer set search_path = public as $$
declare
  v_service services;
  v_hold holds;
  v_ends timestamptz;
begin
  select * into strict v_service from services where organization_id = p_organization and id = p_service;
  if p_client is not null then
    perform pg_advisory_xact_lock(hashtextextended('public holds of ' || p_organization, 0));
    if (select count(*) from holds where organization_id = p_organization and client_index = p_client
          and status = 'active' and expires_at > clock_timestamp()) >= p_max_per_client
      or (select count(*) from holds where organization_id = p_organization and client_index is not null
          and status = 'active' and expires_at > clock_timestamp()) >= p_max_per_clinic
    then
      return jsonb_build_object('outcome', 'too_many');
    end if;
  end if;
  if p_max_per_day is not null
    and count_booked(p_organization, p_service, p_specialist, p_day_starts, p_day_ends, null, p_moves) >= p_max_per_day
  then
    return jsonb_build_object('outcome', 'day_full');
  end if;
  v_ends := p_starts + make_interval(mins => v_service.duration_minutes);
  insert into holds (organization_id, service_id, specialist_id, location_id, calendar_id, mode, starts_at, ends_at, expires_at,
      client_index, moves_calendar_uid)
    values (p_organization, p_service, p_specialist, p_location, p_calendar, p_mode, p_starts, v_ends,
      clock_timestamp() + p_life, p_client, p_moves)
    returning * into v_hold;
  if not claim_time(p_organization, p_specialist, p_starts - make_interval(mins => v_service.buffer_before_minutes),
      v_ends + make_interval(mins => v_service.buffer_after_minutes), v_hold.id, null, v_hold.expires_at)
  then
    delete from holds where id = v_hold.id;
    return jsonb_build_object('outcome', 'taken');
  end if;
  return jsonb_build_object('outcome', 'held', 'hold', hold_json(v_hold));
end
$$;
alter function take_hold(uuid, uuid, uuid, uuid, uuid, text, timestamptz, interval, bytea, integer, integer, integer, timestamptz,
  timestamptz, uuid) owner to tendon_definer;
revoke execute on function take_hold(uuid, uuid, uuid, uuid, uuid, text, timestamptz, interval, bytea, integer, integer, integer, timestamptz, timestamptz, uuid) from public;

-- How many appointments and active holds of the service the specialist has in this time, without one appointment, and without the
-- visit with the calendar_uid p_moves. A hold does not count beside the visit that it moves: only one of the two can remain. The lock
-- is held until the transaction ends, so that nobody else takes the last place of the day. The first statement takes it, the second
-- one then sees what the transactions before it wrote. Security definer (lock or index), granted to nobody.
create or replace function count_booked(p_organization uuid, p_service uuid, p_specialist uuid, p_from timestamptz,
  p_to timestamptz, p_except uuid, p_moves uuid default null)
returns integer language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('day of ' || p_service || p_specialist || iso_time(p_from), 0));
  return (select count(*) from appointments where organization_id = p_organization and service_id = p_service
      and specialist_id = p_specialist and starts_at >= p_from and starts_at < p_to and id is distinct from p_except
      and (status in ('pending', 'confirmed') and calendar_uid is distinct from p_moves
        or status in ('checked_in', 'completed', 'no_show')))
    + (select count(*) from holds h where organization_id = p_organization and service_id = p_service
      and specialist_id = p_specialist and starts_at >= p_from and starts_at < p_to
      and status = 'active' and expires_at > clock_timestamp()
      and (moves_calendar_uid is null or not exists (select 1 from appointments a
        where a.organization_id = p_organization and a.service_id = p_service and a.specialist_id = p_specialist
          and a.starts_at >= p_from and a.starts_at < p_to and a.calendar_uid = h.moves_calendar_uid
          and a.status in ('pending', 'confirmed'))));
end
$$;
alter function count_booked(uuid, uuid, uuid, timestamptz, timestamptz, uuid, uuid) owner to tendon_definer;
revoke execute on function count_booked(uuid, uuid, uuid, timestamptz, timestamptz, uuid, uuid) from public;

-- Security definer (lock or index): see take_hold. For the service of the clinic in context.
create or replace function hold_time(p_service uuid, p_specialist uuid, p_location uuid, p_calendar uuid, p_mode text,
  p_starts timestamptz, p_minutes integer, p_client bytea, p_max_per_client integer, p_max_per_clinic integer,
  p_max_per_day integer, p_day_starts timestamptz, p_day_ends timestamptz, p_moves uuid)
returns jsonb language plpgsql security definer set search_path = public as $$
begin
  return (select take_hold(current_app_org_id(), p_service, p_specialist, p_location, p_calendar, p_mode, p_starts,
      make_interval(mins => p_minutes), p_client, p_max_per_client, p_max_per_clinic, p_max_per_day, p_day_starts, p_day_ends,
      p_moves)
    where current_app_is_service());
end
$$;
alter function hold_time(uuid, uuid, uuid, uuid, text, timestamptz, integer, bytea, integer, integer, integer, timestamptz,
  timestamptz, uuid) owner to tendon_definer;
grant execute on function hold_time(uuid, uuid, uuid, uuid, text, timestamptz, integer, bytea, integer, integer, integer, timestamptz, timestamptz, uuid) to tendon_app;

-- Security definer (lock or index): see count_booked. For the service of the clinic in context: a patient sees no appointments of others.
create or replace function count_day(p_service uuid, p_specialist uuid, p_from timestamptz, p_to timestamptz, p_except uuid)
returns integer language plpgsql security definer set search_path = public as $$
begin
  return (select count_booked(current_app_org_id(), p_service, p_specialist, p_from, p_to, p_except) where current_app_is_service());
end
$$;
alter function count_day(uuid, uuid, timestamptz, timestamptz, uuid) owner to tendon_definer;
grant execute on function count_day(uuid, uuid, timestamptz, timestamptz, uuid) to tendon_app;

-- A hold by its id, which is the capability. Security definer (no context yet): visitors have no organization in context.
create or replace function find_hold(p_id uuid) returns jsonb language plpgsql stable security definer set search_path = public as $$
begin
  return (select hold_json(h) from holds h where h.id = p_id);
end
$$;
alter function find_hold(uuid) owner to tendon_definer;
grant execute on function find_hold(uuid) to tendon_app;

-- The clinic of a hold. Security definer (no context yet): see find_hold.
create or replace function hold_organization(p_id uuid) returns uuid
language plpgsql stable security definer set search_path = public as $$
begin
  return (select organization_id from holds where id = p_id);
end
$$;
alter function hold_organization(uuid) owner to tendon_definer;
grant execute on function hold_organization(uuid) to tendon_app;

-- The clinic with this slug, if it offers this service to visitors.
-- Security definer (no context yet): visitors have no organization in context.
create or replace function public_service_organization(p_slug text, p_service uuid) returns uuid
language plpgsql stable security definer set search_path = public as $$
begin
  return (select o.id from organizations o join services s on s.organization_id = o.id and s.id = p_service
    where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null);
end
$$;
alter function public_service_organization(text, uuid) owner to tendon_definer;
grant execute on function public_service_organization(text, uuid) to tendon_app;

-- Frees the time of a hold that was released. Security definer (lock or index): nobody writes claims directly.
create or replace function free_hold(p_id uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  delete from time_claims c using holds h
  where c.organization_id = current_app_org_id() and c.hold_id = p_id and c.kind = 'hold' and current_app_is_service()
    and h.organization_id = c.organization_id and h.id = c.hold_id and h.status = 'released';
end
$$;
alter function free_hold(uuid) owner to tendon_definer;
grant execute on function free_hold(uuid) to tendon_app;

-- Whether the caller may write this appointment of the clinic in context: as the policies of appointments say.
-- Security definer (lock or index), granted to nobody: for functions that write its claim.
create or replace function may_write_appointment(p_id uuid) returns boolean
language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from appointments where organization_id = current_app_org_id() and id = p_id
      and (current_app_has_permission('appointments', 'manage')
        or current_app_is_service() and patient_profile_id = any (current_app_profile_ids())));
end
$$;
alter function may_write_appointment(uuid) owner to tendon_definer;
revoke execute on function may_write_appointment(uuid) from public;

-- The time of a hold becomes the time of an appointment; false: the hold has expired. The row lock of the claim decides between
-- the owner and a rival at the moment of expiry. Security definer (lock or index): nobody writes claims directly.
create or replace function convert_claim(p_hold uuid, p_appointment uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update time_claims set kind = 'appointment', expires_at = null, appointment_id = p_appointment
    where organization_id = current_app_org_id() and hold_id = p_hold and kind = 'hold' and expires_at > clock_timestamp()
      and current_app_is_service() and may_write_appointment(p_appointment);
  return found;
end
$$;
alter function convert_claim(uuid, uuid) owner to tendon_definer;
grant execute on function convert_claim(uuid, uuid) to tendon_app;

-- For statistics alone: what has expired says so. Taking, booking and the stream go by the clock. Rows that a request is using are
-- left to the next run. Security definer (all organizations): covers every organization.
create or replace function mark_expired_holds() returns integer language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
  v_old uuid[];
begin
  delete from time_claims where id in (select id from time_claims
    where kind = 'hold' and expires_at <= clock_timestamp() for update skip locked);
  update holds set status = 'expired' where id in (select id from holds
    where status = 'active' and expires_at <= clock_timestamp() for update skip locked);
  get diagnostics v_count = row_count;
  v_old := array(select id from holds h where created_at < now() - interval '30 days'
    and not exists (select 1 from time_claims c where c.organization_id = h.organization_id and c.hold_id = h.id)
    for update skip locked);
  -- Not left to the foreign key, which would wait for an offer that a request has locked.
  update waitlist_offers set hold_id = null where id in (select id from waitlist_offers
    where hold_id = any (v_old) for update skip locked);
  delete from holds h where id = any (v_old)
    and not exists (select 1 from waitlist_offers o where o.organization_id = h.organization_id and o.hold_id = h.id);
  return v_count;
end
$$;
alter function mark_expired_holds() owner to tendon_definer;
grant execute on function mark_expired_holds() to tendon_worker;

-- Claims the time of an appointment that staff write without a hold. False: taken.
-- Security definer (lock or index): nobody writes claims directly; the permission is checked here.
create or replace function claim_appointment(p_id uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  return (select claim_time(a.organization_id, a.specialist_id, a.starts_at - make_interval(mins => s.buffer_before_minutes),
      a.ends_at + make_interval(mins => s.buffer_after_minutes), null, a.id, null)
    from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
    where a.organization_id = current_app_org_id() and a.id = p_id and current_app_has_permission('appointments', 'manage'));
end
$$;
alter function claim_appointment(uuid) owner to tendon_definer;
grant execute on function claim_appointment(uuid) to tendon_app;

-- Frees the time of an appointment that ends before it happens, and marks the waitlist entries that it matches.
-- Security definer (lock or index), granted to nobody.
create or replace function free_appointment(p_organization uuid, p_id uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  delete from time_claims where organization_id = p_organization and appointment_id = p_id;
  if found then
    perform mark_waitlist(p_organization, p_id);
  end if;
end
$$;
alter function free_appointment(uuid, uuid) owner to tendon_definer;
revoke execute on function free_appointment(uuid, uuid) from public;

-- Frees the time of an appointment that has ended before it happened, or waits again: by staff, by its patient, or by the service
-- of the clinic.
-- Security definer (lock or index): nobody writes claims directly.
create or replace function free_time(p_id uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform free_appointment(current_app_org_id(), p_id)
    where (may_write_appointment(p_id) or current_app_has_permission('appointments', 'delete'))
      and exists (select 1 from appointments where organization_id = current_app_org_id() and id = p_id
        and status in ('cancelled', 'no_show', 'entered_in_error', 'waitlist'));
end
$$;
alter function free_time(uuid) owner to tendon_definer;
grant execute on function free_time(uuid) to tendon_app;

-- What a booker's link shows: the booking, never a patient.
-- Security definer (no context yet): visitors have no organization in context.
create or replace function find_booking(p_token_hash bytea) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select jsonb_build_object('reference', upper(right(replace(a.calendar_uid::text, '-', ''), 8)), 'appointment_id', a.id,
      'calendar_uid', a.calendar_uid, 'calendar_sequence', a.calendar_sequence,
      'organization_id', a.organization_id, 'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
      'status', a.status, 'starts_at', iso_time(a.starts_at), 'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone,
      'mode', a.mode, 'service', jsonb_build_object('id', s.id, 'name', s.name, 'translations', s.translations),
      'specialist', (select jsonb_build_object('id', p.id, 'name', p.name) from specialists p
        where p.organization_id = a.organization_id and p.id = a.specialist_id),
      'location', (select jsonb_build_object('id', l.id, 'name', l.name, 'address', l.address, 'phone', l.phone) from locations l
        where l.organization_id = a.organization_id and l.id = a.location_id),
      'price_cents', a.price_cents, 'currency', a.currency,
      'cancel_until', iso_time(a.starts_at - make_interval(mins => s.cancel_notice_minutes)),
      'reschedule_until', iso_time(a.starts_at - make_interval(mins => s.reschedule_notice_minutes)))
    from booking_links b
    join appointments a on a.organization_id = b.organization_id and a.id = b.appointment_id
    join services s on s.organization_id = a.organization_id and s.id = a.service_id
    join organizations o on o.id = a.organization_id
    where b.token_hash = p_token_hash and a.status <> 'entered_in_error');
end
$$;
alter function find_booking(bytea) owner to tendon_definer;
grant execute on function find_booking(bytea) to tendon_app;

-- Names in lists of appointments. Security definer (expression in a list): a reader of the appointment also sees the names of its specialist and service.
create or replace function appointment_specialist(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select jsonb_build_object('id', id, 'name', name, 'title', title, 'registration_number', registration_number)
    from specialists where organization_id = current_app_org_id() and id = p_id);
end
$$;
alter function appointment_specialist(uuid) owner to tendon_definer;
grant execute on function appointment_specialist(uuid) to tendon_app;

-- Security definer (expression in a list): see appointment_specialist.
create or replace function appointment_service(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select jsonb_build_object('id', id, 'name', name, 'translations', translations) from services where organization_id = current_app_org_id() and id = p_id);
end
$$;
alter function appointment_service(uuid) owner to tendon_definer;
grant execute on function appointment_service(uuid) to tendon_app;

-- These appointments and those that they were moved from, for the filters of lists.
-- Security definer (expression in a list): a reader of forms may not see appointments.
create or replace function with_moved_from(p_ids uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = public as $$
declare
  v_clinic uuid := current_app_org_id();
begin
  return (with recursive moved as (
      select a.id, a.rescheduled_from_id from appointments a where a.organization_id = v_clinic and a.id = any (p_ids)
      union
      select a.id, a.rescheduled_from_id from moved m
      join appointments a on a.organization_id = v_clinic and a.id = m.rescheduled_from_id)
    select p_ids || array(select id from moved));
end
$$;
alter function with_moved_from(uuid[]) owner to tendon_definer;
grant execute on function with_moved_from(uuid[]) to tendon_app;

-- With whom and where a patient's own appointment is, and what its service asks. Security definer (expression in a list): patients see neither
-- specialists nor services of a clinic. The row of the appointment, which the caller may see, gives the ids.
create or replace function my_appointment_name(p_table text, p_organization uuid, p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select jsonb_build_object('id', id, 'name', name) from specialists
    where p_table = 'specialists' and organization_id = p_organization and id = p_id
      and exists (select 1 from appointments a where a.organization_id = p_organization and a.specialist_id = p_id
        and a.patient_profile_id = any (current_app_profile_ids()))
    union all
    select jsonb_build_object('id', id, 'name', name, 'address', address, 'phone', phone) from locations
    where p_table = 'locations' and organization_id = p_organization and id = p_id
      and exists (select 1 from appointments a where a.organization_id = p_organization and a.location_id = p_id
        and a.patient_profile_id = any (current_app_profile_ids())));
end
$$;
alter function my_appointment_name(text, uuid, uuid) owner to tendon_definer;
grant execute on function my_appointment_name(text, uuid, uuid) to tendon_app;

-- Security definer (expression in a list): see my_appointment_name.
create or replace function my_appointment_service(p_organization uuid, p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select jsonb_build_object('id', id, 'name', name, 'cancel_notice_minutes', cancel_notice_minutes,
      'reschedule_notice_minutes', reschedule_notice_minutes)
    from services where organization_id = p_organization and id = p_id
      and exists (select 1 from appointments a where a.organization_id = p_organization and a.service_id = p_id
        and a.patient_profile_id = any (current_app_profile_ids())));
end
$$;
alter function my_appointment_service(uuid, uuid) owner to tendon_definer;
grant execute on function my_appointment_service(uuid, uuid) to tendon_app;

-- The meeting link of a patient's own appointment: its own, else the specialist's for a video appointment.
-- Security definer (expression in a list): see my_appointment_name.
create or replace function my_meeting_url(p_organization uuid, p_id uuid) returns text
language plpgsql stable security definer set search_path = public as $$
begin
  return (select coalesce(a.meeting_url, (select s.meeting_url from specialists s
      where a.mode = 'video' and s.organization_id = a.organization_id and s.id = a.specialist_id))
    from appointments a
    where a.organization_id = p_organization and a.id = p_id and a.patient_profile_id = any (current_app_profile_ids()));
end
$$;
alter function my_meeting_url(uuid, uuid) owner to tendon_definer;
grant execute on function my_meeting_url(uuid, uuid) to tendon_app;

-- Leaves out values of deleted fields: one can be deleted while an appointment is created, changed or moved.
-- Security definer: the person who books may not see custom fields.
create or replace function appointments_drop_deleted_fields() returns trigger
language plpgsql security definer set search_path = public as $$
begin
  new.custom_fields := new.custom_fields - coalesce((
    select array_agg(f.id::text) filter (where f.deleted_at is not null) from (
      select id, deleted_at from custom_fields where organization_id = new.organization_id
        and id in (select v::uuid from jsonb_object_keys(new.custom_fields) v) order by id for key share) f), '{}');
  return new;
end
$$;
alter function appointments_drop_deleted_fields() owner to tendon_definer;

-- Stored values (id of the field → value) as people read them: by key; the clinic's private ones only if asked for.
-- Security definer (expression in a list): see appointments_drop_deleted_fields. A reader of the appointment also reads its fields.
create or replace function appointment_custom_fields(p_values jsonb, p_private boolean) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select coalesce(jsonb_object_agg(f.key, v.value), '{}')
    from jsonb_each(p_values) v join custom_fields f on f.id = v.key::uuid
    where f.organization_id = current_app_org_id() and f.entity_type = 'appointment' and f.deleted_at is null
      and (p_private or not f.is_private));
end
$$;
alter function appointment_custom_fields(jsonb, boolean) owner to tendon_definer;
grant execute on function appointment_custom_fields(jsonb, boolean) to tendon_app, tendon_worker;

-- Whether the patient of this appointment of the clinic in context was erased. Only erasure deletes appointments.
-- p_id: as the audit log stores it. Security definer (expression in a list): readers of the audit log may see neither appointments nor patients.
create or replace function is_appointment_of_erased(p_id text) returns boolean
language sql stable security definer set search_path = public as $$
  select not exists (select 1 from appointments a
      where a.organization_id = current_app_org_id() and a.id = p_id::uuid)
    or exists (select 1 from appointments a join patients p on p.organization_id = a.organization_id and p.id = a.patient_id
      where a.organization_id = current_app_org_id() and a.id = p_id::uuid and p.erased_at is not null)
$$;
alter function is_appointment_of_erased(text) owner to tendon_definer;
grant execute on function is_appointment_of_erased(text) to tendon_app, tendon_platform;

-- The data of mails about an appointment: times, names, and UID and SEQUENCE of its calendar file. The SEQUENCE of a
-- cancellation is one higher than that of the appointment. Not a security definer: the service of the clinic reads what its mails say.
create or replace function appointment_mail_data(p_organization uuid, p_id uuid) returns jsonb
language sql stable set search_path = public as $$
  select jsonb_build_object('status', case when a.status = 'entered_in_error' then 'cancelled' else a.status end,
    'starts_at', iso_time(a.starts_at), 'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone, 'service_name', s.name,
    'service_names', (select coalesce(jsonb_object_agg(language, one ->> 'name'), '{}')
      from jsonb_each(s.translations) t (language, one) where one ->> 'name' is not null),
    'specialist_name', (select p.name from specialists p where p.organization_id = a.organization_id and p.id = a.specialist_id),
    'location_name', (select l.name from locations l where l.organization_id = a.organization_id and l.id = a.location_id),
    'uid', a.calendar_uid,
    'sequence', a.calendar_sequence + case when a.status in ('cancelled', 'entered_in_error') then 1 else 0 end, 'url', null)
  from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
  where a.organization_id = p_organization and a.id = p_id
$$;
alter function appointment_mail_data(uuid, uuid) owner to tendon_definer;
grant execute on function appointment_mail_data(uuid, uuid) to tendon_app;

-- Queues a mail to the booker about their booking as it is now, after a move with the old time. It quotes nothing that the booker typed, and one address gets
-- five a day from a clinic and twenty from all clinics at most: anybody can type any address. The lock is the last one of every transaction that
-- takes it, so that bookings at once do not pass the limit together. The response to the booking has the link too.
-- Security definer (all organizations): the limits count mails of every clinic. For the service of the clinic in context.
create or replace function send_booking_mail(p_appointment uuid, p_url text, p_moved_from uuid) returns void
language plpgsql security definer set search_path = public as $$
declare
  v_email text;
begin
  select booker ->> 'email' into v_email from appointments
    where organization_id = current_app_org_id() and id = p_appointment and current_app_is_service();
  if v_email is null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('booking mail to ' || lower(v_email), 0));
  insert into mail_outbox (organization_id, patient_profile_id, to_address, template, kind, language, data)
  select a.organization_id, a.patient_profile_id, v_email, 'booking_updated', 'care',
    coalesce(a.booker ->> 'language', o.language_code, 'en'),
    appointment_mail_data(a.organization_id, a.id) || jsonb_build_object('url', p_url)
      || coalesce((select jsonb_build_object('moved_from', jsonb_build_object('starts_at', iso_time(b.starts_at), 'time_zone', b.time_zone))
        from appointments b where b.organization_id = current_app_org_id() and b.id = p_moved_from), '{}')
  from appointments a join organizations o on o.id = a.organization_id
  where a.organization_id = current_app_org_id() and a.id = p_appointment
    and (select count(*) filter (where m.organization_id = current_app_org_id()) < 5 and count(*) < 20 from mail_outbox m
      where lower(m.to_address) = lower(v_email) and m.template = 'booking_updated' and m.created_at > now() - interval '1 day');
end
$$;
alter function send_booking_mail(uuid, text, uuid) owner to tendon_definer;
grant execute on function send_booking_mail(uuid, text, uuid) to tendon_app;
