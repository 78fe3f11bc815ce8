import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { StoredFormats } from './format-rules.ts'

interface StoredSettings extends StoredFormats {
  brand_color: string | null
  reminder_offsets_minutes: number[]
  feed_shows_details: boolean
  waitlist_offers: 'off' | 'auto'
  emergency_number: string
  version: number
  updated_at: string | null
}

type SettingsValues = Partial<Omit<StoredSettings, 'version' | 'updated_at' | keyof StoredFormats>> & {
  [Column in keyof StoredFormats]?: NonNullable<StoredFormats[Column]>
}

const COLUMNS = [
  'brand_color',
  'reminder_offsets_minutes',
  'feed_shows_details',
  'waitlist_offers',
  'emergency_number',
  'date_format',
  'clock_format',
  'week_start',
  'version',
  'updated_at',
] as const
const DEFAULTS: StoredSettings = {
  brand_color: null,
  reminder_offsets_minutes: [1440, 120],
  feed_shows_details: false,
  waitlist_offers: 'off',
  emergency_number: '112',
  date_format: null,
  clock_format: null,
  week_start: null,
  version: 1,
  updated_at: null,
}

export async function findSettings(tx: TenantTx): Promise<StoredSettings> {
  const found = await tx.selectFrom('organization_settings').select(COLUMNS).executeTakeFirst()
  return found ?? DEFAULTS
}

/** Serializes changes, so that the second one reads the result of the first. */
export async function lockSettings(tx: TenantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('settings ' || current_app_org_id(), 0))`.execute(tx)
}

/** The database defines the defaults. */
export function saveSettings(tx: TenantTx, values: SettingsValues): Promise<StoredSettings> {
  return tx
    .insertInto('organization_settings')
    .values(values)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

interface StoredBranding extends StoredFormats {
  name: string
  slug: string
  language_code: string
  brand_color: string | null
  logo_id: string | null
  phone: string | null
  emergency_number: string
}

export async function findBranding(tx: PublicTx, slug: string): Promise<StoredBranding | undefined> {
  const { rows } = await sql<StoredBranding>`select * from find_branding(${slug})`.execute(tx)
  return rows[0]
}
