import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

interface PlannedReminder {
  id: string
  send_at: string
}

export async function planReminders(tx: TenantTx, appointmentId: string): Promise<PlannedReminder[]> {
  const { rows } = await sql<PlannedReminder>`select id, send_at from plan_reminders(${appointmentId})`.execute(tx)
  return rows
}

/** The appointment of a reminder; undefined when the reminder must not be sent. */
export async function takeReminder(tx: TenantTx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select take_reminder(${id}) as id`.execute(tx)
  return rows[0]?.id ?? undefined
}
