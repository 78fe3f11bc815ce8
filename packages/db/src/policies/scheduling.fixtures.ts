import type { TestDatabase } from '@tendon/testing'

interface Of {
  id: string
  profile: string
  patient: string
  specialist: string
  location: string
  /** Who booked without an account, before they had one. */
  spareHuman: string
}

/** A row in every table of scheduling, and a service, product, calendar and appointment without links. */
export async function createScheduling(query: TestDatabase['query'], of: Of) {
  const insert = async (text: string, values: unknown[] = [], returning = 'id') => {
    const [row] = await query<{ id: string }>(`insert into ${text} returning ${returning} as id`, [of.id, ...values])
    if (!row) throw new Error(`nothing was inserted: ${text}`)
    return row.id
  }
  const service = (slug: string) =>
    insert(`services (organization_id, name, slug, duration_minutes) values ($1, 'Session', $2, 60)`, [slug])
  const product = (sku: string) =>
    insert(`products (organization_id, sku, name, price_cents) values ($1, $2, 'Band', 100)`, [sku])
  const calendar = () =>
    insert(`calendars (organization_id, specialist_id, name) values ($1, $2, 'Week')`, [of.specialist])
  const appointment = (service_id: string, day: number) =>
    insert(
      `appointments (organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at, time_zone,
         mode, status, source)
       values ($1, $2, $3, $4, $5, timestamptz '2026-01-01 09:00Z' + $6 * interval '1 day',
         timestamptz '2026-01-01 10:00Z' + $6 * interval '1 day', 'UTC', 'phone', 'completed', 'staff')`,
      [service_id, of.specialist, of.patient, of.profile, day],
    )
  const [offered, otherService] = [await service('session'), await service('other')]
  const [soldProduct, spareProduct] = [await product('A'), await product('B')]
  const [workCalendar, spareCalendar] = [await calendar(), await calendar()]
  const [visit, spareVisit] = [await appointment(offered, 1), await appointment(offered, 2)]
  await query('update humans set email_verified = true where id = $1', [of.spareHuman])
  await insert(
    `appointments (organization_id, service_id, specialist_id, starts_at, ends_at, time_zone, mode, status, source, booker)
     select $1, $2, $3, '2026-01-05 09:00Z', '2026-01-05 10:00Z', 'UTC', 'phone', 'completed', 'public',
       jsonb_build_object('name', 'Maria', 'email', email) from humans where id = $4`,
    [offered, of.specialist, of.spareHuman],
  )
  const servicePlan = await insert(`service_plans (organization_id, name, price_cents) values ($1, 'Ten', 100)`)
  await insert(
    'service_specialists (organization_id, service_id, specialist_id) values ($1, $2, $3)',
    [offered, of.specialist],
    'service_id',
  )
  await insert(
    'service_locations (organization_id, service_id, location_id) values ($1, $2, $3)',
    [offered, of.location],
    'service_id',
  )
  await insert(
    'service_plan_items (organization_id, service_plan_id, service_id, quantity, position) values ($1, $2, $3, 1, 0)',
    [servicePlan, offered],
    'service_id',
  )
  await insert(
    'service_plan_products (organization_id, service_plan_id, product_id) values ($1, $2, $3)',
    [servicePlan, soldProduct],
    'product_id',
  )
  await insert(
    'calendar_services (organization_id, calendar_id, service_id) values ($1, $2, $3)',
    [workCalendar, offered],
    'service_id',
  )
  await insert(`calendar_overrides (organization_id, calendar_id, date) values ($1, $2, '2026-12-24')`, [workCalendar])
  await insert(`closures (organization_id, date, name) values ($1, '2026-12-25', 'Christmas')`)
  await insert(
    `busy_times (organization_id, specialist_id, integration_id, starts_at, ends_at)
     values ($1, $2, gen_random_uuid(), now(), now() + interval '1 hour')`,
    [of.specialist],
    'integration_id',
  )
  const hold = await insert(
    `holds (organization_id, service_id, specialist_id, mode, starts_at, ends_at, expires_at)
     values ($1, $2, $3, 'phone', now(), now() + interval '1 hour', now() + interval '5 minutes')`,
    [offered, of.specialist],
  )
  await insert(
    `time_claims (organization_id, specialist_id, starts_at, ends_at, kind, hold_id, expires_at)
     values ($1, $2, now(), now() + interval '1 hour', 'hold', $3, now() + interval '5 minutes')`,
    [of.specialist, hold],
  )
  await insert(
    `booking_links (token_hash, organization_id, appointment_id) values (gen_random_uuid()::text::bytea, $1, $2)`,
    [visit],
    'appointment_id',
  )
  await insert(
    'appointment_reviews (organization_id, appointment_id, patient_profile_id, rating) values ($1, $2, $3, 5)',
    [visit, of.profile],
  )
  await insert(
    `appointment_reminders (organization_id, appointment_id, patient_profile_id, offset_minutes, starts_at, send_at)
     values ($1, $2, $3, 120, now(), now())`,
    [visit, of.profile],
  )
  await insert('appointment_notices (organization_id, appointment_id) values ($1, $2)', [visit], 'appointment_id')
  await insert(
    `waitlist_offers (organization_id, appointment_id, patient_profile_id, specialist_id, starts_at, ends_at, status, offered_by)
     values ($1, $2, $3, $4, now(), now() + interval '1 hour', 'ended', 'staff')`,
    [visit, of.profile, of.specialist],
  )
  await insert(
    `attention_marks (organization_id, key, patient_profile_id, state, marked_by_principal_id, marked_at)
     values ($1, 'pain.' || gen_random_uuid(), $2, 'done', gen_random_uuid(), now())`,
    [of.profile],
  )
  await insert(
    `calendar_feeds (organization_id, patient_profile_id, token_hash, principal_id)
     values ($1, $2, gen_random_uuid()::text::bytea, gen_random_uuid())`,
    [of.profile],
  )
  return { offered, otherService, spareProduct, spareCalendar, servicePlan, visit, spareVisit }
}
