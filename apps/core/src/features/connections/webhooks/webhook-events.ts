import { DOCUMENT_KINDS, PAIN_BANDS, PURPOSES, RUN_STATUSES } from '@tendon/contracts'
import type { JsonValue } from '@tendon/db'

// The events that webhooks send. An event without an entry is never sent. An entry lists the fields that are sent: each is
// an id, a value of a list, a time, a number or a boolean. Nothing else of an event's payload is sent.

type Field = 'id' | 'time' | 'number' | 'boolean' | readonly string[]

export interface PublishedEvent {
  event: string
  description: string
  fields: Readonly<Record<string, Field>>
  /** The fields that can be null; every other always has a value. */
  nullable?: readonly string[]
  /** Also sent about restricted and erased patients, so that receivers can erase too (GDPR article 19). Ids and purposes only. */
  always?: true
}

const appointment = { appointment_id: 'id', patient_id: 'id', patient_profile_id: 'id' } as const
const patient = { patient_id: 'id', patient_profile_id: 'id' } as const
const form = { form_id: 'id', form_template_id: 'id', patient_profile_id: 'id' } as const
const consent = { consent_id: 'id', patient_id: 'id', patient_profile_id: 'id', purpose_code: PURPOSES } as const
const member = { segment_id: 'id', patient_id: 'id' } as const
const plan = { treatment_plan_id: 'id', patient_id: 'id', patient_profile_id: 'id', program_id: 'id' } as const
const run = { session_run_id: 'id', patient_id: 'id', patient_profile_id: 'id' } as const

/** A booking without an account has no patient until it is linked to one. */
const BOOKER = ['patient_id', 'patient_profile_id'] as const

const UNDONE = ['cancelled', 'no_show', 'completed', 'checked_in', 'confirmed', 'pending'] as const
const RESTORED = ['confirmed', 'checked_in', 'pending', 'waitlist', 'no_show'] as const
const REMOVED = ['patient_deleted', 'processing_restricted', 'no_longer_matches'] as const
const ENDED = RUN_STATUSES.filter((status) => status !== 'in_progress')

const published: readonly [type: string, PublishedEvent][] = [
  ...entries(
    'appointment',
    appointment,
    {
      created: 'An appointment was booked.',
      confirmed: 'An appointment was confirmed.',
      cancelled: 'An appointment was cancelled.',
      checked_in: 'The patient arrived for an appointment.',
      completed: 'An appointment took place.',
      no_show: 'The patient did not come to an appointment.',
      updated: 'Details of an appointment were changed.',
    },
    BOOKER,
  ),
  ...entries('appointment', appointment, {
    linked: 'A booking without an account was linked to a patient.',
    reviewed: 'A patient reviewed an appointment.',
  }),
  ...entries(
    'appointment',
    { from_id: 'id', to_id: 'id', patient_id: 'id', patient_profile_id: 'id' },
    { rescheduled: 'An appointment was moved: a new one took the place of the old one.' },
    BOOKER,
  ),
  ...entries(
    'appointment',
    { ...appointment, from: UNDONE, to: RESTORED },
    { status_reverted: 'Staff undid the status of an appointment: it has the one before again.' },
    BOOKER,
  ),
  ...entries('form', form, {
    created: 'A form was created for a patient.',
    submitted: 'A form was completed.',
    signed: 'A form was signed.',
  }),
  ...entries('patient', patient, {
    created: 'A patient was added.',
    updated: 'A patient record was changed.',
    restored: 'A deleted patient record was restored.',
  }),
  [
    'patient.deleted',
    { event: 'patient.deleted', description: 'A patient record was deleted.', fields: patient, always: true },
  ],
  [
    'patient.restricted',
    {
      event: 'patient.restricted',
      description: 'The processing of a patient’s data was restricted. Stop processing it too.',
      fields: { patient_id: 'id' },
      always: true,
    },
  ],
  ...['gdpr.erase_completed', 'patient.account_erased'].map((type): [string, PublishedEvent] => [
    type,
    {
      event: 'patient.erased',
      description: 'The data of a patient was erased. Erase your copy too.',
      fields: { patient_id: 'id' },
      always: true,
    },
  ]),
  ...entries('consent', consent, { granted: 'A patient gave a consent.' }),
  [
    'consent.withdrawn',
    { event: 'consent.withdrawn', description: 'A patient withdrew a consent.', fields: consent, always: true },
  ],
  ...entries('segment.member', { ...member, matched_at: 'time' }, { added: 'A patient entered a segment.' }),
  ...entries('segment.member', { ...member, reason: REMOVED }, { removed: 'A patient left a segment.' }),
  ...entries(
    'treatment_plan',
    plan,
    {
      created: 'A treatment plan was created.',
      updated: 'A treatment plan was changed.',
      activated: 'A treatment plan was activated.',
      completed: 'A treatment plan was completed.',
      archived: 'A treatment plan was archived.',
      deleted: 'A treatment plan was deleted.',
      contraindicated: 'A recorded condition is a contraindication to an exercise of an active treatment plan.',
    },
    ['program_id'],
  ),
  ...entries(
    'session_run',
    { ...run, treatment_plan_id: 'id', plan_session_id: 'id' },
    { started: 'A session began.' },
  ),
  ...entries('session_run', { ...run, status: ENDED }, { ended: 'A session ended.' }),
  ...entries(
    'pain',
    { ...run, pain_report_id: 'id', severity_band: PAIN_BANDS, warning: 'boolean' },
    { reported: 'A patient reported pain during a session.' },
  ),
  ...entries(
    'document',
    {
      document_id: 'id',
      kind: DOCUMENT_KINDS,
      appointment_id: 'id',
      form_id: 'id',
      treatment_plan_id: 'id',
      patient_id: 'id',
      patient_profile_id: 'id',
    },
    { created: 'A document was created from an appointment, a form or a treatment plan.' },
    ['appointment_id', 'form_id', 'treatment_plan_id', ...BOOKER],
  ),
  ...entries(
    'webhook',
    { webhook_uid: 'id', reason: ['gone', 'failing'] },
    { disabled: 'A webhook of your organization was deactivated.' },
  ),
]

/** Type of the event in the outbox → the webhook event. */
export const PUBLISHED: ReadonlyMap<string, PublishedEvent> = new Map(published)

export const WEBHOOK_TEST: PublishedEvent = {
  event: 'webhook.test',
  description: 'Sent by `POST /v1/webhook-subscriptions/{uid}/test`.',
  fields: { webhook_uid: 'id' },
  always: true,
}

/** Sent by the action `send_webhook` of an automation, to the subscription that it names. */
export const AUTOMATION_TRIGGERED: PublishedEvent = {
  event: 'automation.triggered',
  description: 'An automation rule of your organization sent this.',
  fields: { rule_id: 'id', execution_id: 'id', trigger_event_id: 'id', patient_profile_id: 'id', appointment_id: 'id' },
  nullable: ['patient_profile_id', 'appointment_id'],
}

/** Every event that can be received, by name. */
export const CATALOGUE: readonly PublishedEvent[] = [
  ...new Map([...PUBLISHED.values(), AUTOMATION_TRIGGERED, WEBHOOK_TEST].map((one) => [one.event, one])).values(),
]

export const EVENT_NAMES: ReadonlySet<string> = new Set(['*', ...CATALOGUE.map(({ event }) => event)])

export interface Envelope {
  id: string
  organization_id: string
  occurred_at: string
}

/** The body of a webhook. A value of the wrong type is sent as null. */
export function bodyOf(published: PublishedEvent, payload: JsonValue, of: Envelope): string {
  return JSON.stringify(messageOf(published, payload, of))
}

function messageOf(published: PublishedEvent, payload: JsonValue, of: Envelope) {
  const { event } = published
  const data = thinDataOf(published, payload)
  return { id: of.id, event, created_at: of.occurred_at, organization_id: of.organization_id, data }
}

/** The listed fields of a payload, and nothing else. */
export function thinDataOf({ fields }: Pick<PublishedEvent, 'fields'>, payload: JsonValue): Record<string, JsonValue> {
  const given = isObject(payload) ? payload : {}
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fits(field, given[name]) ? (given[name] ?? null) : null]),
  )
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

function fits(field: Field, value: unknown): boolean {
  if (field === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (field === 'boolean') return typeof value === 'boolean'
  if (typeof value !== 'string') return false
  if (field === 'id') return ID.test(value)
  if (field === 'time') return TIME.test(value)
  return field.includes(value)
}

const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The ids in a payload that identify its patient. */
export function patientIn(payload: JsonValue): { patientId: string | null; patientProfileId: string | null } {
  const given = isObject(payload) ? payload : {}
  const idOf = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : null)
  return { patientId: idOf(given.patient_id), patientProfileId: idOf(given.patient_profile_id) }
}

const EXAMPLES = {
  id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
  time: '2026-11-15T09:30:00.000Z',
  number: 1,
  boolean: false,
}

export function exampleOf(published: PublishedEvent) {
  const payload = Object.fromEntries(
    Object.entries(published.fields).map(([name, field]) => [
      name,
      typeof field === 'string' ? EXAMPLES[field] : (field[0] ?? null),
    ]),
  )
  const of = { id: EXAMPLES.id, organization_id: EXAMPLES.id, occurred_at: EXAMPLES.time }
  return messageOf(published, payload, of)
}

function entries(
  subject: string,
  fields: PublishedEvent['fields'],
  acts: Readonly<Record<string, string>>,
  nullable: readonly string[] = [],
): [string, PublishedEvent][] {
  return Object.entries(acts).map(([act, description]) => {
    const event = `${subject}.${act}`
    return [event, { event, description, fields, nullable }]
  })
}
