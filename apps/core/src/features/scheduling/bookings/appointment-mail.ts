import type { RowOf, ServiceTx } from '@tendon/db'
import { sql } from 'kysely'
import type { AppointmentMailData } from './mail-parts.ts'
import { type Addresses, type Recipient, recipientOf } from './rules.ts'

/** What mails about visits read: the visit, its patient's addresses, and names, also of what was deleted since. */
export const MAIL_CODES = [
  'appointments.view_org',
  'data.view_deleted',
  'patients.view_org',
  'services.view_org',
  'specialists.view_org',
]

type Visit = RowOf<
  'appointments',
  | 'patient_profile_id'
  | 'source'
  | 'status'
  | 'status_set_by'
  | 'starts_at'
  | 'ends_at'
  | 'time_zone'
  | 'service_id'
  | 'specialist_id'
  | 'location_id'
  | 'mode'
  | 'cancelled_by'
  | 'cancellation_reason'
>

interface Content extends Visit {
  is_future: boolean | null
  data: AppointmentMailData
}

/** The recipient and the content of a mail about an appointment. */
export type AppointmentMail = Content & Recipient

/** Undefined when there is no recipient. */
export async function findAppointmentMail(tx: ServiceTx, id: string): Promise<AppointmentMail | undefined> {
  const { rows } = await sql<Content & Addresses>`
    select a.patient_profile_id, a.source, a.status, a.status_set_by, a.starts_at, a.ends_at, a.time_zone,
      a.service_id, a.specialist_id, a.location_id, a.mode, a.cancelled_by, a.cancellation_reason, a.starts_at > now() as is_future, a.booker, o.language_code as clinic_language,
      a.patient_id is not null as has_patient, p.email::text as record_email, p.language_code as record_language,
      h.email::text as account_email, h.preferred_language as account_language,
      p.deleted_at is null
        or a.status in ('cancelled', 'entered_in_error') and p.deleted_at >= a.status_set_at as is_reachable,
      appointment_mail_data(a.organization_id, a.id) as data
    from appointments a join organizations o on o.id = a.organization_id
    left join patients p on p.organization_id = a.organization_id and p.id = a.patient_id
    left join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
    left join humans h on h.id = f.human_id and h.email_verified
    where a.organization_id = (select current_app_org_id()) and a.id = ${id}`.execute(tx)
  const [visit] = rows
  const recipient = visit && recipientOf(visit)
  return recipient ? { ...visit, ...recipient } : undefined
}

/** Those of these appointments of a series that are to come, each with the times at which nothing was booked. */
export async function listSeriesMailData(
  tx: ServiceTx,
  seriesId: string,
  ids: readonly string[],
): Promise<AppointmentMailData[]> {
  const { rows } = await sql<{ data: AppointmentMailData }>`
    select appointment_mail_data(organization_id, id) || jsonb_build_object('skipped', (
      select coalesce(jsonb_agg(iso_time(s) order by s), '[]') from appointments f, unnest(f.skipped_starts_at) s
      where f.organization_id = (select current_app_org_id()) and f.series_id = ${seriesId} and s > now())) as data
    from appointments
    where organization_id = (select current_app_org_id()) and id = any (${ids}::uuid[]) and status in ('pending', 'confirmed')
      and starts_at > now()
    order by starts_at`.execute(tx)
  return rows.map(({ data }) => data)
}
