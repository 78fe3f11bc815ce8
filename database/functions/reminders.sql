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
