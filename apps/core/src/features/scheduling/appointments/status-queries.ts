import type { Appointment, AppointmentStatus } from '@tendon/contracts'
import { CLINIC, existing, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { findAppointment } from './queries.ts'

/** With every new status; the present one becomes the previous one. */
export const statusSetBy = (by: StatusSetter) => ({
  previous_status: sql<AppointmentStatus>`status`,
  status_set_at: sql<string>`now()`,
  status_set_by: by,
})
type StatusSetter = NonNullable<Appointment['status_set_by']>

const STATUS_TIMES: Partial<Record<AppointmentStatus, string>> = {
  confirmed: 'confirmed_at',
  checked_in: 'checked_in_at',
  completed: 'completed_at',
  cancelled: 'cancelled_at',
}

export async function updateAppointmentStatus(
  tx: TenantTx,
  id: string,
  status: AppointmentStatus,
  reason: string | null,
  by: 'staff' | 'patient' = 'staff',
): Promise<Appointment> {
  const time = STATUS_TIMES[status]
  await tx
    .updateTable('appointments')
    .set({
      status,
      ...statusSetBy(by),
      ...(time ? { [time]: sql`now()` } : {}),
      ...(status === 'cancelled' ? { cancelled_by: 'staff', cancellation_reason: reason } : {}),
      slot_freed_at: null,
      freed_slot: null,
    })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
  return existing(await findAppointment(tx, id))
}

interface Undone {
  status: AppointmentStatus
  /** What was kept with the status that is undone. */
  cleared: object
  /** Of a visit that takes place again; else they stay. */
  missingConsents?: string[] | undefined
}

/** Sets the previous status again. What is undone cannot be undone. */
export async function updateUndone(
  tx: TenantTx,
  id: string,
  { status, cleared, missingConsents }: Undone,
): Promise<Appointment> {
  await tx
    .updateTable('appointments')
    .set({
      ...cleared,
      status,
      ...statusSetBy('staff'),
      previous_status: null,
      ...(missingConsents && { missing_consents: missingConsents }),
    })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
  return existing(await findAppointment(tx, id))
}
