import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { AppointmentMailData } from './mail-parts.ts'

/** The recipient and the content of a mail about an appointment. */
export interface AppointmentMail {
  to_address: string
  language: string
  patient_profile_id: string | null
  source: string
  status: string
  series_id: string | null
  rescheduled_from_id: string | null
  cancelled_by: string | null
  cancellation_reason: string | null
  confirmed_at: string | null
  is_future: boolean | null
  data: AppointmentMailData
}

/** Undefined when there is no recipient. */
export async function findAppointmentMail(tx: TenantTx, id: string): Promise<AppointmentMail | undefined> {
  const { rows } = await sql<{ mail: AppointmentMail | null }>`select find_appointment_mail(${id}) as mail`.execute(tx)
  return rows[0]?.mail ?? undefined
}

/** The future appointments of a series. */
export async function listSeriesMailData(tx: TenantTx, seriesId: string): Promise<AppointmentMailData[]> {
  const { rows } = await sql<{ data: AppointmentMailData }>`
    select data from series_mail_data(${seriesId}) as data`.execute(tx)
  return rows.map(({ data }) => data)
}
