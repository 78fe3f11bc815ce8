import type pg from 'pg'
import { subjectOf } from '../../apps/identity/src/accounts.ts'
import { firstName, lastName } from './names.ts'
import { inBatches } from './rows.ts'
import { type ClinicSize, clinicSize, type SeedSize } from './size.ts'

export const ZONE = 'Europe/Bucharest'

export interface SeededClinic extends ClinicSize {
  id: string
  slug: string
  /** Where the e-mail addresses of its people are. */
  domain: string
}

/** Clinics with roles, staff, a published notice, places, services and working hours. */
export async function seedClinics(client: pg.ClientBase, size: SeedSize, issuer: string): Promise<SeededClinic[]> {
  const { rows } = await client.query<{ next: number }>(
    `select coalesce(max(substr(slug, 6)::int), 0) + 1 as next from organizations where slug ~ '^seed-[0-9]{1,8}$'`,
  )
  const next = rows[0]?.next ?? 1
  const sizes = Array.from({ length: size.clinics }, (_, index) => ({
    place: next + index,
    plan: index === 0 ? 'dedicated' : 'pro',
    ...clinicSize(index === 0, size),
  }))
  const { rows: clinics } = await client.query<SeededClinic>(
    `insert into seed_clinics (id, slug, domain, plan, patients, specialists, services, locations)
     select uuidv7(), 'seed-' || place, 'seed-' || place || '.example', plan, patients, specialists, services, locations
     from jsonb_to_recordset($1) as c (place int, plan text, patients int, specialists int, services int, locations int)
     order by place
     returning id, slug, domain, patients, specialists, services, locations`,
    [JSON.stringify(sizes)],
  )
  await client.query(CLINICS)
  await inBatches(client, STAFF, staffOf(clinics, issuer))
  for (const statement of PLACES) await client.query(statement)
  return clinics
}

function* staffOf(clinics: readonly SeededClinic[], issuer: string) {
  for (const { id: organization_id, domain, specialists } of clinics) {
    const person = (name: string, role: string, place: number, specialist: number | null) => {
      const email = `${name}@${domain}`
      const subject = subjectOf(email)
      return {
        organization_id,
        email,
        issuer,
        subject,
        role,
        specialist,
        name: `${firstName(place)} ${lastName(place)}`,
      }
    }
    yield person('admin', 'admin', 0, null)
    yield person('desk', 'customer_support', 5, null)
    for (let place = 1; place <= specialists; place += 1)
      yield person(`specialist-${place}`, 'specialist', 10 + place, place)
  }
}

const CLINICS = `
  with made as (
    insert into organizations (id, name, slug, plan, language_code, time_zone, legal_name, contact_email, phone)
    select id, 'Clinica ' || slug, slug, plan, 'ro', '${ZONE}', 'Clinica ' || slug || ' SRL', 'contact@' || domain, '+40 21 555 0100'
    from seed_clinics returning id)
  select clone_role_templates(id) from made`

const STAFF = `
  with given as materialized (
    select gen_random_uuid() as id, s.* from jsonb_to_recordset($1) as s (
      organization_id uuid, email citext, issuer text, subject text, role text, specialist int, name text)),
  made_principals as (insert into principals (id, kind) select id, 'human' from given),
  made_humans as (
    insert into humans (id, email, email_verified, name, current_organization_id, linked_at)
    select id, email, true, name, organization_id, now() from given),
  made_identities as (insert into identities (issuer, subject, human_id) select issuer, subject, id from given),
  made_memberships as (
    insert into organization_memberships (organization_id, principal_id, role_id, joined_at)
    select g.organization_id, g.id, r.id, now()
    from given g join roles r on r.organization_id = g.organization_id and r.code = g.role),
  made_admins as (update seed_clinics c set admin_id = g.id from given g where g.organization_id = c.id and g.role = 'admin')
  insert into specialists (organization_id, human_id, name, title, slug, scheduling_timezone)
  select organization_id, id, name, 'Kinetoterapeut', 'specialist-' || specialist, '${ZONE}'
  from given where specialist is not null order by specialist`

const PLACES = [
  `insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations, published_by_principal_id)
   select 'org_privacy_notice', id, 1, '{"en": "How the clinic treats your data.", "ro": "Cum tratează clinica datele tale."}', admin_id
   from seed_clinics`,
  `insert into organization_domains (organization_id, domain, status, challenge, verified_at, last_checked_at)
   select id, 'clinic.' || domain, 'verified', md5(domain), now(), now() from seed_clinics`,
  `insert into organization_settings (organization_id) select id from seed_clinics on conflict do nothing`,
  `insert into locations (organization_id, name, address)
   select id, 'Sediul ' || place, jsonb_build_object('line1', 'Strada Lipscani ' || place, 'city', 'București', 'country', 'RO')
   from seed_clinics, generate_series(1, locations) place`,
  `insert into services (organization_id, name, slug, duration_minutes, slot_interval_minutes, modes, price_cents)
   select id, 'Ședință ' || place, 'sedinta-' || place, 50, 60, '{in_person,video}', 15000
   from seed_clinics, generate_series(1, services) place`,
  `insert into seed_specialists (organization_id, place, id, service_id, location_id)
   select s.organization_id, s.place, s.id, v.id, l.id
   from (select organization_id, id, substr(slug, 12)::int as place from specialists
     where organization_id in (select id from seed_clinics)) s
   join seed_clinics c on c.id = s.organization_id
   join services v on v.organization_id = c.id and v.slug = 'sedinta-' || (s.place % c.services + 1)
   join locations l on l.organization_id = c.id and l.name = 'Sediul ' || (s.place % c.locations + 1)`,
  `insert into service_specialists (organization_id, service_id, specialist_id)
   select organization_id, service_id, id from seed_specialists`,
  `insert into calendars (organization_id, specialist_id, name, location_id, weekly_hours)
   select organization_id, id, 'Program', location_id, (select jsonb_agg(
     jsonb_build_object('weekday', weekday, 'start', '08:00', 'end', '16:00')) from generate_series(1, 5) weekday)
   from seed_specialists`,
  `insert into closures (organization_id, date, date_to, name)
   select id, make_date(extract(year from now())::int, 12, 25), make_date(extract(year from now())::int, 12, 26), 'Crăciun'
   from seed_clinics`,
]
