import { ZONE } from './clinics.ts'
import { PATIENTS_PER_SPECIALIST } from './size.ts'

// Working days of six weeks before and three after today. Neighbouring numbers are other patients, so that nobody has two
// visits at one time.

/** How much of a full specialist's time is booked. */
const PER_THOUSAND = 750

const BOOKED = `
  insert into seed_visits (id, claim_id, organization_id, specialist_id, service_id, location_id, calendar_id, patient_id, profile_id,
    starts_at, status, number)
  select uuidv7(), uuidv7(), v.organization_id, v.specialist_id, v.service_id, v.location_id, v.calendar_id, p.id, p.profile_id, v.starts_at,
    case when v.starts_at >= now() then case when v.number % 12 = 0 then 'pending' else 'confirmed' end
      when v.number % 15 = 0 then 'no_show' when v.number % 11 = 0 then 'cancelled' else 'completed' end,
    v.number
  from (
    select s.organization_id, s.id as specialist_id, s.service_id, s.location_id, a.id as calendar_id, c.patients, t.starts_at,
      row_number() over (partition by s.organization_id order by t.starts_at, s.place) as number
    from seed_specialists s
    join seed_clinics c on c.id = s.organization_id
    join calendars a on a.organization_id = s.organization_id and a.specialist_id = s.id,
      generate_series(current_date - 42, current_date + 21, interval '1 day') day,
      generate_series(8, 15) hour,
      lateral (select (day::timestamp + hour * interval '1 hour') at time zone '${ZONE}' as starts_at) t
    where extract(isodow from day) < 6 and abs(hashtext(s.place || ' ' || t.starts_at)) % 1000 < ${PER_THOUSAND} * c.patients / (c.specialists * ${PATIENTS_PER_SPECIALIST})) v
  join seed_patients p on p.organization_id = v.organization_id and p.place = v.number % v.patients`

export const VISITS = [
  BOOKED,
  `insert into appointments (id, organization_id, service_id, specialist_id, location_id, calendar_id, patient_profile_id, patient_id,
     starts_at, ends_at, time_zone, mode, status, source, price_cents, cancelled_at, cancelled_by, confirmed_at, completed_at,
     created_at, updated_at)
   select id, organization_id, service_id, specialist_id, location_id, calendar_id, profile_id, patient_id,
     starts_at, starts_at + interval '50 minutes', '${ZONE}', 'in_person', status, 'staff', 15000,
     case when status = 'cancelled' then at end, case when status = 'cancelled' then 'patient' end,
     case when status <> 'pending' then at end, case when status = 'completed' then starts_at + interval '50 minutes' end, at, at
   from seed_visits, lateral (select least(now(), starts_at) - (number % 14 + 1) * interval '1 day' as at) x`,
  `insert into time_claims (id, organization_id, specialist_id, starts_at, ends_at, kind, appointment_id)
   select claim_id, organization_id, specialist_id, starts_at, starts_at + interval '50 minutes', 'appointment', id
   from seed_visits where status <> 'cancelled'`,
  `insert into appointments (organization_id, service_id, patient_profile_id, patient_id, time_zone, mode, status, source)
   select v.organization_id, v.id, p.profile_id, p.id, '${ZONE}', 'in_person', 'waitlist', 'waitlist'
   from seed_patients p join services v on v.organization_id = p.organization_id and v.slug = 'sedinta-1'
   where p.place % 100 = 7`,
  `insert into appointment_reminders (organization_id, appointment_id, patient_profile_id, offset_minutes, starts_at, send_at, status)
   select organization_id, id, profile_id, 1440, starts_at, starts_at - interval '1 day', 'sent'
   from seed_visits where status = 'completed'`,
  `insert into appointment_documents (organization_id, kind, appointment_id, patient_profile_id, template_version, language, input_hash,
     object_key, pages, size, sha256, verification_code, created_by_principal_id, created_at, issued_by)
   select v.organization_id, 'attendance_certificate', v.id, v.profile_id, 0, 'ro', sha256(v.id::text::bytea),
     'documents/' || v.organization_id || '/' || v.id || '.pdf', 1, 24000, sha256(v.id::text::bytea),
     'seed-' || v.id, c.admin_id, v.starts_at + interval '1 hour', 'Clinica ' || c.slug
   from seed_visits v join seed_clinics c on c.id = v.organization_id where v.status = 'completed' and v.number % 4 = 0`,
]
