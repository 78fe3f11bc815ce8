import type { Json } from '../start/api.ts'
import type { Caller, Request } from './call.ts'
import type { Facts } from './facts.ts'

/** What people of a clinic open all day, with what it may cost. */
export interface HotRoute {
  name: string
  method: Request['method']
  /** With parameters; another request for each number, where a second one would not do the same. */
  path: (facts: Facts, number: number) => string
  as: Caller
  /** `given` is the answer to the request `before`. */
  body?: (facts: Facts, number: number, given: Json) => object
  /** Sent first and not measured: the hold of a booking. */
  before?: (facts: Facts, number: number) => Request
  /** Sent afterwards and not measured. */
  after?: (answer: Json) => Request
  /** In series, with the look-up of the caller. */
  roundTrips: number
}

const week = ({ from, to }: Facts) => `starts_at_after=${from}&starts_at_before=${to}`
const free = ({ service, from, to }: Facts) => `service_id=${service}&from=${from}&to=${to}&limit=1000`
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

const holdOf = ({ slug, service, free: slot }: Facts, number: number) => ({
  organization: slug,
  service_id: service,
  specialist_id: slot(number).specialist_id,
  location_id: slot(number).location_id,
  starts_at: slot(number).starts_at,
  mode: 'in_person',
})

const get = (name: string, roundTrips: number, path: HotRoute['path'], as: Caller = 'admin'): HotRoute => ({
  name,
  method: 'GET',
  path,
  as,
  roundTrips,
})

export const HOT_ROUTES: readonly HotRoute[] = [
  get('session', 3, () => '/v1/me'),
  get('saved views of a list', 3, () => '/v1/me/saved-views/patients'),
  get('clinic of a host', 1, ({ domain }) => `/v1/public/organizations/resolve?domain=clinic.${domain}`, 'visitor'),
  get('clinic of a slug', 1, ({ slug }) => `/v1/public/organizations/resolve?slug=${slug}`, 'visitor'),

  get('patient', 4, ({ patient }, number) => `/v1/patients/${patient(number).id}`),
  get('summary of a patient', 4, ({ patient }, number) => `/v1/patients/${patient(number).id}/summary`),
  get('timeline of a patient', 5, ({ patient }, number) => `/v1/patients/${patient(number).id}/timeline`),
  get('page of patients with summaries', 4, () => '/v1/patients?limit=50&include=summary'),
  get('page of patients', 2, () => '/v1/patients?limit=50'),
  get('page of patients by name', 2, () => '/v1/patients?limit=50&sort=last_name'),
  get('later page of patients', 2, () => '/v1/patients?limit=50&page=3'),
  get(
    'search of patients',
    2,
    ({ patient }, number) => `/v1/patients?limit=50&q=${encodeURIComponent(patient(number).name)}`,
  ),
  get('search of patients by e-mail', 2, ({ patient }, number) => `/v1/patients?limit=50&q=${patient(number).email}`),
  get(
    'picker of patients',
    3,
    ({ patient }, number) => `/v1/patients/picker?q=${encodeURIComponent(patient(number).name)}`,
  ),
  {
    name: 'new patient',
    method: 'POST',
    path: () => '/v1/patients',
    as: 'admin',
    body: (_, number) => ({ first_name: 'Ioana', last_name: `Nou ${number}`, email: `new-${number}@check.example` }),
    roundTrips: 5,
  },
  {
    name: 'change of a patient',
    method: 'PUT',
    path: ({ patient }, number) => `/v1/patients/${patient(number + 20).id}`,
    as: 'admin',
    body: (_, number) => ({
      first_name: 'Ioana',
      last_name: `Schimbat ${number}`,
      email: `changed-${number}@check.example`,
    }),
    roundTrips: 7,
  },
  get('profile of a patient', 7, ({ patient }, number) => `/v1/patients/${patient(number).id}/profile`),
  get('conditions of a patient', 4, ({ patient }) => `/v1/patients/${patient(0).id}/conditions`),
  get(
    'consents of a patient',
    4,
    ({ clinic, patient }, number) => `/v1/organizations/${clinic}/patients/${patient(number).id}/consents`,
  ),

  get('free times of a week', 3, (facts) => `/v1/availability?${free(facts)}`),
  get(
    'week of appointments',
    4,
    (facts) => `/v1/appointments?${week(facts)}&limit=100&include=patient,specialist,service`,
  ),
  get('calendar of a week', 4, ({ from, to }) => `/v1/calendar?from=${from}&to=${to}`),
  get('calendar of a team', 4, ({ from, to }) => `/v1/calendar?from=${from}&to=${to}&detail=taken`),
  get(
    'appointments of a patient',
    3,
    ({ patient }, number) => `/v1/appointments?patient_id=${patient(number).id}&sort=-starts_at`,
  ),
  get('waiting list', 3, () => '/v1/appointments?status=waitlist&sort=created_at'),
  get('appointment', 6, ({ visit }, number) => `/v1/appointments/${visit(number)}`),
  {
    name: 'new appointment',
    method: 'POST',
    path: () => '/v1/appointments',
    as: 'admin',
    body: ({ service, free: slot, patient }, number) => ({
      service_id: service,
      specialist_id: slot(number).specialist_id,
      location_id: slot(number).location_id,
      starts_at: slot(number).starts_at,
      patient_id: patient(number + 40).id,
    }),
    // The tenth writes the notice for the patient and the job of its mail, in the transaction.
    roundTrips: 10,
  },
  {
    name: 'move of an appointment',
    method: 'POST',
    path: ({ move }, number) => `/v1/appointments/${move(number).visit}/reschedule`,
    as: 'admin',
    body: ({ move }, number) => ({ starts_at: move(number).starts_at }),
    roundTrips: 6,
  },

  get('services of the booking page', 1, ({ slug }) => `/v1/public/services?organization=${slug}`, 'visitor'),
  get(
    'free times of the booking page',
    1,
    (facts) => `/v1/public/availability?organization=${facts.slug}&${free(facts)}`,
    'visitor',
  ),
  {
    name: 'hold of the booking page',
    method: 'POST',
    path: () => '/v1/public/holds',
    as: 'visitor',
    body: (facts, number) => holdOf(facts, number + 10),
    after: ({ data }) => ({ method: 'DELETE', path: `/v1/public/holds/${data.id}`, as: 'visitor' }),
    roundTrips: 4,
  },
  {
    name: 'booking of the booking page',
    method: 'POST',
    path: () => '/v1/public/bookings',
    as: 'visitor',
    before: (facts, number) => ({
      method: 'POST',
      path: '/v1/public/holds',
      as: 'visitor',
      body: holdOf(facts, number + 20),
    }),
    body: (_, number, { data }) => ({
      hold_id: data.id,
      booker: { name: 'Maria Pop', email: `booker-${number}@check.example` },
    }),
    roundTrips: 4,
  },

  get('today of a patient', 4, () => '/v1/me/today', 'patient'),
  get('own appointments', 3, () => '/v1/me/appointments', 'patient'),
  get('own plans', 3, () => '/v1/me/treatment-plans', 'patient'),

  get(
    'visits of today',
    4,
    ({ from, to }) =>
      `/v1/appointments?status=pending,confirmed,checked_in&starts_at_after=${from}&starts_at_before=${to}&sort=starts_at&include=patient,specialist&limit=8`,
  ),
  get(
    'visits on days off',
    5,
    () => '/v1/appointments?day_off=unsettled&sort=starts_at&include=patient,specialist&limit=100',
  ),
  get(
    'plans without activity',
    3,
    () => `/v1/treatment-plans?status=active&last_active_at_before=${daysAgo(7)}&sort=last_active_at&limit=8`,
  ),
  get('forms to sign', 3, () => '/v1/forms?status=completed&signed_by=staff&sort=completed_at&limit=8'),
  get('session runs of three days', 4, () => `/v1/session-runs?started_at_after=${daysAgo(3)}&limit=100`),
  get(
    'incomplete session runs',
    4,
    () => `/v1/session-runs?incomplete=true&started_at_after=${daysAgo(3)}&sort=-started_at&limit=8`,
  ),

  get('what needs attention', 6, () => '/v1/attention'),
  get('what needs my attention', 7, () => '/v1/attention?scope=mine'),
  get('search of the clinic', 4, ({ patient }, number) => `/v1/search?q=${encodeURIComponent(patient(number).name)}`),

  get('documents', 2, () => '/v1/appointment-documents?limit=50'),
  get('plans', 5, () => '/v1/treatment-plans?limit=50'),
  get('plan', 7, ({ plan }, number) => `/v1/treatment-plans/${plan(number)}`),
  get('forms of a patient', 3, ({ patient }, number) => `/v1/forms?patient_profile_id=${patient(number).profileId}`),
  get('form', 4, ({ form }, number) => `/v1/forms/${form(number)}`),
  get('session runs of a patient', 5, ({ patient }) => `/v1/patients/${patient(0).id}/session-runs`),
  get('mails', 2, ({ clinic }) => `/v1/organizations/${clinic}/mails?limit=50`),
  get('audit log', 3, () => '/v1/audit-logs?limit=50'),
  get(
    'audit log of a patient',
    3,
    ({ patient }, number) => `/v1/audit-logs?patient_profile_id=${patient(number).profileId}&limit=50`,
  ),
  get('members', 2, ({ clinic }) => `/v1/organizations/${clinic}/members?limit=50`),
]
