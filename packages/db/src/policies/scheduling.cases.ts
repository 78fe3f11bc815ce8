import { all, any, type Case, type Cases, inClinic, service } from './case.ts'

const VIEW_SERVICES = any('services.view_org', 'services.manage')
const MANAGE_SERVICES = all('services.manage')
const VIEW_CALENDARS = any('calendars.view_org', 'calendars.manage')
const MANAGE_CALENDARS = all('calendars.manage')

/** Written and read by functions alone. */
const closed: Pick<Case, 'select' | 'insert' | 'update' | 'delete'> = {
  select: 'nobody',
  insert: 'nobody',
  update: 'nobody',
  delete: 'nobody',
}
const services = { select: VIEW_SERVICES, insert: MANAGE_SERVICES, update: MANAGE_SERVICES, delete: 'nobody' } as const
const serviceLinks = {
  select: VIEW_SERVICES,
  insert: MANAGE_SERVICES,
  update: 'nobody',
  delete: MANAGE_SERVICES,
} as const
const calendars = {
  select: VIEW_CALENDARS,
  insert: MANAGE_CALENDARS,
  update: MANAGE_CALENDARS,
  delete: MANAGE_CALENDARS,
} as const

export const SCHEDULING_CASES: Cases = {
  services: {
    row: inClinic,
    fresh: (of) => `(organization_id, name, slug, duration_minutes) values ('${of.id}', 'New', 'new', 30)`,
    set: `name = 'Other'`,
    ...services,
  },
  products: {
    row: inClinic,
    fresh: (of) => `(organization_id, sku, name, price_cents) values ('${of.id}', 'NEW', 'New', 1)`,
    set: `name = 'Other'`,
    ...services,
  },
  service_plans: {
    row: inClinic,
    fresh: (of) => `(organization_id, name, price_cents) values ('${of.id}', 'New', 1)`,
    set: `name = 'Other'`,
    ...services,
  },
  service_specialists: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, service_id, specialist_id) values ('${of.id}', '${of.otherService}', '${of.specialist}')`,
    set: 'service_id = service_id',
    ...serviceLinks,
  },
  service_locations: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, service_id, location_id) values ('${of.id}', '${of.otherService}', '${of.location}')`,
    set: 'service_id = service_id',
    ...serviceLinks,
  },
  service_plan_items: {
    row: inClinic,
    fresh: (of) => `(organization_id, service_plan_id, service_id, quantity, position)
      values ('${of.id}', '${of.servicePlan}', '${of.otherService}', 1, 1)`,
    set: 'quantity = 2',
    ...serviceLinks,
  },
  service_plan_products: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, service_plan_id, product_id) values ('${of.id}', '${of.servicePlan}', '${of.spareProduct}')`,
    set: 'quantity = 2',
    ...serviceLinks,
  },
  calendars: {
    row: inClinic,
    fresh: (of) => `(organization_id, specialist_id, name) values ('${of.id}', '${of.specialist}', 'New')`,
    set: `name = 'Other'`,
    ...calendars,
  },
  calendar_services: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, calendar_id, service_id) values ('${of.id}', '${of.spareCalendar}', '${of.offered}')`,
    set: 'service_id = service_id',
    ...calendars,
    update: 'nobody',
  },
  calendar_overrides: {
    row: inClinic,
    fresh: (of) => `(organization_id, calendar_id, date) values ('${of.id}', '${of.spareCalendar}', '2026-12-31')`,
    set: `reason = 'x'`,
    ...calendars,
    update: 'nobody',
  },
  closures: {
    row: inClinic,
    fresh: (of) => `(organization_id, date, name) values ('${of.id}', '2027-01-01', 'New Year')`,
    set: `name = 'Other'`,
    ...calendars,
  },
  busy_times: {
    row: inClinic,
    fresh: (of) => `(organization_id, specialist_id, integration_id, starts_at, ends_at)
      values ('${of.id}', '${of.specialist}', gen_random_uuid(), now(), now() + interval '1 hour')`,
    set: 'ends_at = ends_at',
    ...closed,
    select: service('calendars.view_org'),
    worker: ['insert', 'delete'],
  },
  holds: {
    row: inClinic,
    fresh: (of) => `(organization_id, service_id, specialist_id, mode, starts_at, ends_at, expires_at)
      values ('${of.id}', '${of.offered}', '${of.specialist}', 'phone', now(), now() + interval '1 hour', now())`,
    set: `status = 'released'`,
    ...closed,
    select: service(),
    update: service(),
  },
  time_claims: {
    row: inClinic,
    fresh: (of) => `(organization_id, specialist_id, starts_at, ends_at, kind)
      values ('${of.id}', '${of.specialist}', '2030-01-01', '2030-01-01 01:00', 'appointment')`,
    set: 'ends_at = ends_at',
    ...closed,
    select: service('appointments.view_org'),
  },
  booking_links: {
    row: inClinic,
    fresh: (of) => `(token_hash, organization_id, appointment_id) values ('\\x01', '${of.id}', '${of.visit}')`,
    set: 'appointment_id = appointment_id',
    ...closed,
    select: service('appointments.view_org'),
    insert: service('appointments.view_org'),
    update: service('appointments.view_org'),
    worker: ['delete'],
  },
  calendar_feeds: {
    row: inClinic,
    fresh: (of) => `(organization_id, specialist_id, token_hash) values ('${of.id}', '${of.specialist}', '\\x02')`,
    set: 'created_at = created_at',
    select: all('appointments.view_org'),
    insert: service('appointments.view_org'),
    update: service('appointments.view_org'),
    delete: service('appointments.view_org'),
  },
  appointment_reminders: {
    row: inClinic,
    fresh: (of) => `(organization_id, appointment_id, offset_minutes, starts_at, send_at)
      values ('${of.id}', '${of.visit}', 60, now(), now())`,
    set: `status = 'queued'`,
    ...closed,
    select: all('appointments.view_org'),
    worker: ['insert', 'update', 'delete'],
  },
  appointment_notices: {
    row: inClinic,
    fresh: (of) => `(organization_id, appointment_id) values ('${of.id}', '${of.spareVisit}')`,
    set: 'appointment_id = appointment_id',
    select: service(),
    insert: service(),
    update: service(),
    delete: service(),
  },
  waitlist_offers: {
    row: inClinic,
    fresh: (
      of,
    ) => `(organization_id, appointment_id, patient_profile_id, specialist_id, starts_at, ends_at, status, reason, offered_by)
      values ('${of.id}', '${of.visit}', '${of.profile}', '${of.specialist}', now(), now() + interval '1 hour', 'skipped',
        'patient_busy', 'staff')`,
    set: `answered_at = now()`,
    select: all('appointments.view_org'),
    insert: all('appointments.manage'),
    update: all('appointments.view_org', 'appointments.manage'),
    delete: 'nobody',
    worker: ['delete'],
  },
  appointments: {
    row: (of) => `id = '${of.spareVisit}'`,
    fresh: (of) => `(organization_id, service_id, specialist_id, starts_at, ends_at, time_zone, mode, status, source)
      values ('${of.id}', '${of.offered}', '${of.specialist}', now(), now() + interval '1 hour', 'UTC', 'phone', 'pending', 'staff')`,
    set: `title = 'Other'`,
    select: all('appointments.view_org'),
    insert: all('appointments.manage'),
    update: all('appointments.view_org', 'appointments.manage'),
    delete: 'nobody',
    worker: ['delete'],
  },
  appointment_reviews: {
    row: inClinic,
    fresh: (of) => `(organization_id, appointment_id, patient_profile_id, rating)
      values ('${of.id}', '${of.spareVisit}', '${of.profile}', 4)`,
    set: 'comment = null',
    select: all('appointments.view_org'),
    insert: 'nobody',
    update: 'nobody',
    delete: 'nobody',
    worker: ['update'],
  },
}
