import type { SchedulingSettings, SchedulingSettingsChanges } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = ['reminder_offsets_minutes', 'feed_shows_details', 'version', 'updated_at'] as const

/** A clinic with the default settings has no row. */
const DEFAULTS: SchedulingSettings = {
  reminder_offsets_minutes: [1440, 120],
  feed_shows_details: false,
  version: 1,
  updated_at: new Date(0).toISOString(),
}

export async function findSettings(tx: TenantTx): Promise<SchedulingSettings> {
  const found = await tx.selectFrom('scheduling_settings').select(COLUMNS).executeTakeFirst()
  return found ?? DEFAULTS
}

/** Writes the defaults if there is no row yet, and locks the row. */
export async function findSettingsForUpdate(tx: TenantTx): Promise<SchedulingSettings> {
  await sql`select ensure_scheduling_settings()`.execute(tx)
  return tx.selectFrom('scheduling_settings').select(COLUMNS).forNoKeyUpdate().executeTakeFirstOrThrow()
}

export function updateSettings(
  tx: TenantTx,
  { version: _version, ...changes }: SchedulingSettingsChanges,
): Promise<SchedulingSettings> {
  return tx.updateTable('scheduling_settings').set(changes).returning(COLUMNS).executeTakeFirstOrThrow()
}

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
