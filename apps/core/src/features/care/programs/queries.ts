import type { List, Picker, ProgramDetails, ProgramStatus, ProgramSummary } from '@tendon/contracts'
import { readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export type ProgramRow = Omit<ProgramDetails, 'sessions'>

const COLUMNS = [
  'id',
  'name',
  'description',
  'status',
  'version',
  'created_by_principal_id',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

const SESSIONS_COUNT = sql<number>`(
  select count(*) from plan_sessions s
  where s.organization_id = programs.organization_id and s.program_id = programs.id)`

/** Without the filter, deleted ones are excluded. Row-level security shows them only to holders of data.view_deleted. */
export async function listPrograms(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = tx.selectFrom('programs').select(COLUMNS).select(SESSIONS_COUNT.as('sessions_count'))
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  const { rows, total } = await readPage(query, { ...list, filters }, { search: ['name'] })
  return { rows: rows as ProgramSummary[], total }
}

/** Programs that can be assigned to a patient. */
export async function listProgramChoices(tx: TenantTx, picker: Picker) {
  const active = tx
    .selectFrom('programs')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
  return readChoices(active, picker, { search: ['name'] })
}

export async function findProgram(tx: TenantTx, id: string): Promise<ProgramRow | undefined> {
  const found = await tx.selectFrom('programs').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return found
}

/** Locks the row, which serializes changes of the program and its sessions. A deleted one is not found. */
export async function findProgramForUpdate(tx: TenantTx, id: string): Promise<ProgramRow | undefined> {
  const found = await tx
    .selectFrom('programs')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found
}

interface Details {
  name: string
  description?: string | null
}
const row = ({ name, description }: Details) => ({
  name: name.normalize().trim(),
  description: description ?? null,
})

export async function insertProgram(tx: TenantTx, values: Details): Promise<ProgramRow> {
  const created = await tx.insertInto('programs').values(row(values)).returning(COLUMNS).executeTakeFirstOrThrow()
  return created
}

const changed = (tx: TenantTx, id: string) =>
  tx.updateTable('programs').set({ version: sql<number>`version + 1` }).where('id', '=', id)

export async function updateProgram(tx: TenantTx, id: string, values: Details): Promise<void> {
  await changed(tx, id).set(row(values)).execute()
}

export async function updateProgramStatus(tx: TenantTx, id: string, status: ProgramStatus): Promise<void> {
  await changed(tx, id).set({ status }).execute()
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteProgram(tx: TenantTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ deleted_at: string | null }>`select delete_program(${id}) as deleted_at`.execute(tx)
  return rows[0]?.deleted_at ?? null
}
