-- Recipient and data of a mail about an appointment of the clinic in context; null without an e-mail address. The recipient is
-- the patient, otherwise the booker; a deleted patient still learns of the visits that were cancelled with the record. Security definer: a subscriber may not read the accounts of patients.
create or replace function find_appointment_mail(p_id uuid) returns jsonb
language sql stable security definer set search_path = public as $$
  select jsonb_build_object('to_address', m.to_address, 'language', m.language, 'patient_profile_id', a.patient_profile_id,
    'source', a.source, 'status', a.status, 'series_id', a.series_id, 'rescheduled_from_id', a.rescheduled_from_id,
    'cancelled_by', a.cancelled_by, 'cancellation_reason', a.cancellation_reason, 'confirmed_at', a.confirmed_at, 'is_future', a.starts_at > now(),
    'data', appointment_mail_data(a.organization_id, a.id))
  from appointments a join organizations o on o.id = a.organization_id
  left join patients p on p.organization_id = a.organization_id and p.id = a.patient_id
    and (p.deleted_at is null or p.deleted_at = a.cancelled_at)
  left join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
  left join humans h on h.id = f.human_id and h.email_verified
  cross join lateral (select
    case when a.patient_id is null then a.booker ->> 'email' else coalesce(h.email::text, p.email::text) end as to_address,
    coalesce(case when a.patient_id is null then a.booker ->> 'language' else coalesce(h.preferred_language, p.language_code) end,
      o.language_code) as language) m
  where a.organization_id = current_app_org_id() and a.id = p_id and m.to_address is not null
$$;
alter function find_appointment_mail(uuid) owner to tendon_definer;
grant execute on function find_appointment_mail(uuid) to tendon_worker;

-- The future appointments of a series, for mails, each with the times at which nothing was booked. Security definer: see
-- find_appointment_mail.
create or replace function series_mail_data(p_series uuid) returns setof jsonb
language sql stable security definer set search_path = public as $$
  select appointment_mail_data(organization_id, id) || jsonb_build_object('skipped', (
    select coalesce(jsonb_agg(iso_time(s) order by s), '[]') from appointments f, unnest(f.skipped_starts_at) s
    where f.organization_id = current_app_org_id() and f.series_id = p_series and s > now()))
  from appointments
  where organization_id = current_app_org_id() and series_id = p_series and status in ('pending', 'confirmed') and starts_at > now()
  order by starts_at
$$;
alter function series_mail_data(uuid) owner to tendon_definer;
grant execute on function series_mail_data(uuid) to tendon_worker;

-- Inserts the future reminders of a confirmed appointment, from its service, otherwise from the clinic. Returns the new ones.
-- Security definer: only functions write reminders.
create or replace function plan_reminders(p_appointment uuid) returns table (id uuid, send_at timestamptz)
language sql security definer set search_path = public as $$
  insert into appointment_reminders (organization_id, appointment_id, patient_profile_id, offset_minutes, starts_at, send_at)
  select distinct a.organization_id, a.id, a.patient_profile_id, m, a.starts_at, a.starts_at - make_interval(mins => m)
  from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
  left join organization_settings t on t.organization_id = a.organization_id
  cross join unnest(coalesce(s.reminder_offsets_minutes, t.reminder_offsets_minutes, '{1440,120}')) m
  where a.organization_id = current_app_org_id() and a.id = p_appointment and a.status = 'confirmed'
    and a.starts_at - make_interval(mins => m) > now()
  on conflict do nothing
  returning id, send_at
$$;
alter function plan_reminders(uuid) owner to tendon_definer;
grant execute on function plan_reminders(uuid) to tendon_worker;

-- Whether the appointment of a reminder was cancelled, moved or has started; false for other mails.
-- Security definer: also read for mails of every clinic.
create or replace function is_stale_reminder(p_organization uuid, p_reminder uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select p_reminder is not null and not exists (
    select 1 from appointment_reminders r join appointments a on a.organization_id = r.organization_id and a.id = r.appointment_id
    where r.organization_id = p_organization and r.id = p_reminder and a.status = 'confirmed' and a.starts_at = r.starts_at
      and a.starts_at > now())
$$;
alter function is_stale_reminder(uuid, uuid) owner to tendon_definer;
revoke execute on function is_stale_reminder(uuid, uuid) from public;

-- Marks a planned reminder as sent and returns its appointment, or null when there is nothing to send. After the lock a
-- concurrent change of the appointment is either visible or still waiting. Security definer: see plan_reminders.
create or replace function take_reminder(p_id uuid) returns uuid
language plpgsql security definer set search_path = public as $$
declare
  v_reminder appointment_reminders;
  v_stale boolean;
begin
  select * into v_reminder from appointment_reminders
    where organization_id = current_app_org_id() and id = p_id and status = 'planned' for update;
  if v_reminder.id is null then
    return null;
  end if;
  perform 1 from appointments where organization_id = v_reminder.organization_id and id = v_reminder.appointment_id for share;
  v_stale := is_stale_reminder(v_reminder.organization_id, p_id);
  update appointment_reminders set status = case when v_stale then 'skipped' else 'sent' end where id = p_id;
  return case when v_stale then null else v_reminder.appointment_id end;
end
$$;
alter function take_reminder(uuid) owner to tendon_definer;
grant execute on function take_reminder(uuid) to tendon_worker;

-- Erasure. Security definer: see erase_appointments.
create or replace function erase_appointment_reminders(p_profile uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  delete from appointment_reminders where organization_id = current_app_org_id() and patient_profile_id = p_profile;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function erase_appointment_reminders(uuid) owner to tendon_definer;
grant execute on function erase_appointment_reminders(uuid) to tendon_worker;
