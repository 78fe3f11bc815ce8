-- A freed time marks the waitlist entries that could use it. Staff decide who gets it; claiming the time prevents giving it
-- twice. An offer keeps the time for one entry while its patient decides (features/scheduling/waitlist-offers).

-- Marks entries whose service fits into the time of this appointment, with this specialist and inside a wanted window. Skips
-- entries locked by another transaction, to avoid deadlocks; mark_waitlist_again finds them later. p_again: only entries that
-- are not marked yet. Security definer (lock or index), granted to nobody.
create or replace function mark_waitlist_entries(p_organization uuid, p_freed uuid, p_again boolean) returns void
language plpgsql security definer set search_path = public as $$
begin
  with freed as (
    select a.id, a.specialist_id, a.starts_at, a.ends_at from appointments a
    where a.organization_id = p_organization and a.id = p_freed and a.starts_at > now() and a.specialist_id is not null),
  matching as (
    select w.id from appointments w cross join freed f
    join services s on s.organization_id = w.organization_id and s.id = w.service_id
    where w.organization_id = p_organization and w.status = 'waitlist' and w.id <> f.id and (w.slot_freed_at is null or not p_again)
      and make_interval(mins => s.duration_minutes) <= f.ends_at - f.starts_at
      and (not exists (select 1 from service_specialists l where l.organization_id = s.organization_id and l.service_id = s.id)
        or exists (select 1 from service_specialists l
          where l.organization_id = s.organization_id and l.service_id = s.id and l.specialist_id = f.specialist_id))
      and (w.wanted -> 'specialist_ids' is null or w.wanted -> 'specialist_ids' = '[]'
        or w.wanted -> 'specialist_ids' ? f.specialist_id::text)
      and (w.specialist_id is null or w.wanted -> 'specialist_ids' is not null or w.specialist_id = f.specialist_id)
      and (w.wanted -> 'windows' is null or w.wanted -> 'windows' = '[]'
        or exists (select 1 from jsonb_array_elements(w.wanted -> 'windows') o
          where (o ->> 'from')::timestamptz <= f.starts_at
            and (o ->> 'to')::timestamptz >= f.starts_at + make_interval(mins => s.duration_minutes)))
    order by w.id for update of w skip locked),
  marked as (
    update appointments w set slot_freed_at = now(), freed_slot = (
      select jsonb_build_object('specialist_id', f.specialist_id, 'starts_at', iso_time(f.starts_at), 'ends_at', iso_time(f.ends_at))
      from freed f)
    from matching m where w.organization_id = p_organization and w.id = m.id
    returning w.id, w.patient_id, w.patient_profile_id)
  insert into outbox_events (organization_id, type, payload)
  select p_organization, 'appointment.updated', jsonb_build_object('appointment_id', id, 'patient_id', patient_id,
    'patient_profile_id', patient_profile_id)
  from marked;
end
$$;
alter function mark_waitlist_entries(uuid, uuid, boolean) owner to tendon_definer;
revoke execute on function mark_waitlist_entries(uuid, uuid, boolean) from public;

-- Security definer (lock or index), granted to nobody: see mark_waitlist_entries.
create or replace function mark_waitlist(p_organization uuid, p_freed uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform mark_waitlist_entries(p_organization, p_freed, false);
end
$$;
alter function mark_waitlist(uuid, uuid) owner to tendon_definer;
revoke execute on function mark_waitlist(uuid, uuid) from public;

-- Unmarks entries whose freed time was taken or has started, in every clinic. Returns their number.
-- Security definer (all organizations): covers every organization.
create or replace function unmark_waitlist() returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  update appointments w set slot_freed_at = null, freed_slot = null
  where w.id in (select e.id from appointments e
    where e.status = 'waitlist' and e.freed_slot is not null and (
      (e.freed_slot ->> 'starts_at')::timestamptz <= now()
      or exists (select 1 from time_claims c
        where c.organization_id = e.organization_id and c.specialist_id = (e.freed_slot ->> 'specialist_id')::uuid
          and c.kind = 'appointment'
          and c.during && tstzrange((e.freed_slot ->> 'starts_at')::timestamptz, (e.freed_slot ->> 'ends_at')::timestamptz)))
    order by e.id for update skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function unmark_waitlist() owner to tendon_definer;
grant execute on function unmark_waitlist() to tendon_worker;

-- Marks entries that were locked when a time was freed in the last hour, if that time is still free.
-- Security definer (all organizations): covers every organization.
create or replace function mark_waitlist_again() returns void
language sql security definer set search_path = public as $$
  select mark_waitlist_entries(a.organization_id, a.id, true)
  from (select distinct organization_id from appointments where status = 'waitlist' and slot_freed_at is null) w
  join appointments a on a.organization_id = w.organization_id and a.starts_at > now()
    and a.status in ('cancelled', 'entered_in_error') and a.updated_at > now() - interval '1 hour'
  where not exists (select 1 from time_claims c
    where c.organization_id = a.organization_id and c.specialist_id = a.specialist_id and c.kind = 'appointment'
      and c.during && tstzrange(a.starts_at, a.ends_at))
  order by a.updated_at
$$;
alter function mark_waitlist_again() owner to tendon_definer;
grant execute on function mark_waitlist_again() to tendon_worker;

-- Claims a time for a waitlist offer: {outcome: held | taken, hold}.
-- Security definer (lock or index): nobody writes claims directly; the permission is checked here.
create or replace function hold_offered_time(p_service uuid, p_specialist uuid, p_location uuid, p_calendar uuid, p_mode text,
  p_starts timestamptz, p_life interval)
returns jsonb language sql security definer set search_path = public as $$
  select take_hold(current_app_org_id(), p_service, p_specialist, p_location, p_calendar, p_mode, p_starts, p_life, null, null, null)
  where current_app_has_permission('appointments', 'manage')
$$;
alter function hold_offered_time(uuid, uuid, uuid, uuid, text, timestamptz, interval) owner to tendon_definer;
grant execute on function hold_offered_time(uuid, uuid, uuid, uuid, text, timestamptz, interval) to tendon_app;

-- Makes the claim of an offer the claim of its appointment. False: it has expired or was released. The row lock of the claim
-- decides between the patient and a rival at the moment of expiry.
-- Security definer (lock or index): nobody writes claims directly; the permission is checked here.
create or replace function claim_offered_time(p_hold uuid, p_appointment uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update time_claims set kind = 'appointment', expires_at = null, appointment_id = p_appointment
    where organization_id = current_app_org_id() and hold_id = p_hold and kind = 'hold' and expires_at > clock_timestamp()
      and current_app_has_permission('appointments', 'manage');
  if not found then
    return false;
  end if;
  update holds set status = 'converted' where organization_id = current_app_org_id() and id = p_hold;
  return true;
end
$$;
alter function claim_offered_time(uuid, uuid) owner to tendon_definer;
grant execute on function claim_offered_time(uuid, uuid) to tendon_app;

-- Frees the time of an offer that ended. Security definer (lock or index): nobody writes claims directly; the permission is
-- checked here.
create or replace function release_offered_time(p_hold uuid) returns void
language sql security definer set search_path = public as $$
  delete from time_claims where organization_id = current_app_org_id() and hold_id = p_hold and kind = 'hold'
    and current_app_has_permission('appointments', 'manage');
  update holds set status = 'released' where organization_id = current_app_org_id() and id = p_hold and status = 'active'
    and current_app_has_permission('appointments', 'manage')
$$;
alter function release_offered_time(uuid) owner to tendon_definer;
grant execute on function release_offered_time(uuid) to tendon_app;

-- Security definer: nobody writes claims directly.
create or replace function waitlist_offers_release_time() returns trigger
language plpgsql security definer set search_path = public as $$
begin
  delete from time_claims where organization_id = old.organization_id and hold_id = old.hold_id and kind = 'hold';
  update holds set status = 'released' where organization_id = old.organization_id and id = old.hold_id and status = 'active';
  return null;
end
$$;
alter function waitlist_offers_release_time() owner to tendon_definer;

-- The clinic of the offer with this link. Security definer (no context yet): the person with the link has no organization.
create or replace function find_offer_organization(p_token_hash bytea) returns uuid
language sql stable security definer set search_path = public as $$
  select organization_id from waitlist_offers where token_hash = p_token_hash
$$;
alter function find_offer_organization(bytea) owner to tendon_definer;
grant execute on function find_offer_organization(bytea) to tendon_app;

-- Where the patients of these waitlist entries get mail, and whether they may. A deleted patient has no address.
-- Security definer (one person across clinics): the address of a patient's account.
create or replace function list_offer_recipients(p_ids uuid[]) returns table (
  appointment_id uuid, to_address text, language text, is_restricted boolean, is_erased boolean
) language sql stable security definer set search_path = public as $$
  select a.id, case when p.deleted_at is null then coalesce(h.email::text, p.email::text) end,
    coalesce(h.preferred_language, p.language_code, o.language_code), p.restricted_at is not null, p.erased_at is not null
  from appointments a join organizations o on o.id = a.organization_id
  join patients p on p.organization_id = a.organization_id and p.id = a.patient_id
  left join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
  left join humans h on h.id = f.human_id and h.email_verified
  where a.organization_id = current_app_org_id() and a.id = any (p_ids)
    and current_app_has_permission('appointments', 'manage')
$$;
alter function list_offer_recipients(uuid[]) owner to tendon_definer;
grant execute on function list_offer_recipients(uuid[]) to tendon_app;
