import type {
  Appointment,
  AppointmentChanges,
  AppointmentInclude,
  AppointmentMode,
  CustomField,
  List,
  ProfileValues,
} from '@tendon/contracts'
import { asService, CLINIC, existing, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { withNames } from './names-queries.ts'
import type { BookingPatient } from './patient-queries.ts'
import { AS_STAFF } from './service.ts'

export const COLUMNS = [
  'id',
  'organization_id',
  'service_id',
  'specialist_id',
  'location_id',
  'calendar_id',
  'patient_profile_id',
  'patient_id',
  'starts_at',
  'ends_at',
  'time_zone',
  'mode',
  'status',
  'previous_status',
  'status_set_at',
  'status_set_by',
  'source',
  'title',
  'notes',
  'patient_note',
  'meeting_url',
  'price_cents',
  'currency',
  'booker',
  'wanted',
  'series_id',
  'rescheduled_from_id',
  'rescheduled_to_id',
  'cancelled_at',
  'cancelled_by',
  'cancellation_reason',
  'confirmed_at',
  'checked_in_at',
  'completed_at',
  'overlap_allowed',
  'missing_consents',
  'slot_freed_at',
  'freed_slot',
  'kept_on_day_off_at',
  'version',
  'created_by_principal_id',
  'created_at',
  'updated_at',
] as const

const PATIENT = sql<NonNullable<
  Appointment['patient']
> | null>`(select jsonb_build_object('id', p.id, 'name', p.first_name || ' ' || p.last_name)
    from patients p where p.organization_id = appointments.organization_id and p.id = appointments.patient_id)`
const SPECIALIST = sql<NonNullable<
  Appointment['specialist']
> | null>`appointment_specialist(appointments.specialist_id)`
const SERVICE = sql<NonNullable<Appointment['service']> | null>`appointment_service(appointments.service_id)`
const DOCUMENTS = sql<
  NonNullable<Appointment['documents']>
>`(select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'kind', d.kind,
      'language', d.language, 'pages', d.pages, 'size', d.size, 'created_at', to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.created_at desc, d.id), '[]')
    from appointment_documents d where d.organization_id = appointments.organization_id and d.appointment_id = appointments.id)`
const CUSTOM_FIELDS = sql<Appointment['custom_fields']>`case when custom_fields = '{}' then custom_fields
  else appointment_custom_fields(custom_fields, true) end`

const SKIPPED = sql<string[]>`(select coalesce(jsonb_agg(to_char(s at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    order by s), '[]') from unnest(skipped_starts_at) s)`

const select = (tx: TenantTx, include: readonly AppointmentInclude[] = []) =>
  tx
    .selectFrom('appointments')
    .select([...COLUMNS, CUSTOM_FIELDS.as('custom_fields'), SKIPPED.as('skipped_starts_at')])
    .$if(include.includes('patient'), (query) => query.select(PATIENT.as('patient')))
    .$if(include.includes('specialist'), (query) => query.select(SPECIALIST.as('specialist')))
    .$if(include.includes('service'), (query) => query.select(SERVICE.as('service')))
    .$if(include.includes('documents'), (query) => query.select(DOCUMENTS.as('documents')))

const NAMED_BESIDE: readonly AppointmentInclude[] = ['specialist', 'service']

/** Appointments of the clinic in context, or those with these ids; the route declares NAMING. Patients list theirs with another query. */
export async function listAppointments(
  tx: TenantTx,
  { filters: { patient_id, ...filters }, ...list }: List,
  include: readonly AppointmentInclude[] = [],
  ids?: readonly string[],
) {
  const joined = include.filter((name) => !NAMED_BESIDE.includes(name))
  let query = select(tx, joined).where('organization_id', '=', CLINIC)
  if (patient_id) query = query.where(sql<boolean>`patient_id = any(with_linked_patients(${patient_id}::uuid[]))`)
  if (ids) query = query.where(sql<boolean>`id = any(${ids}::uuid[])`)
  const { rows, total } = await readPage(query, { ...list, filters }, {})
  return { rows: await withNames(tx, rows, include), total }
}

export async function findAppointment(
  tx: TenantTx,
  id: string,
  include: readonly AppointmentInclude[] = [],
): Promise<Appointment | undefined> {
  return select(tx, include).where('id', '=', id).where('organization_id', '=', CLINIC).executeTakeFirst()
}

export async function findAppointmentForUpdate(tx: TenantTx, id: string): Promise<Appointment | undefined> {
  return select(tx).where('id', '=', id).where('organization_id', '=', CLINIC).forNoKeyUpdate().executeTakeFirst()
}

interface AppointmentValues {
  service_id: string
  specialist_id: string | null
  location_id: string | null
  patient_id: string | null
  patient_profile_id: string | null
  starts_at: string | null
  ends_at: string | null
  time_zone: string
  mode: AppointmentMode
  price_cents: number | null
  currency: string
  missing_consents: string[]
  status: 'waitlist' | 'pending' | 'confirmed' | 'checked_in'
  source: 'staff' | 'series' | 'waitlist'
  series_id: string | null
  wanted: object | null
  details: {
    title?: string | null
    notes?: string | null
    patient_note?: string | null
    meeting_url?: string | null
    overlap_allowed?: boolean
    custom_fields?: StoredFields
  }
}

/** By the id of the field; null clears the value. */
export type StoredFields = Readonly<Record<string, ProfileValues[string] | null>>

type FieldDefinition = Pick<
  CustomField,
  'id' | 'key' | 'label' | 'field_type' | 'options' | 'description' | 'is_private' | 'system_key'
>

/** As last published. The trigger of appointments drops values of a field that is deleted meanwhile. Who books need not see custom fields. */
export function listAppointmentFields(tx: TenantTx): Promise<FieldDefinition[]> {
  return asService(tx, AS_STAFF.codes, (own) =>
    own
      .selectFrom('custom_fields')
      .select(['id', 'key', 'label', 'field_type', 'options', 'description', 'is_private', 'system_key'])
      .where('organization_id', '=', CLINIC)
      .where('entity_type', '=', 'appointment')
      .where('deleted_at', 'is', null)
      .orderBy('sort_order')
      .orderBy('id')
      .execute(),
  )
}

/** Not deleted. Who books need not see specialists. */
export async function hasSpecialist(tx: TenantTx, id: string): Promise<boolean> {
  const found = await asService(tx, AS_STAFF.codes, (own) =>
    own
      .selectFrom('specialists')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )
  return found !== undefined
}

/** Undefined when the patient has another appointment then. */
export async function insertAppointment(tx: TenantTx, values: AppointmentValues): Promise<string | undefined> {
  const { details, wanted, status, ...rest } = values
  const inserted = await tx
    .insertInto('appointments')
    .values({
      ...rest,
      status,
      status_set_at: sql<string>`now()`,
      status_set_by: 'staff',
      confirmed_at: status === 'confirmed' ? sql<string>`now()` : null,
      checked_in_at: status === 'checked_in' ? sql<string>`now()` : null,
      wanted: wanted && JSON.stringify(wanted),
      title: details.title ?? null,
      notes: details.notes ?? null,
      patient_note: details.patient_note ?? null,
      meeting_url: details.meeting_url ?? null,
      overlap_allowed: details.overlap_allowed ?? false,
      custom_fields: sql`jsonb_strip_nulls(${JSON.stringify(details.custom_fields ?? {})}::jsonb)`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function claimAppointment(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean | null }>`select claim_appointment(${id}) as claimed`.execute(tx)
  return rows[0]?.claimed === true
}

/** Frees the time of an appointment that was cancelled, missed or entered in error. */
export async function freeTime(tx: TenantTx, id: string): Promise<void> {
  await sql`select free_time(${id})`.execute(tx)
}

export async function updateAppointment(
  tx: TenantTx,
  id: string,
  { version: _version, custom_fields: _given, kept_on_day_off: isKept, ...changes }: AppointmentChanges,
  { fields, missingConsents }: { fields?: StoredFields | undefined; missingConsents?: string[] | undefined } = {},
): Promise<Appointment> {
  await tx
    .updateTable('appointments')
    .set({
      ...changes,
      ...(fields ? { custom_fields: sql`jsonb_strip_nulls(custom_fields || ${JSON.stringify(fields)}::jsonb)` } : {}),
      ...(isKept === undefined ? {} : { kept_on_day_off_at: isKept ? sql<string>`clock_timestamp()` : null }),
      ...(missingConsents && { missing_consents: missingConsents }),
    })
    .where('id', '=', id)
    .execute()
  return existing(await findAppointment(tx, id))
}

/** Makes an appointment that of a patient of the clinic in context. */
export async function updatePatient(
  tx: TenantTx,
  id: string,
  patient: Pick<BookingPatient, 'id' | 'patient_profile_id'>,
  missingConsents: string[],
): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({
      patient_id: patient.id,
      patient_profile_id: patient.patient_profile_id,
      missing_consents: missingConsents,
    })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
}
