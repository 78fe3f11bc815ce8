import type { List, Picker, ProgramDetails, ProgramStatus } from '@tendon/contracts'
import { asService, CLINIC, readChoices, readPage, type TenantTx } from '@tendon/db'
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
  return readPage(query, { ...list, filters }, { search: ['name'] })
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
  return tx.selectFrom('programs').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, which serializes changes of the program and its sessions. A deleted one is not found. */
export async function findProgramForUpdate(tx: TenantTx, id: string): Promise<ProgramRow | undefined> {
  return tx
    .selectFrom('programs')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
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
  return tx.insertInto('programs').values(row(values)).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function updateProgram(tx: TenantTx, id: string, values: Details): Promise<void> {
  await tx.updateTable('programs').set(row(values)).where('id', '=', id).execute()
}

export async function updateProgramStatus(tx: TenantTx, id: string, status: ProgramStatus): Promise<void> {
  await tx.updateTable('programs').set({ status }).where('id', '=', id).execute()
}

/** What a route that deletes declares. */
export const DELETING = {
  codes: ['treatment_plans.manage', 'treatment_plans.view_org', 'data.view_deleted'],
  why: 'An update must see the row that it writes: here a deleted one.',
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteProgram(tx: TenantTx, id: string): Promise<string | null> {
  const deleted = await asService(tx, DELETING.codes, (own) =>
    own
      .updateTable('programs')
      .set({ deleted_at: sql<string>`now()` })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('deleted_at')
      .executeTakeFirst(),
  )
  return deleted?.deleted_at ?? null
}
