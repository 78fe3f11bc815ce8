import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { dataClasses } from '../data-classes.ts'

// Writes recognisable text (canaries) into every personal column of a clinic. The columns come from the data classes and
// the catalogue, so a new column or class is included automatically.

/** These columns contain constants of the code, not text about people. */
const NOT_PERSONAL = new Set([
  'audit_log.action',
  'audit_log.target_type',
  'automation_executions.event',
  'mail_outbox.provider',
  'mail_outbox.template',
  'webhook_events.event',
])

const COLUMNS = `
  select c.table_name, c.column_name, c.udt_name as type,
    exists (select 1 from information_schema.columns o where o.table_schema = 'public' and o.table_name = c.table_name
      and o.column_name = 'organization_id') as has_organization
  from information_schema.columns c
  where c.table_schema = 'public' and c.table_name = any ($1) and c.udt_name in ('text', 'citext', 'varchar', 'jsonb', '_text')
    and c.is_generated = 'NEVER' order by 1, 2`

interface Column {
  table_name: string
  column_name: string
  type: string
  has_organization: boolean
}

export const TYPED = 'typed.text'

export interface Canaries {
  /** `table.column` of every column that contains a canary. */
  planted: string[]
  /** Columns that could contain a canary, but whose table has no row of the clinic. */
  rowless: string[]
  /** A canary that is not stored, to be sent in requests. */
  typed: string
  /** The columns whose canary is in the text; TYPED for the canary that was sent. */
  foundIn(text: string): string[]
}

/** A column whose check constraint refuses a canary contains one of a list of values, not free text. */
const CONSTRAINED = ['23514', '22P02', '22001']

/** Writes a canary into every free-text column of a clinic's rows, as the database owner, with triggers disabled. */
export async function plantCanaries(databaseUrl: string, clinicId: string): Promise<Canaries> {
  const mark = randomBytes(6).toString('hex')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
  const tables = [...new Set(['humans', ...dataClasses.map(({ table }) => table)])]
  const { rows: columns } = await client.query<Column>(COLUMNS, [tables])
  const [planted, rowless]: [string[], string[]] = [[], []]
  for (const column of columns) {
    const name = `${column.table_name}.${column.column_name}`
    if (NOT_PERSONAL.has(name)) continue
    try {
      const { rowCount } = await client.query(updateOf(column, `canary-${name}-${mark}`), [clinicId])
      ;(rowCount === 0 ? rowless : planted).push(name)
    } catch (error) {
      if (!CONSTRAINED.includes(String((error as { code?: string }).code))) throw error
    }
  }
  // The fixture's audit key cannot be decrypted; the clinic gets a new one with its first entry.
  for (const table of ['audit_log', 'audit_keys'])
    await client.query(`delete from ${table} where organization_id = $1`, [clinicId])
  await client.end()
  const pattern = new RegExp(`canary-([a-z_0-9]+\\.[a-z_0-9]+)-${mark}`, 'g')
  return {
    planted,
    rowless,
    typed: `canary-${TYPED}-${mark}`,
    foundIn: (text) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))],
  }
}

function updateOf({ table_name: table, column_name: column, type, has_organization }: Column, canary: string): string {
  const text = `'${canary}' || '-' || left(md5(t.ctid::text), 6)`
  const value = column.includes('email') || column === 'to_address' ? `${text} || '@mail.example'` : text
  const json = `case jsonb_typeof(t.${column}) when 'array' then t.${column} || jsonb_build_array('${canary}')
    when 'object' then t.${column} || jsonb_build_object('canary', '${canary}') else to_jsonb('${canary}'::text) end`
  const of = has_organization
    ? 't.organization_id = $1'
    : table === 'humans'
      ? 't.id in (select principal_id from organization_memberships where organization_id = $1)'
      : 't.patient_profile_id in (select id from patient_profiles where organization_id = $1)'
  const set = type === 'jsonb' ? json : type === '_text' ? `array[${value}]` : value
  return `update ${table} t set ${column} = ${set} where ${of}`
}
